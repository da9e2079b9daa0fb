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
    /// The name of a context.
    case contexts
    /// A value, or @ and the name of a file.
    case value
    case file
    /// A program, with its own arguments behind it.
    case program

    private static let marks: [String: Self] = [
        "channels": .channels, "patterns": .patterns, "commands": .commands, "assignments": .assignments,
        "contexts": .contexts, "value": .value,
    ]

    /// The meaning that a declaration marked; nil for a mark that is none.
    init?(mark: String) {
        guard let meaning = Self.marks[mark] else { return nil }
        self = meaning
    }
}
