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

    struct Option {
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

    /// The options that may stand before the subcommand, too.
    var optionsAnywhere: [Option] {
        let options = self.subcommands.first { $0.option("--server") != nil }?.options ?? []
        return options.filter { $0.names.contains { CommonOptions.optionsAnywhere[$0] != nil || $0 == "--version" } }
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
