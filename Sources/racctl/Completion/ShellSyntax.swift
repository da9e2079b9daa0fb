import ArgumentParser
import Glibc

/// How a shell writes the words of a command line.
enum ShellSyntax: String, CaseIterable {
    case bash
    case zsh
    case fish

    private static let option = "--generate-completion-script"

    /// The shell whose script the command line asks for; nil if it asks for none.
    ///
    /// - Throws: `ValidationError` if there is no script for the shell.
    init?(asked words: [String]) throws(ValidationError) {
        guard let word = words.first, word == Self.option || word.hasPrefix("\(Self.option)=") else { return nil }
        let own = getenv("SHELL").map { String(cString: $0) } ?? ""
        let named = word == Self.option ? words.dropFirst().first : String(word.dropFirst(Self.option.count + 1))
        let name = named ?? own.split(separator: "/").last.map(String.init) ?? ""
        guard let shell = Self(rawValue: name) else {
            throw ValidationError("\(Self.option) takes bash, zsh or fish")
        }
        self = shell
    }

    /// A word without quotes and backslashes.
    ///
    /// The last word of a line that is being typed may end within a quote.
    static func unquoted(_ word: String) -> String {
        var scanner = QuoteScanner()
        return String(word.compactMap { scanner.take($0) ? $0 : nil })
    }

    /// The offered words in the form that the shell's script expects, without the part that the shell keeps.
    ///
    /// bash inserts a word as it stands, so that it has to be quoted. The other shells do that themselves.
    ///
    /// - Parameters:
    ///   - offer: The whole word, without quotes.
    ///   - typed: The typed word.
    ///   - breaks: The characters at which bash ends a word within a word.
    /// - Returns: The words to insert.
    func written(_ offer: String, over typed: String, breaks: String) -> String {
        guard self == .bash else { return offer }
        var scanner = QuoteScanner()
        var kept = 0
        var plain = 0
        for character in typed {
            let isBreak = scanner.isPlain && breaks.contains(character) && "@:=".contains(character)
            // bash ends a word before a special prefix such as @, and behind other breaks.
            if isBreak, character == "@" { kept = plain }
            if scanner.take(character) { plain += 1 }
            if isBreak, character != "@" { kept = plain }
        }
        let rest = offer.dropFirst(kept)
        switch scanner.quote {
        case nil: return Self.escaped(rest) { !$0.isLetter && !$0.isNumber && !"/_-.,+%@:=".contains($0) }
        case "\"": return Self.escaped(rest) { "\"\\$`".contains($0) }
        default: return String(rest).replacing("'", with: "'\\''")
        }
    }

    private static func escaped(_ word: Substring, where isSpecial: (Character) -> Bool) -> String {
        String(word.flatMap { isSpecial($0) ? ["\\", $0] : [$0] })
    }
}

/// Follows the quotes of a word.
private struct QuoteScanner {
    /// The quote that is open.
    private(set) var quote: Character?
    private var isEscaped = false

    /// Whether the next character is neither quoted nor escaped.
    var isPlain: Bool { self.quote == nil && !self.isEscaped }

    /// Whether a character is one of the word rather than a sign of the shell.
    mutating func take(_ character: Character) -> Bool {
        if self.isEscaped {
            self.isEscaped = false
            return true
        }
        if character == "\\", self.quote != "'" {
            self.isEscaped = true
            return false
        }
        if character == self.quote {
            self.quote = nil
            return false
        }
        if self.quote == nil, character == "'" || character == "\"" {
            self.quote = character
            return false
        }
        return true
    }
}
