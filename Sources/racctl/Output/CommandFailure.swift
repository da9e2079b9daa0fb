import RacConnection
import RacProtocol

/// Why a command did not succeed, as one line for people or one JSON object for programs.
struct CommandFailure: Error {
    var status: ExitStatus
    var code: String
    var message: String
    /// A further line, for people and programs: what would help.
    var help: String?
    var data: JSONText?
    var revision: Revision?
    var value: JSONText?
    private var isReported = false
    /// Whether the command goes on.
    private var isWarning = false

    init(_ status: ExitStatus, code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    init(_ error: ClientError) {
        let help = (error.cause as? TLSFault).flatMap(Self.help).map { ": \($0)" } ?? ""
        self.init(ExitStatus(error.code), code: error.code.rawValue, error.message + help)
        self.data = error.data
        self.revision = error.revision
        self.value = error.value
        // A token does not help where the handshake of TLS failed.
        self.help = error.cause is TLSFault ? nil : Self.help(for: error.code)
    }

    private static func help(for code: ClientError.Code) -> String? {
        switch code {
        case .unauthenticated:
            "give a token that it knows: --token-file FILE, RACCTL_TOKEN_FILE, or `racctl context add`"
        case .insecure: "connect with racs://, or say --insecure if nobody on the way can read it"
        case .forbidden:
            "`racd acl test` shows what racd's roles allow; another token or --context makes you another principal"
        default: nil
        }
    }

    /// The options that help after a TLS handshake that failed.
    private static func help(for fault: TLSFault) -> String? {
        switch fault {
        case .unknownAuthority: "--ca FILE names its CA"
        case .wrongName: "name the host in --server as the certificate does"
        case .certificateRequired: "say --cert FILE --key FILE"
        case .refused: "--cert FILE --key FILE name another one"
        case .noTLS, .oldVersion, .noCertificate, .expired, .notYetValid, .ended, .other: nil
        }
    }

    /// A request or a send for a channel that was refused.
    init(_ error: ClientError, of channel: ChannelName) {
        self.init(error)
        // Nobody may write a channel of the daemon's own.
        if channel.isReserved { self.help = nil }
        if error.code == .terminated {
            self.message = "\(channel) has ended: `racctl reopen \(channel)` makes it live again"
        } else if self.message.hasPrefix(Self.subject) {
            self.message = "\(channel) \(self.message.dropFirst(Self.subject.count))"
        }
    }

    /// How the daemon's messages name the channel of a request.
    private static let subject = "the channel "

    /// The channel, or this binding to it, ended with an error.
    init(_ error: WireError, of channel: ChannelName, isChannels: Bool) {
        let code = ClientError.Code(rawValue: error.code)
        let status = isChannels ? ExitStatus.failed : ExitStatus(code)
        let what = isChannels ? "\(channel) ended with the error" : "the binding to \(channel) ended with the error"
        let message = error.message.isEmpty ? "\(what) \(error.code)" : "\(what) \(error.code): \(error.message)"
        self.init(status, code: error.code, message)
        self.data = error.data
        if !isChannels { self.help = Self.help(for: code) }
    }

    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as ClientError: self.init(error)
        default: self.init(.other, code: "other", "\(error)")
        }
    }

    /// A warning, which ends nothing.
    static func warning(code: String, _ message: String) -> Self {
        var warning = Self(.other, code: code, message)
        warning.isWarning = true
        return warning
    }

    /// Somebody interrupted the command.
    static var interrupted: CommandFailure { CommandFailure(.interrupted, code: "cancelled", "interrupted") }

    /// This failure as one that has been reported.
    var reported: CommandFailure {
        var failure = self
        failure.isReported = true
        return failure
    }

    /// Writes one line to standard error, once.
    mutating func report(as format: OutputFormat) {
        guard !self.isReported else { return }
        self.isReported = true
        Descriptors.error.write(self.text(as: format))
    }

    /// The line for standard error, and that of the help.
    func text(as format: OutputFormat) -> String {
        switch format {
        case .json: return self.json.visible + "\n"
        case .text, .yaml, .name, .value:
            let message = self.isWarning ? "warning: \(self.message)" : self.message
            let lines = [message, self.help].compactMap(\.self).map { "racctl: \($0.onOneLine.visible)\n" }
            return lines.joined()
        }
    }

    private var json: String {
        var line = Record()
        line.add(self.isWarning ? "warning" : "error") { error in
            error.add("code", .string(self.code))
            error.add("message", .string(self.message))
            error.add("help", self.help.map(JSONText.string))
            error.add("data", self.data)
            error.add("rev", self.revision)
            error.add("value", self.value)
        }
        return line.json
    }
}

extension String {
    /// Line breaks and other control characters, which a message may have from outside, become spaces.
    var onOneLine: String {
        let scalars = self.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The beginning of the text, of whole scalars and at most this number of bytes.
    func cut(toBytes count: Int) -> String {
        guard self.utf8.count > count else { return self }
        var end = self.utf8.index(self.startIndex, offsetBy: count)
        while end.samePosition(in: self.unicodeScalars) == nil { self.utf8.formIndex(before: &end) }
        return String(self.unicodeScalars[..<end])
    }

    /// The text for a terminal.
    ///
    /// Control characters other than tabs and line breaks could command it: they become escapes of JSON, which mean the
    /// same in a JSON string. Signs that are not seen, or that turn the order of others, become spaces.
    var visible: String {
        guard self.unicodeScalars.contains(where: { $0.isCommanding || $0.isUnseen }) else { return self }
        return self.unicodeScalars.map { $0.isCommanding ? $0.jsonEscape : $0.isUnseen ? " " : "\($0)" }.joined()
    }
}

extension Unicode.Scalar {
    /// Whether the scalar could command a terminal.
    fileprivate var isCommanding: Bool {
        self.properties.generalCategory == .control && self != "\n" && self != "\t"
    }

    /// The escape of a scalar of the basic plane in a JSON string.
    var jsonEscape: String {
        let digits = String(self.value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Whether the sign is not seen, or turns the order of others; those that join letters and pictures are needed.
    var isUnseen: Bool {
        guard self.value > 0xA0 else { return false }
        switch self.properties.generalCategory {
        case .format: return self.value != 0x200C && self.value != 0x200D
        case .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
