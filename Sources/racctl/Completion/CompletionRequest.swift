/// A shell's request to complete a line: `racctl ---complete SHELL BREAKS WORD…`, up to the cursor.
///
/// The first line of the answer names a kind: `words`, `open` (words that go on), `files` or `program`. Lines with one
/// word each follow, and for zsh and fish a tab and the word's meaning.
struct CompletionRequest {
    static let option = "---complete"

    private let shell: ShellSyntax
    private let breaks: String
    private let words: [String]

    /// Nil if these are not the words of a request.
    init?(_ arguments: [String]) {
        guard arguments.count >= 3, arguments[0] == Self.option, let shell = ShellSyntax(rawValue: arguments[1]) else {
            return nil
        }
        self.shell = shell
        self.breaks = arguments[2]
        self.words = Array(arguments.dropFirst(3))
    }

    /// The lines for the shell's script, by the description that its words need; nil if there is none.
    func answer(by catalog: ([String]) -> CommandCatalog?) async -> [String]? {
        let plain = self.words.map(ShellSyntax.unquoted)
        guard let catalog = catalog(plain) else { return nil }
        var machine = CompletionStateMachine(catalog)
        switch machine.completion(of: plain) {
        case .words(let offers): return ["words"] + offers.map { self.line($0.word, $0.abstract) }
        case .names(let meaning, let kept, let prefix):
            let all =
                meaning == .contexts
                ? ContextFolder.names(beginningWith: prefix)
                : await NameSearch(words: plain.dropLast()).names(of: meaning, beginningWith: prefix)
            let names = all.filter { machine.isAllowed($0, behind: kept) }
            let isOpen = names.contains { $0.hasSuffix("/") || $0.hasSuffix("=") }
            return [isOpen ? "open" : "words"] + names.map { self.line(kept + $0, "") }
        case .files(let kept, let prefix):
            return ["files", self.shell.written(kept, over: self.words.last ?? "", breaks: self.breaks), prefix]
        case .program(let place): return ["program", "\(place)"]
        }
    }

    private func line(_ word: String, _ abstract: String) -> String {
        let written = self.shell.written(word, over: self.words.last ?? "", breaks: self.breaks)
        return abstract.isEmpty || self.shell == .bash ? written : "\(written)\t\(abstract)"
    }
}
