import ArgumentParser
import RacProtocol

/// The words of the command line, before they are parsed.
enum CommandWords {
    /// Subcommands with a VALUE and without an option that begins with a minus and a digit.
    private static let subcommandsWithNumbers: Set<String> = ["set", "wait", "exec", "incr"]

    /// Checks that the words are UTF-8: the standard library repairs them silently.
    ///
    /// - Throws: `ValidationError` that names the word.
    static func check(_ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws(ValidationError) {
        var place = 0
        while let word = words[place] {
            guard String(validatingCString: word) != nil else {
                throw ValidationError("word \(place) of the command line is not UTF-8")
            }
            place += 1
        }
    }

    /// The words in the order that the parser wants: the subcommand first, and numbers below zero behind `--`.
    ///
    /// - Parameters:
    ///   - words: The words behind `racctl`.
    ///   - subcommands: The names of the subcommands.
    ///   - options: The options of a subcommand; nil if there is no description of them.
    /// - Returns: The words for the parser.
    /// - Throws: `ValidationError` if the subcommand is none, or has no program where it needs one.
    static func arranged(
        _ words: [String],
        subcommands: [String],
        options: (String) -> [CommandCatalog.Option]?
    ) throws(ValidationError) -> [String] {
        let count =
            words.first?.first == "-" ? try Self.countOfLeadingOptions(words, subcommands + ["help"], options) : 0
        guard let subcommand = words.dropFirst(count).first, subcommand.first != "-" else { return words }
        let rest = words.dropFirst(count + 1)
        try Self.check(subcommand, in: subcommands)
        if subcommand == "help", let topic = rest.first, topic.first != "-" { try Self.check(topic, in: subcommands) }
        if let last = rest.last, Self.programMarks[subcommand] == last {
            throw ValidationError("a program is missing behind \(last)")
        }
        return Self.withNumbersLast([subcommand] + words.prefix(count) + rest)
    }

    /// The words behind which the program of a subcommand stands.
    private static let programMarks = ["bind": "--", "provide": "--", "watch": "--exec"]

    /// The number of options and their values before the subcommand; they are options of that subcommand.
    private static func countOfLeadingOptions(
        _ words: [String],
        _ subcommands: [String],
        _ options: (String) -> [CommandCatalog.Option]?
    ) throws(ValidationError) -> Int {
        if words.count == 1, Self.questions.contains(words[0]) { return 1 }
        for (place, word) in words.enumerated() where subcommands.contains(word) {
            if let options = options(word), Self.end(ofOptions: words, options) == place { return place }
        }
        let end = Self.end(ofOptions: words, subcommands.flatMap { options($0) ?? [] })
        let isWhole = end == words.count && Self.questions.isDisjoint(with: words)
        if isWhole, words.allSatisfy({ $0 != "--" }) { throw ValidationError("a subcommand is missing") }
        return end
    }

    /// The options that need no subcommand.
    private static let questions: Set<String> = ["-h", "--help", "--version"]

    /// The place of the first word that is neither an option nor its value.
    private static func end(ofOptions words: [String], _ options: [CommandCatalog.Option]) -> Int {
        var place = 0
        while place < words.count, let option = CommandCatalog.option(words[place], in: options), !option.takesRest {
            place += option.value != nil && option.names.contains(words[place]) ? 2 : 1
        }
        return place
    }

    /// The first word that looks like an option of its subcommand and is none; nil if there is none.
    static func unknownOption(
        in words: [String],
        _ options: (String) -> [CommandCatalog.Option]?
    ) -> (word: String, nearest: String?)? {
        guard let options = words.first.flatMap(options) else { return nil }
        var place = 1
        while place < words.count, words[place] != "--" {
            let word = words[place]
            place += 1
            guard word.first == "-", word != "-", !Self.isNegative(word) else { continue }
            guard let option = CommandCatalog.option(word, in: options) else {
                let names = options.flatMap(\.names).filter { $0.hasPrefix("--") }
                return (word, word.hasPrefix("--") ? Spelling.nearest(to: word, among: names) : nil)
            }
            if option.takesRest { return nil }
            if option.value != nil, option.names.contains(word) { place += 1 }
        }
        return nil
    }

    /// Whether errors of these words are wanted as JSON.
    static func wantsJSON(_ words: [String]) -> Bool {
        let options = words.prefix { $0 != "--" }
        return zip(options, options.dropFirst()).contains { ["-o", "--output"].contains($0) && $1 == "json" }
            || options.contains { ["-ojson", "-o=json", "--output=json"].contains($0) }
    }

    private static func check(_ word: String, in subcommands: [String]) throws(ValidationError) {
        guard word != "help", !subcommands.contains(word) else { return }
        let help = Spelling.nearest(to: word, among: subcommands).map { ". Did you mean '\($0)'?" } ?? ""
        throw ValidationError("there is no subcommand '\(word)'\(help)")
    }

    /// Moves numbers below zero, which look like options, behind `--`, where they are taken for what they are.
    private static func withNumbersLast(_ words: [String]) -> [String] {
        guard let subcommand = words.first, Self.subcommandsWithNumbers.contains(subcommand), !words.contains("--")
        else { return words }
        let places = words.indices.filter { Self.isNegative(words[$0]) && !Self.numberOptions.contains(words[$0 - 1]) }
        guard !places.isEmpty else { return words }
        return words.indices.filter { !places.contains($0) }.map { words[$0] } + ["--"] + places.map { words[$0] }
    }

    /// The options of those subcommands with a number behind them.
    private static let numberOptions = ["--timeout", "--retry", "--if-rev"]

    private static func isNegative(_ word: String) -> Bool {
        word.utf8.first == UInt8(ascii: "-") && word.dropFirst().first?.isWholeNumber == true
    }
}
