import ArgumentParser
import FoundationEssentials

/// A subcommand with options that variables of the environment can set.
protocol ConfiguredByVariables: ParsableCommand {
    static var variables: [OptionVariable] { get }
}

/// A variable that sets an option: `RACD_` and the option's name, such as RACD_MAX_FRAME for `--max-frame`.
///
/// The option on the command line overrules the variable, and an empty variable sets nothing.
struct OptionVariable {
    enum Kind {
        case value
        /// Values with spaces or line ends between them.
        case values
        /// 1 or 0.
        case flag
        /// 1 or 0; the option with `no-` in front of its name stands for 0.
        case choice
    }

    let option: String
    private let kind: Kind
    /// An option that excludes this one, and so overrules the variable, too.
    private let rival: String?

    init(_ option: String, _ kind: Kind = .value, rival: String? = nil) {
        self.option = option
        self.kind = kind
        self.rival = rival
    }

    var name: String { "RACD_\(self.option.uppercased().replacing("-", with: "_"))" }

    /// The variables of this process.
    static var ofProcess: [String: String] { ProcessInfo.processInfo.environment }

    /// The value of the variable in this process; nil if it sets nothing.
    var value: String? { Self.ofProcess[self.name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether the variable of this process stands for its option.
    var isInEffect: Bool { self.isInEffect(CommandLine.arguments, Self.ofProcess) }

    /// Whether the variable stands for its option beside these words.
    func isInEffect(_ words: [String], _ environment: [String: String]) -> Bool {
        environment[self.name]?.isEmpty == false && !self.isOverruled(by: words)
    }

    /// Whether a command line has the option, or the one that excludes it.
    private func isOverruled(by words: [String]) -> Bool {
        [self.option, self.rival].compactMap { $0.map { "--\($0)" } }.contains { option in
            words.contains { $0 == option || $0.hasPrefix("\(option)=") }
        }
    }

    /// The words for which the variable stands.
    func arguments(for environment: [String: String]) throws -> [String] {
        guard let value = environment[self.name] else { return [] }
        switch self.kind {
        case .value: return ["--\(self.option)=\(value)"]
        case .values: return value.split(whereSeparator: \.isWhitespace).map { "--\(self.option)=\($0)" }
        case .choice: return [try self.isSet(value) ? "--\(self.option)" : "--no-\(self.option)"]
        case .flag: return try self.isSet(value) ? ["--\(self.option)"] : []
        }
    }

    private func isSet(_ value: String) throws -> Bool {
        switch value {
        case "1", "true", "yes": true
        case "0", "false", "no": false
        default: throw ValidationError("\(self.name) is 1 or 0, not '\(value)'")
        }
    }
}
