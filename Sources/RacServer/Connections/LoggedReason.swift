import RacAccess
import RacProtocol

/// The reason for which a client is refused: as the log shows it, and as the client learns it.
struct LoggedReason: Equatable {
    /// The kind, of which many in a row have one entry.
    let kind: String
    let text: String
    /// The words for the client, which reveal nothing that it has not shown itself.
    let answer: String

    private init(kind: String, _ text: String, answer: String? = nil) {
        self.kind = kind
        self.text = text
        self.answer = answer ?? text
    }

    /// The client's JWT is not good, of which the client does not learn the reason.
    init(_ fault: TokenFault) {
        self.init(kind: "jwt-\(fault.kind.rawValue)", fault.description, answer: Self.unknownToken.text)
    }

    /// None of a client's proofs names a principal.
    init(unknown credentials: Credentials) {
        if credentials.token != nil {
            self = .unknownToken
        } else if let name = credentials.certificate {
            self.init(kind: "certificate", "the client's certificate '\(name)' is no principal's")
        } else {
            let text = "the client showed nothing by which racd knows it"
            self.init(kind: "nothing", text, answer: "this racd asks who you are: show a token")
        }
    }

    static let unknownToken = LoggedReason(kind: "token", "the token is not known, or its time is over")
}
