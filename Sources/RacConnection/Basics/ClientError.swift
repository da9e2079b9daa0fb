public import RacProtocol

/// A call of the client that did not succeed.
///
/// Semantics: protocol.md, "Errors".
public struct ClientError: Error, Sendable {
    /// The kind of failure: the daemon's codes are the wire's, and the client has some of its own.
    public struct Code: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The code's word.
        public let rawValue: String

        /// Takes a word for a code.
        ///
        /// - Parameter rawValue: The word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Takes a word of the program's text, such as `"overheated"`.
        public init(stringLiteral word: String) {
            self.rawValue = word
        }

        /// The word.
        public var description: String { self.rawValue }
    }

    /// The kind of failure, for programs: switch on it with a `default`.
    public var code: Code
    /// The event and a remedy, for people: never a secret, never a value.
    public var message: String
    /// More about it from the sender of the error, as JSON.
    public var data: JSONText?
    /// The revision of the value that the channel has, if that is what stood against the call.
    public var revision: Revision?
    /// The value that the channel has, if that is what stood against the call.
    public var value: JSONText?
    /// Whether the change was made all the same: code `storage` says so if only the disk has not taken it yet.
    public var isApplied = false
    /// The failure underneath.
    public var cause: (any Error)?
    /// Which entry of a put was refused.
    package var index: Int?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: The event and a remedy.
    ///   - cause: The failure underneath.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    package init(_ refusal: Refusal) {
        let error = refusal.error
        self.init(Code(rawValue: error.code), error.message.isEmpty ? "racd refused: \(error.code)" : error.message)
        self.data = error.data
        self.revision = refusal.revision
        self.value = refusal.value
        self.index = refusal.index.flatMap { Int(exactly: $0) }
        self.isApplied = refusal.isApplied
    }
}

extension ClientError: CustomStringConvertible {
    /// The code, the message, and a remedy that the daemon's messages do not know.
    public var description: String {
        "\(self.code): \(self.message)" + (self.remedy.map { " (\($0))" } ?? "")
    }

    private var remedy: String? {
        switch self.code {
        case .unauthenticated: "a client names its token in ClientConfiguration.token"
        case .insecure: "racs:// has TLS; ClientConfiguration.allowsClearTextToken sends it all the same"
        case .forbidden: "racd's configuration says what each principal may do: see `racd acl test`"
        default: nil
        }
    }
}

extension ClientError: Equatable {
    /// Whether both are the same failure, whatever caused it.
    public static func == (left: ClientError, right: ClientError) -> Bool {
        left.code == right.code && left.message == right.message && left.data == right.data
            && left.revision == right.revision && left.value == right.value && left.isApplied == right.isApplied
            && left.index == right.index
    }
}

extension ClientError.Code {
    /// No connection could be made: nobody listens there, or it is no daemon.
    public static let unreachable = Self(rawValue: "unreachable")
    /// The connection ended, or was ended by this program, before the answer came.
    public static let connectionLost = Self(rawValue: "connection-lost")
    /// The answer did not come in time; a write may have happened all the same.
    public static let timedOut = Self(rawValue: "timed-out")
    /// The connection was lost while this was on its way: it may have happened or not.
    public static let outcomeUnknown = Self(rawValue: "outcome-unknown")
    /// The program has closed the client, or let go of it.
    public static let closed = Self(rawValue: "closed")
    /// The channel is a shared one where a paired one was asked for, or the other way round.
    public static let wrongMode = Self(rawValue: "wrong-mode")
    /// A value is not of the type that this program has for it.
    public static let badValue = Self(rawValue: "bad-value")
    /// The waiting task was cancelled; a write may have happened all the same.
    public static let cancelled = Self(rawValue: "cancelled")
    /// A token, or the file that should hold one, cannot be used.
    public static let badToken = Self(rawValue: "bad-token")
    /// The token would have travelled in clear text to another machine, so it was not sent.
    public static let insecure = Self(rawValue: "insecure")
    /// The daemon's address could not be read.
    public static let invalidURL = Self(rawValue: "invalid-url")

    /// The daemon's certificate is not trusted, or the daemon does not trust the client's one.
    public static let untrusted = Self(rawValue: "untrusted")
    /// A file with certificates or a key cannot be used.
    public static let invalidCertificate = Self(rawValue: "invalid-certificate")

    init(_ code: ErrorCode) {
        self.init(rawValue: code.rawValue)
    }

    /// The daemon sent bytes that are no frame, or the client did.
    public static let badFrame = Self(.badFrame)
    /// A message is longer than the daemon takes.
    public static let tooLarge = Self(.tooLarge)
    /// The daemon sent what is no message, or the client did.
    public static let badMessage = Self(.badMessage)
    /// The daemon speaks another version of the protocol.
    public static let unsupportedVersion = Self(.unsupportedVersion)
    /// The daemon wants to know who asks.
    public static let unauthenticated = Self(.unauthenticated)
    /// The daemon knows who asks, and does not allow it.
    public static let forbidden = Self(.forbidden)
    /// A name or a pattern breaks the rules of names.
    public static let badName = Self(.badName)
    /// There is no channel of that name.
    public static let noSuchChannel = Self(.noSuchChannel)
    /// There is a channel of that name already.
    public static let exists = Self(.exists)
    /// This connection is bound to that terminal, or watches that pattern, already.
    public static let alreadyBound = Self(.alreadyBound)
    /// This connection is not bound to that terminal.
    public static let notBound = Self(.notBound)
    /// The session has forgotten whether a send of before a lost connection was applied.
    public static let forgotten = Self(.forgotten)
    /// The channel has ended.
    public static let terminated = Self(.terminated)
    /// Somebody was first: the channel has another revision than the call named.
    public static let conflict = Self(.conflict)
    /// There is no command of that name.
    public static let noSuchCommand = Self(.noSuchCommand)
    /// Somebody hosts that command already.
    public static let alreadyHosted = Self(.alreadyHosted)
    /// No client hosts the command any more.
    public static let notHosted = Self(.notHosted)
    /// The command cannot be executed now, because it runs already or its host does not allow it.
    public static let notEnabled = Self(.notEnabled)
    /// The command's host has lost its connection.
    public static let hostLost = Self(.hostLost)
    /// This program took its values too slowly where every one of them counts.
    public static let slowConsumer = Self(.slowConsumer)
    /// A limit of the daemon or of the client is reached.
    public static let limit = Self(.limit)
    /// The daemon cannot write to its disk.
    public static let storage = Self(.storage)
    /// The daemon is ending.
    public static let shuttingDown = Self(.shuttingDown)
}
