/// Decides, word by word, how a shell completes a command line.
struct CompletionStateMachine {
    /// A word that the shell offers.
    struct Offer: Equatable {
        let word: String
        var abstract = ""
    }

    /// The completion of the last word.
    enum Completion: Equatable {
        /// One of these words, whose beginnings are those of the last word.
        case words([Offer])
        /// A name that racd or the folder of contexts knows, behind a beginning of the word that stays.
        case names(WordMeaning, behind: String, prefix: String)
        /// The name of a file, behind a beginning of the word that stays.
        case files(behind: String, prefix: String)
        /// A line of its own, which begins with this word.
        case program(at: Int)
    }

    private let catalog: CommandCatalog
    private var subcommand: CommandCatalog.Subcommand?
    /// The option whose value comes next.
    private var pending: CommandCatalog.Option?
    private var seen: Set<String> = []
    /// The number of words so far that are no options.
    private var count = 0
    private var isBehindTerminator = false
    private var program: Int?

    init(_ catalog: CommandCatalog) {
        self.catalog = catalog
    }

    /// The completion of the last of these words, those behind `racctl`, without the shell's quotes.
    mutating func completion(of words: [String]) -> Completion {
        for (place, word) in words.dropLast().enumerated() { self.pass(word, at: place) }
        return self.complete(words.last ?? "", at: max(words.count - 1, 0))
    }

    /// Whether a name can stand in the place of the last word.
    ///
    /// A word like an option cannot, unless `--` comes before it. A word with invisible signs is not offered.
    func isAllowed(_ name: String, behind beginning: String) -> Bool {
        let isOption = name.hasPrefix("-") && beginning.isEmpty && !self.isBehindTerminator
        return !isOption && !name.unicodeScalars.contains(where: \.isUnseen)
    }

    // MARK: The words before the last one

    private mutating func pass(_ word: String, at place: Int) {
        if self.program != nil { return }
        if self.pending != nil {
            self.pending = nil
        } else if self.isBehindTerminator {
            self.count += 1
        } else if word == "--" {
            self.isBehindTerminator = true
            if self.argument?.meaning == .program { self.program = place + 1 }
        } else if word.hasPrefix("-"), word != "-" {
            self.passOption(word, at: place)
        } else if self.subcommand == nil {
            self.subcommand = self.catalog.subcommands.first { $0.name == word }
        } else {
            self.count += 1
        }
    }

    private mutating func passOption(_ word: String, at place: Int) {
        guard let option = self.option(word) else { return }
        self.seen.formUnion(option.names)
        if option.takesRest { self.program = place + 1 } else if option.value != nil { self.pending = option }
    }

    // MARK: The last word

    private func complete(_ word: String, at place: Int) -> Completion {
        if let program { return .program(at: program) }
        if let pending { return self.complete(word, pending.value ?? .free) }
        if word.hasPrefix("-"), !self.isBehindTerminator { return self.completeOption(word) }
        guard let subcommand else { return .words(self.subcommands(beginningWith: word)) }
        if subcommand.name == "help" {
            return .words(self.count == 0 ? self.subcommands(beginningWith: word) : [])
        }
        return self.complete(word, self.argument?.meaning ?? .free)
    }

    /// The place for the next word that is no option.
    private var argument: CommandCatalog.Argument? {
        guard let arguments = self.subcommand?.arguments else { return nil }
        let places = self.isBehindTerminator ? arguments : arguments.filter { !$0.isBehindTerminator }
        return self.count < places.count ? places[self.count] : places.last.flatMap { $0.isRepeating ? $0 : nil }
    }

    /// Whether the line's names are those of commands rather than of channels.
    private var isOfCommand: Bool { self.seen.contains("--command") }

    private func complete(_ word: String, behind: String = "", _ meaning: WordMeaning) -> Completion {
        switch meaning {
        case .free: .words([])
        case .words(let words):
            .words(words.map { behind + $0 }.filter { $0.hasPrefix(behind + word) }.map { Offer(word: $0) })
        case .channels where self.isOfCommand, .patterns where self.isOfCommand:
            .names(.commands, behind: behind, prefix: word)
        case .channels, .patterns, .commands, .assignments, .contexts: .names(meaning, behind: behind, prefix: word)
        case .value: word.hasPrefix("@") ? .files(behind: behind + "@", prefix: String(word.dropFirst())) : .words([])
        case .file: .files(behind: behind, prefix: word)
        case .program: .words([])
        }
    }

    private func completeOption(_ word: String) -> Completion {
        if let sign = word.firstIndex(of: "="), word.hasPrefix("--") {
            guard let value = self.option(String(word[..<sign]))?.value else { return .words([]) }
            return self.complete(String(word[word.index(after: sign)...]), behind: String(word[...sign]), value)
        }
        let short = String(word.prefix(2))
        if word.count > 2, !word.hasPrefix("--"), let value = self.option(short)?.value {
            return self.complete(String(word.dropFirst(2)), behind: short, value)
        }
        let open = self.options.filter { $0.isRepeating || self.seen.isDisjoint(with: $0.names) }
        return .words(
            open.flatMap { option in
                option.names.filter { $0.hasPrefix(word) }.map { Offer(word: $0, abstract: option.abstract) }
            }
        )
    }

    private var options: [CommandCatalog.Option] { self.subcommand?.options ?? self.catalog.commonOptions }

    private func option(_ name: String) -> CommandCatalog.Option? {
        (self.subcommand?.options ?? self.catalog.allOptions).first { $0.names.contains(name) }
    }

    private func subcommands(beginningWith word: String) -> [Offer] {
        self.catalog.subcommands.filter { $0.name.hasPrefix(word) }.map { Offer(word: $0.name, abstract: $0.abstract) }
    }
}
