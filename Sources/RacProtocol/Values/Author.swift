/// The name of the principal that made a channel's newest change.
///
/// One object stands for all channels that a principal changed, because a record of each would be too long for its name.
///
/// Isolation: immutable, so any thread may read it.
package final class Author: Sendable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }
}

extension Author: Hashable, CustomStringConvertible {
    package static func == (one: Author, other: Author) -> Bool { one === other || one.name == other.name }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(self.name)
    }

    package var description: String { self.name }
}
