import RacAccess

/// The reason for which a client is refused, as the log tells it; the client does not learn it.
struct LoggedReason: Equatable {
    /// The kind, of which many in a row have one entry.
    let kind: String
    let text: String

    private init(kind: String, _ text: String) {
        self.kind = kind
        self.text = text
    }

    init(_ fault: TokenFault) {
        self.init(kind: "jwt-\(fault.kind.rawValue)", fault.description)
    }

    /// Neither a token nor anything else names a principal.
    static let notKnown = LoggedReason(kind: "not-known", "the token is not known, or its time is over")
}
