package import Rac

/// The writes of a program, from any thread, that the event loop has not taken yet.
///
/// The newest write of a property is enough. A write with a cause replaces only writes with a smaller cause. Awaited writes
/// and ends stay, beyond the bound too.
///
/// Semantics: protocol.md, "Over connections".
package struct WriteQueue<Value: Sendable>: Sendable {
    package enum Entry: Sendable {
        case change(Change<Value>)
        case end(Ending<ClientError>)
    }

    package enum OnAppend: Equatable, Sendable {
        /// The queue was empty: wake the event loop.
        case wake
        case waits
        case full
    }

    private let isProperty: Bool
    private let maximumCount: Int
    private var entries: [Entry] = []
    private var isAwake = false

    package init(isProperty: Bool, maximumCount: Int) {
        self.isProperty = isProperty
        self.maximumCount = maximumCount
    }

    package mutating func append(_ change: Change<Value>) -> OnAppend {
        if self.isProperty {
            while case .change(let last)? = self.entries.last, last.isOverwritten(by: change) {
                self.entries.removeLast()
            }
            if self.entries.count >= self.maximumCount, !change.isRenewal, case .change(let last)? = self.entries.last,
                !last.isAwaited
            {
                self.entries.removeLast()
            }
        } else if self.entries.count >= self.maximumCount, !change.isAwaited {
            return .full
        }
        return self.append(.change(change))
    }

    package mutating func append(_ ending: Ending<ClientError>) -> OnAppend {
        self.append(.end(ending))
    }

    private mutating func append(_ entry: Entry) -> OnAppend {
        self.entries.append(entry)
        defer { self.isAwake = true }
        return self.isAwake ? .waits : .wake
    }

    /// Takes all entries, in their order.
    package mutating func take() -> [Entry] {
        self.isAwake = false
        defer { self.entries = [] }
        return self.entries
    }
}

extension Change {
    fileprivate var isAwaited: Bool { ChangeTag(rawValue: self.tag).isAwaited }

    /// Whether nobody would miss it if `next` was written instead; a renewal only carries the newest rank.
    fileprivate func isOverwritten(by next: Change) -> Bool {
        if self.isRenewal { return true }
        let (tag, nextTag) = (ChangeTag(rawValue: self.tag), ChangeTag(rawValue: next.tag))
        guard !next.isRenewal, !self.isAwaited else { return false }
        guard let nextRoot = nextTag.root else { return true }
        return tag.root.map { $0 <= nextRoot } ?? false
    }
}
