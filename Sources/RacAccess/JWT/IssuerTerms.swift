/// The demands on the JWTs of an issuer, and the claims in which it names principals and roles.
package struct IssuerTerms: Hashable, Sendable {
    /// The claim `iss` of each of its tokens.
    package var issuer: String
    /// The names for this daemon, of which `aud` must have one.
    package var audiences: [String]
    package var algorithms: [JWTAlgorithm]
    /// The way to the claim with the roles: its name behind those of the objects around it.
    package var rolesClaim: [String]
    /// The claim with the principal's name.
    package var nameClaim: String
    /// The time by which the issuer's clock may be ahead, in milliseconds.
    package var leeway: Int64

    package init(
        issuer: String,
        audiences: [String],
        algorithms: [JWTAlgorithm],
        rolesClaim: [String] = ["roles"],
        nameClaim: String = "sub",
        leeway: Int64 = 60_000
    ) {
        self.issuer = issuer
        self.audiences = audiences
        self.algorithms = algorithms
        self.rolesClaim = rolesClaim
        self.nameClaim = nameClaim
        self.leeway = leeway
    }
}
