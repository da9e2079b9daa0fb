/// A right of a principal to a name.
///
/// Semantics: protocol.md, "Access".
package enum Verb: String, CaseIterable, Sendable {
    /// Reading a channel: its value, its bindings, its place in lists and watches.
    case read
    /// Sending values: into a shared channel, or as the following side of a paired one.
    case write
    /// Being the leading side of a channel, and sending its values.
    case lead
    /// Creating, ending, reopening and deleting a channel.
    case manage
    /// Executing a command.
    case exec
    /// Observing a command's state.
    case observe
    /// Hosting a command, and forgetting it.
    case host
    /// Reading the daemon's own channels, and the list of all connections.
    case admin
}
