import ArgumentParser

/// The marks of arguments whose words a shell completes.
///
/// The parser knows no kinds of its own, so the mark takes the place of a shell command. racctl's own scripts never run
/// it.
enum NameCompletion {
    static let channels = CompletionKind.shellCommand("channels")
    static let patterns = CompletionKind.shellCommand("patterns")
    static let commands = CompletionKind.shellCommand("commands")
    static let assignments = CompletionKind.shellCommand("assignments")
    static let contexts = CompletionKind.shellCommand("contexts")
    static let value = CompletionKind.shellCommand("value")
}
