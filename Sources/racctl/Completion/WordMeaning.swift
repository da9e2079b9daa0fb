import ArgumentParser

/// The meaning of a word of the command line, for a shell that completes it.
enum WordMeaning: Equatable {
    /// Nothing is known about the word.
    case free
    /// One of some words.
    case words([String])
    /// The name of a channel.
    case channels
    /// A pattern of channels.
    case patterns
    /// The name of a command.
    case commands
    /// A channel's name with `=` and more behind it.
    case assignments
    /// A value, or @ and the name of a file.
    case value
    case file
    /// A program, with its own arguments behind it.
    case program

    private static let marks: [String: Self] = [
        "channels": .channels, "patterns": .patterns, "commands": .commands, "assignments": .assignments,
        "value": .value,
    ]

    /// The meaning that a declaration marked; nil for a mark that is none.
    init?(mark: String) {
        guard let meaning = Self.marks[mark] else { return nil }
        self = meaning
    }
}

/// The marks of arguments whose words a shell completes.
///
/// The parser knows no kinds of its own, so the mark takes the place of a shell command. racctl's own scripts never run
/// it.
enum NameCompletion {
    static let channels = CompletionKind.shellCommand("channels")
    static let patterns = CompletionKind.shellCommand("patterns")
    static let commands = CompletionKind.shellCommand("commands")
    static let assignments = CompletionKind.shellCommand("assignments")
    static let value = CompletionKind.shellCommand("value")
}
