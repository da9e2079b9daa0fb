/// Keeps tokens out of texts for people, wherever somebody has put one.
package enum Secrets {
    /// The beginning of each token of ours.
    static let tokenPrefix = "rac_"

    /// The beginning of each JWT: a JSON object in base64url.
    private static let jwtPrefix = "eyJ"

    /// A text in which three dots stand for each token of ours, and for each JWT.
    package static func hidden(in text: String) -> String {
        let scalars = text.unicodeScalars
        guard [Self.tokenPrefix, Self.jwtPrefix].contains(where: { scalars.contains($0.unicodeScalars) }) else {
            return text
        }
        // A token has 43 characters behind that, and a part of one may be pasted. A name may have some, too.
        // A mark beside a token is one Character with its neighbour.
        let token = /rac_[A-Za-z0-9_-]{16,}/.matchingSemantics(.unicodeScalar)
        let jwt = /eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]*)?/.matchingSemantics(.unicodeScalar)
        return text.replacing(token, with: "\(Self.tokenPrefix)…").replacing(jwt, with: "\(Self.jwtPrefix)…")
    }
}
