import ArgumentParser

/// A command line that is being typed, as the shell passes it.
struct CompletedLine {
    /// The part of the word before the cursor.
    let prefix: String
    /// The part of the line that concerns the daemon.
    let server: String?
    /// The line's time limit for the daemon.
    let timeout: Duration?
    private let shell: CompletionShell?

    init(words: [String], prefix: String, shell: CompletionShell?) {
        self.shell = shell
        self.prefix = prefix.filter { !"\\\"'".contains($0) }
        self.server = Self.value(of: "--server", in: words)
        let seconds = Self.value(of: "--timeout", in: words).flatMap(Double.init)
        self.timeout = seconds.flatMap { CommonOptions.isTimeout($0) ? .seconds($0) : nil }
    }

    private static func value(of option: String, in words: [String]) -> String? {
        if let word = words.last(where: { $0.hasPrefix("\(option)=") }) {
            return String(word.dropFirst(option.count + 1))
        }
        guard let place = words.lastIndex(of: option), place + 1 < words.count else { return nil }
        // bash makes words of the parts of a URL.
        var value = words[place + 1]
        for word in words[(place + 2)...] {
            guard word == ":" || value.last == ":" else { break }
            value += word
        }
        return value
    }

    /// A name in the form that the shell's script expects.
    ///
    /// The script of bash expands its input: a name with `$(…)` in it would be run.
    func written(_ name: String) -> String {
        switch self.shell {
        case .bash: Self.escape(name) { $0.isASCII && !$0.isLetter && !$0.isNumber && !"/_-.".contains($0) }
        case .zsh: Self.escape(name) { $0 == ":" || $0 == "\\" }
        default: name
        }
    }

    private static func escape(_ name: String, where isSpecial: (Character) -> Bool) -> String {
        String(name.flatMap { isSpecial($0) ? ["\\", $0] : [$0] })
    }
}
