import RacConnection
import RacProtocol

/// The subcommands and their options, as the parser describes them.
struct CommandCatalog {
    struct Subcommand {
        let name: String
        let abstract: String
        let options: [Option]
        let arguments: [Argument]

        /// The option of this name.
        func option(_ name: String) -> Option? { self.options.first { $0.names.contains(name) } }
    }

    struct Option: Equatable {
        /// Such as `-o` and `--output`.
        let names: [String]
        let abstract: String
        /// The meaning of its value; nil for a flag.
        let value: WordMeaning?
        let isRepeating: Bool
        /// Whether each later word belongs to it.
        let takesRest: Bool
    }

    struct Argument {
        let meaning: WordMeaning
        let isRepeating: Bool
        /// Whether it stands behind `--`.
        let isBehindTerminator: Bool
    }

    let subcommands: [Subcommand]

    /// Reads the parser's description.
    init?(_ description: String) {
        guard let tree = (try? JSONText(description)).flatMap({ try? JSONTree($0) }) else { return nil }
        self.subcommands = (tree["command"]?["subcommands"]?.elements ?? []).filter(\.isShown).map(Subcommand.init)
    }

    /// The options of every subcommand.
    var commonOptions: [Option] {
        // The subcommands that talk to racd have this one.
        let others = self.subcommands.filter { $0.option("--timeout") != nil }
        guard let first = others.first else { return [] }
        return first.options.filter { option in
            others.allSatisfy { other in option.names.contains { other.option($0) != nil } }
        }
    }

    /// The options of all subcommands, any of which may stand before the subcommand.
    var allOptions: [Option] { self.subcommands.flatMap(\.options) }

    /// The option that a word is: by its name alone, or with its value in the same word.
    static func option(_ word: String, in options: [Option]) -> Option? {
        options.first { option in
            option.names.contains { name in
                if word == name { return true }
                guard option.value != nil else { return Self.isFlags(word, beginningWith: name, in: options) }
                return name.hasPrefix("--") ? word.hasPrefix("\(name)=") : word.hasPrefix(name)
            }
        }
    }

    /// Whether a word is several flags of one letter: `-rq`.
    private static func isFlags(_ word: String, beginningWith name: String, in options: [Option]) -> Bool {
        guard !name.hasPrefix("--"), word.hasPrefix(name) else { return false }
        return word.dropFirst().allSatisfy { letter in
            options.contains { $0.value == nil && $0.names.contains("-\(letter)") }
        }
    }
}

extension CommandCatalog.Subcommand {
    fileprivate init(_ tree: JSONTree) {
        self.name = tree["commandName"]?.text ?? ""
        self.abstract = tree["abstract"]?.text ?? ""
        let all = (tree["arguments"]?.elements ?? []).filter(\.isShown)
        self.options = all.filter { $0["kind"]?.text != "positional" }.map(CommandCatalog.Option.init)
        self.arguments = all.filter { $0["kind"]?.text == "positional" }.map(CommandCatalog.Argument.init)
    }
}

extension CommandCatalog.Option {
    fileprivate init(_ tree: JSONTree) {
        self.names = (tree["names"]?.elements ?? []).map { name in
            (name["kind"]?.text == "long" ? "--" : "-") + (name["name"]?.text ?? "")
        }
        self.abstract = tree["abstract"]?.text ?? ""
        self.takesRest = tree["parsingStrategy"]?.text == "allRemainingInput"
        self.value = tree["kind"]?.text == "flag" ? nil : self.takesRest ? .program : tree.meaning
        self.isRepeating = tree["isRepeating"] == .bool(true)
    }
}

extension CommandCatalog.Argument {
    fileprivate init(_ tree: JSONTree) {
        self.isBehindTerminator = tree["parsingStrategy"]?.text == "postTerminator"
        self.meaning = self.isBehindTerminator ? .program : tree.meaning
        self.isRepeating = tree["isRepeating"] == .bool(true)
    }
}

extension JSONTree {
    fileprivate subscript(_ name: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members[Array(name.utf8)]
    }

    fileprivate var elements: [JSONTree] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    fileprivate var text: String? {
        guard case .string(let bytes) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    fileprivate var isShown: Bool { self["shouldDisplay"] != .bool(false) }

    fileprivate var meaning: WordMeaning {
        guard let kind = self["completionKind"] else { return .free }
        if let values = kind["list"]?["values"] { return .words(values.elements.compactMap(\.text)) }
        if kind["file"] != nil { return .file }
        return kind["shellCommand"]?["command"]?.text.flatMap(WordMeaning.init(mark:)) ?? .free
    }
}
