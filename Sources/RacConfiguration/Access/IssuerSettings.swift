package import RacAccess

/// An issuer of JWTs, as a table `[[jwt]]` describes it.
package struct IssuerSettings: Hashable, Sendable {
    package var terms: IssuerTerms
    /// The path of the issuer's JWKS file.
    package var keyFile: String

    package init(_ terms: IssuerTerms, keyFile: String) {
        self.terms = terms
        self.keyFile = keyFile
    }
}
