import ArgumentParser
import RacConnection
import RacProtocol

/// The name of a channel as an argument.
struct ChannelArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The channel's name, such as room/volume.", valueName: "name"),
        completion: NameCompletion.channels,
        transform: { try ChannelName($0) }
    )
    var name: ChannelName
}

/// Channels by their names and by patterns, one at least.
struct ChannelsArgument: ParsableArguments {
    /// One word of them.
    enum Target {
        case channel(ChannelName)
        case pattern(ChannelPattern)

        init(_ text: String) throws {
            self = text.contains("*") ? .pattern(try ChannelPattern(text)) : .channel(try ChannelName(text))
        }
    }

    @Argument(
        help: ArgumentHelp("Channels' names, such as room/volume, or patterns, such as 'room/*'.", valueName: "name"),
        completion: NameCompletion.patterns,
        transform: { try Target($0) }
    )
    var targets: [Target]

    /// Whether exactly one channel is meant.
    var isOne: Bool {
        guard self.targets.count == 1, case .channel = self.targets[0] else { return false }
        return true
    }
}

/// A pattern as an argument that may be left out.
struct PatternArgument: ParsableArguments {
    @Argument(
        help: "The pattern; without it, all channels.",
        completion: NameCompletion.patterns,
        transform: { try ChannelPattern($0) }
    )
    var pattern: ChannelPattern?

    var orAll: ChannelPattern { self.pattern ?? .all }
}

/// Whether the channel is seen from its leading side.
struct RoleOptions: ParsableArguments {
    @Flag(help: "Be on the leading side, the model's; the following side, the view's, is the default.")
    var leading = false

    var role: Role { self.leading ? .leading : .following }
}

/// How values are understood.
struct ValueOptions: ParsableArguments {
    @Flag(help: "Take every value as a string, even if it is JSON.")
    var string = false

    @Flag(help: "Take JSON only: refuse what would be taken as a string.")
    var json = false

    func validate() throws {
        guard !self.string || !self.json else { throw ValidationError("--string and --json exclude each other") }
    }

    /// The value of a person's text: JSON is JSON, and anything else a string, unless the options say otherwise.
    ///
    /// - Throws: ``ValueFault`` if the text is no JSON and begins like an object, an array, or a file with a mark of its
    ///   encoding. A string was hardly meant.
    func value(_ text: String) throws(ValueFault) -> JSONText {
        if self.string { return .string(text) }
        do {
            return try JSONText(text)
        } catch {
            guard self.json || text.first(where: { !$0.isWhitespace }).map("{[\u{FEFF}".contains) == true else {
                return .string(text)
            }
            throw ValueFault(error, isStrict: self.json)
        }
    }

    /// The value of an argument.
    func argument(_ text: String, called name: String) throws(CommandFailure) -> JSONText {
        do {
            return try self.value(text)
        } catch {
            throw CommandFailure(error, at: .usage, "\(name) \(error.reason)")
        }
    }
}

extension CommandFailure {
    /// A text that is no value: in a place where it ends the command with a status, unless a limit is the reason.
    init(_ fault: ValueFault, at status: ExitStatus, _ message: String) {
        let code = fault.isLimit ? "too-deep" : status == .usage ? "usage" : "input"
        self.init(fault.isLimit ? .limit : status, code: code, message)
    }
}

/// Why a text is no value.
struct ValueFault: Error, Equatable {
    /// The end of a sentence whose subject is the text.
    let reason: String
    /// Whether the text is JSON beyond a limit.
    let isLimit: Bool

    init(_ error: JSONError, isStrict: Bool) {
        self.isLimit = error.fault == .tooDeep
        self.reason =
            if error.fault == .tooDeep {
                "is nested too deep: at most \(JSONText.maximumDepth) levels"
            } else if isStrict {
                "is not JSON: \(error)"
            } else {
                "looks like JSON but is not (\(error)); --string sends it as it is"
            }
    }
}

/// The options of a will: the change that racd makes if this program is lost.
struct WillOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The value that racd sends if this program is lost.", valueName: "value")
    )
    var will: String?

    @Flag(help: "Let racd complete the channel if this program is lost.")
    var willComplete = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Let racd end the channel with this error if this program is lost.",
            valueName: "code:message"
        ),
        transform: { try WillError($0) }
    )
    var willFail: WillError?

    func validate() throws {
        let count = [self.will != nil, self.willComplete, self.willFail != nil].count { $0 }
        guard count <= 1 else { throw ValidationError("--will, --will-complete and --will-fail exclude each other") }
    }

    func will(_ values: ValueOptions) async throws(CommandFailure) -> Will? {
        if let will { return .value(try await ValueSource(argument: will, name: "--will").value(values)) }
        if let willFail { return .end(.failed(WireError(code: willFail.code, message: willFail.message))) }
        return self.willComplete ? .end(.completed) : nil
    }
}

/// `CODE:MESSAGE` on the command line.
struct WillError {
    let code: String
    let message: String

    init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, (1...WireError.maximumCodeBytes).contains(parts[0].utf8.count) else {
            throw ValidationError("write CODE:MESSAGE, such as lost:'the driver is gone'")
        }
        self.code = String(parts[0])
        self.message = String(parts[1])
    }
}
