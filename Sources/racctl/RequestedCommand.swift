import ArgumentParser

/// The words of a command line, as the command that they ask for or as the failure that says why they ask for none.
struct RequestedCommand {
    /// The words behind `racctl`, in the order that the parser wants as soon as it is known.
    private var words: [String]

    init(_ words: [String]) {
        self.words = words
    }

    /// Parses the words.
    ///
    /// - Throws: An error for ``failure(for:)``, also where help or the version is asked for.
    mutating func parsed() async throws -> any ParsableCommand {
        self.words = try CommandWords.arranged(
            self.words,
            subcommands: Racctl.subcommandNames,
            options: Racctl.options
        )
        if let command = self.parsedAlone { return command }
        let command = try await Racctl.asyncParseAsRoot(self.words)
        guard !(command is Racctl) else { throw ValidationError("a subcommand is missing") }
        return command
    }

    /// The command of words that a subcommand takes without its root; the root says what is wrong with others.
    ///
    /// The parser needs a quarter of racctl's start for a root, and no option is the root's alone.
    private var parsedAlone: (any ParsableCommand)? {
        let command = Racctl.configuration.subcommands.first { $0.configuration.commandName == self.words.first }
        guard let command, command.configuration.subcommands.isEmpty else { return nil }
        return try? command.parse(Array(self.words.dropFirst()))
    }

    /// The form of errors that the words ask for.
    var errorFormat: OutputFormat { CommandWords.wantsJSON(self.words) ? .json : .text }

    /// The failure of a wrong use; nil if help or the version was asked for, which is in the error's message.
    func failure(for error: any Error) -> CommandFailure? {
        if let failure = error as? CommandFailure { return failure }
        guard Racctl.exitCode(for: error) != .success else { return nil }
        let named = self.words.first.flatMap { Racctl.subcommandNames.contains($0) ? " \($0)" : nil } ?? ""
        return CommandFailure(.usage, code: "usage", "\(self.reason(error)) See racctl\(named) --help")
    }

    /// The parser's reason as a sentence; the parser overlooks misspelt options where something else is missing.
    private func reason(_ error: any Error) -> String {
        if let unknown = CommandWords.unknownOption(in: self.words, Racctl.options) {
            let nearest = unknown.nearest.map { " Did you mean '\($0)'?" }
            return "there is no option '\(unknown.word)'.\(nearest ?? " Write -- before a value that begins so.")"
        }
        let reason = Racctl.message(for: error)
        let sentence = ".?!".contains(reason.last ?? " ") ? reason : "\(reason)."
        guard reason.lowercased().contains("unexpected argument") else { return sentence }
        return switch self.words.first {
        case "set", "exec", "wait": "\(sentence) Words that belong together stand in quotes: 'two words'."
        // A shell replaces such a pattern by the files that it matches.
        case "watch", "list", "commands", "monitor", "export", "top":
            "\(sentence) A pattern stands in quotes: 'room/*'."
        default: sentence
        }
    }
}
