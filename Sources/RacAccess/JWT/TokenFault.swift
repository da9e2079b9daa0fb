/// The reason for which a JWT is refused, in one line of the log; its client does not learn it.
package struct TokenFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of faults, of which each has log lines of its own.
    package enum Kind: String, CaseIterable, Sendable {
        /// The text is no JWT.
        case form
        /// The header asks for something that racd does not do.
        case header
        case algorithm
        case issuer
        case key
        case signature
        case audience
        /// The time is over.
        case expired
        /// The time has not come.
        case early
        /// A claim is missing, or has another type.
        case claim
        case name
        case roles
    }

    package let kind: Kind
    package let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// The beginning of a client's text, in quotes.
    static func shown(_ text: String) -> String {
        let beginning = String(text.unicodeScalars.prefix(64))
        return "'\(beginning)\(beginning == text ? "" : "…")'"
    }
}
