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
    /// - Returns: The words for the parser.
    /// - Throws: `ValidationError` if the subcommand is none.
    static func arranged(_ words: [String], subcommands: [String]) throws(ValidationError) -> [String] {
        let options = Self.leadingOptions(words)
        guard let subcommand = words.dropFirst(options.count).first, subcommand.first != "-" else { return words }
        let rest = words.dropFirst(options.count + 1)
        try Self.check(subcommand, in: subcommands)
        if subcommand == "help", let topic = rest.first, topic.first != "-" { try Self.check(topic, in: subcommands) }
        return Self.withNumbersLast([subcommand] + options + rest)
    }

    /// Whether errors of these words are wanted as JSON.
    static func wantsJSON(_ words: [String]) -> Bool {
        let options = words.prefix { $0 != "--" }
        return zip(options, options.dropFirst()).contains { ["-o", "--output"].contains($0) && $1 == "json" }
            || options.contains { ["-ojson", "-o=json", "--output=json"].contains($0) }
    }

    /// The options of every subcommand that stand before it, with their values.
    private static func leadingOptions(_ words: [String]) -> [String] {
        var count = 0
        while count < words.count {
            let word = words[count]
            if let values = CommonOptions.optionsAnywhere[word] {
                count += 1 + values
            } else if CommonOptions.optionsAnywhere.keys.contains(where: { Self.isJoined(word, $0) }) {
                count += 1
            } else {
                break
            }
        }
        return Array(words.prefix(count))
    }

    /// Whether a word is an option with its value: `--server=X`, `-oX`.
    private static func isJoined(_ word: String, _ option: String) -> Bool {
        option.hasPrefix("--") ? word.hasPrefix("\(option)=") : word.hasPrefix(option) && word.count > option.count
    }

    private static func check(_ word: String, in subcommands: [String]) throws(ValidationError) {
        guard word != "help", !subcommands.contains(word) else { return }
        let help = Spelling.nearest(to: word, among: subcommands).map { "; did you mean '\($0)'?" } ?? ""
        throw ValidationError("there is no subcommand '\(word)'\(help)")
    }

    /// Moves numbers below zero, which look like options, behind `--`, where they are taken for what they are.
    private static func withNumbersLast(_ words: [String]) -> [String] {
        guard let subcommand = words.first, Self.subcommandsWithNumbers.contains(subcommand), !words.contains("--")
        else { return words }
        let numbers = words.filter(Self.isNegative)
        return numbers.isEmpty ? words : words.filter { !Self.isNegative($0) } + ["--"] + numbers
    }

    private static func isNegative(_ word: String) -> Bool {
        word.utf8.first == UInt8(ascii: "-") && word.dropFirst().first?.isWholeNumber == true
    }
}
