import RacConnection
import RacProtocol

/// Why a command did not succeed, as one line for people or one JSON object for programs.
struct CommandFailure: Error {
    var status: ExitStatus
    var code: String
    var message: String
    var data: JSONText?
    var revision: Revision?
    var value: JSONText?
    private var isReported = false

    init(_ status: ExitStatus, code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    init(_ error: ClientError) {
        self.init(ExitStatus(error.code), code: error.code.rawValue, error.message)
        self.data = error.data
        self.revision = error.revision
        self.value = error.value
    }

    /// The channel, or this binding to it, ended with an error.
    init(_ error: WireError, of channel: ChannelName, isChannels: Bool) {
        let status = isChannels ? ExitStatus.failed : ExitStatus(ClientError.Code(rawValue: error.code))
        let what = isChannels ? "\(channel) ended with the error" : "the binding to \(channel) ended with the error"
        let message = error.message.isEmpty ? "\(what) \(error.code)" : "\(what) \(error.code): \(error.message)"
        self.init(status, code: error.code, message)
        self.data = error.data
    }

    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as ClientError: self.init(error)
        default: self.init(.other, code: "other", "\(error)")
        }
    }

    /// Writes one line to standard error, once.
    mutating func report(as format: OutputFormat) {
        guard !self.isReported else { return }
        self.isReported = true
        switch format {
        case .text: Descriptors.error.write("racctl: \(self.message.onOneLine)\n")
        case .json: Descriptors.error.write(self.json + "\n")
        }
    }

    private var json: String {
        var line = JSONLine()
        line.add("error") { error in
            error.add("code", .string(self.code))
            error.add("message", .string(self.message))
            error.add("data", self.data)
            error.add("rev", self.revision)
            error.add("value", self.value)
        }
        return line.text
    }
}

extension String {
    /// Line breaks and other control characters, which a message may have from outside, become spaces.
    var onOneLine: String {
        let scalars = self.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
