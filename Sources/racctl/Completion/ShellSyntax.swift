import ArgumentParser
import Glibc

/// How a shell writes the words of a command line.
///
/// A shell reads Unicode scalars: a quote that a combining mark follows is one `Character` with it, and still a quote.
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
        return String(String.UnicodeScalarView(word.unicodeScalars.filter { scanner.take($0) }))
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
        for scalar in typed.unicodeScalars {
            let isBreak = scanner.isPlain && breaks.unicodeScalars.contains(scalar) && Self.isAny(of: "@:=", scalar)
            // bash ends a word before a special prefix such as @, and behind other breaks.
            if isBreak, scalar == "@" { kept = plain }
            if scanner.take(scalar) { plain += 1 }
            if isBreak, scalar != "@" { kept = plain }
        }
        let rest = offer.unicodeScalars.dropFirst(kept).map { Self.written($0, within: scanner.quote) }.joined()
        guard let quote = scanner.quote, rest.unicodeScalars.last == quote else { return rest }
        // bash takes the last sign for the end of the quote, and adds none.
        return "\(rest)\(quote)"
    }

    /// A scalar of a word as bash takes it for itself, in the quote that is open.
    private static func written(_ scalar: Unicode.Scalar, within quote: Unicode.Scalar?) -> String {
        switch (quote, scalar) {
        case ("'", "'"): "'\\''"
        // A backslash before it would stay in the word.
        case ("\"", "!"): "\"'!'\""
        case ("\"", _) where Self.isAny(of: "\"\\$`", scalar), (nil, _) where !Self.isPlain(scalar): "\\\(scalar)"
        default: "\(scalar)"
        }
    }

    /// Whether bash takes a scalar for itself outside of quotes.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isAlphabetic || properties.numericType != nil || Self.isAny(of: "/_-.,+%@:=", scalar)
    }

    private static func isAny(of signs: String, _ scalar: Unicode.Scalar) -> Bool {
        signs.unicodeScalars.contains(scalar)
    }
}

/// Follows the quotes of a word.
private struct QuoteScanner {
    /// The quote that is open.
    private(set) var quote: Unicode.Scalar?
    private var isEscaped = false

    /// Whether the next scalar is neither quoted nor escaped.
    var isPlain: Bool { self.quote == nil && !self.isEscaped }

    /// Whether a scalar is one of the word rather than a sign of the shell.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        if self.isEscaped {
            self.isEscaped = false
            return true
        }
        if scalar == "\\", self.quote != "'" {
            self.isEscaped = true
            return false
        }
        if scalar == self.quote {
            self.quote = nil
            return false
        }
        if self.quote == nil, scalar == "'" || scalar == "\"" {
            self.quote = scalar
            return false
        }
        return true
    }
}
