import Rac
import RacProtocol

/// The living objects of a client that several parts of a program share, by channel, type and interval.
///
/// Guards: a lock guards the table, for a few lines at a time. Isolation: any thread.
final class SharedObjects: Sendable {
    struct Key: Hashable, Sendable {
        let channel: ChannelName
        let type: ObjectIdentifier
        let interval: UInt64?
    }

    private struct Entry: Sendable {
        weak var object: (any AnyObject & Sendable)?
    }

    private let entries = Guarded<[Key: Entry]>([:])

    /// The living object of that key.
    func find<Object: AnyObject & Sendable>(_ key: Key) -> Object? {
        self.entries.withLock { $0[key]?.object } as? Object
    }

    /// Enters an object, unless another thread entered a usable one; returns the object of the table.
    func enter<Object: AnyObject & Sendable>(_ object: Object, as key: Key, unless isUsable: (Object) -> Bool) -> Object
    {
        let found: Object? = self.entries.withLock { entries in
            let found = entries[key]?.object as? Object
            if !(found.map(isUsable) ?? false) { entries[key] = Entry(object: object) }
            return found
        }
        guard let found, isUsable(found) else { return object }
        return found
    }

    /// An object of that key is gone.
    func forget(_ key: Key) {
        // Another object that is found is released outside the lock, because its end would come here again.
        let other = self.entries.withLock { entries in
            let other = entries[key]?.object
            if other == nil { entries[key] = nil }
            return other
        }
        withExtendedLifetime(other) {}
    }
}
