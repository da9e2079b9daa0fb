import ArgumentParser
import RacProtocol

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
    var help: String {
        "\(self.root._commandName) \(self.subcommand.map { $0._commandName + " " } ?? "")--help"
    }

    /// The parsed command.
    func command() throws -> any ParsableCommand {
        try self.refuseUnknownSubcommand()
        let more = try self.variables.flatMap { try $0.arguments(for: self.environment) }
        return try self.root.parseAsRoot(self.words + more)
    }

    /// The variables that stand for options, unless the words have these options.
    var variables: [OptionVariable] {
        guard let variables = (self.subcommand as? any ConfiguredByVariables.Type)?.variables else { return [] }
        return variables.filter { self.environment[$0.name]?.isEmpty == false && !$0.isOverruled(by: self.words) }
    }

    private var subcommands: [any ParsableCommand.Type] { self.root.configuration.subcommands }

    private var subcommand: (any ParsableCommand.Type)? {
        self.subcommands.first { $0._commandName == self.words.first }
    }

    /// Refuses a word in the place of a subcommand, behind `help` too, that is none.
    private func refuseUnknownSubcommand() throws {
        let word = self.words.first == "help" ? self.words.dropFirst().first : self.words.first
        let known = self.subcommands.map { $0._commandName } + ["help"]
        guard let word, !word.hasPrefix("-"), !known.contains(word) else { return }
        let meant = Spelling.nearest(to: word, among: known).map { ". Did you mean '\($0)'?" } ?? ""
        throw ValidationError("no subcommand '\(word)'\(meant)")
    }
}
