import ArgumentParser
import RacProtocol
import RacServer

/// The words behind the program's name, and the variables that stand for more of them.
struct Invocation {
    let root: any ParsableCommand.Type
    private let words: [String]
    private let environment: [String: String]

    init(of root: any ParsableCommand.Type, _ words: [String], environment: [String: String]) {
        self.root = root
        self.words = words
        self.environment = environment
    }

    /// The words that ask for the page that helps here: `racd serve --help`.
    var help: String { "\(Self.names(self.path(of: self.words))) --help" }

    /// The parsed command.
    func command() throws -> any ParsableCommand {
        try self.refuseUnknownSubcommand()
        let more = try self.variables.flatMap { try $0.arguments(for: self.environment) }
        return try self.root.parseAsRoot(self.words + more)
    }

    /// The variables that stand for options, unless the words have these options.
    var variables: [OptionVariable] {
        guard let command = self.path(of: self.words).last as? any ConfiguredByVariables.Type else { return [] }
        return command.variables.filter { $0.isInEffect(self.words, self.environment) }
    }

    /// Whether the words start the daemon.
    var isOfDaemon: Bool { Self.startsDaemon(self.words) }

    static func startsDaemon(_ words: [String]) -> Bool { words.first == "serve" }

    /// The form of the log that the words or a variable ask for, whatever the parser finds in the others.
    var logFormat: LogFormat? {
        let option = OptionVariable("log-format")
        let name = "--\(option.option)"
        let next = self.words.lastIndex(of: name).flatMap { self.words.dropFirst($0 + 1).first }
        let joined = self.words.last { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
        return (next ?? joined ?? self.environment[option.name]).flatMap(LogFormat.init(rawValue:))
    }

    /// The root, and the subcommands that the first words name, each one of the command before.
    private func path(of words: [String]) -> [any ParsableCommand.Type] {
        var path = [self.root]
        for word in words {
            let subcommands = path[path.count - 1].configuration.subcommands
            guard let next = subcommands.first(where: { $0._commandName == word }) else { break }
            path.append(next)
        }
        return path
    }

    private static func names(_ path: [any ParsableCommand.Type]) -> String {
        path.map { $0._commandName }.joined(separator: " ")
    }

    /// Refuses a word in the place of a subcommand, behind `help` too, that is none.
    private func refuseUnknownSubcommand() throws {
        let words = self.words.first == "help" ? Array(self.words.dropFirst()) : self.words
        let path = self.path(of: words)
        let subcommands = path[path.count - 1].configuration.subcommands.map { $0._commandName }
        guard !subcommands.isEmpty, let word = words.dropFirst(path.count - 1).first, !word.hasPrefix("-"),
            word != "help"
        else { return }
        let meant = Spelling.nearest(to: word, among: subcommands + ["help"]).map { ". Did you mean '\($0)'?" } ?? ""
        throw ValidationError("no subcommand '\(word)'\(meant)")
    }
}
