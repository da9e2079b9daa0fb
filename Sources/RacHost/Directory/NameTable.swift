import RacProtocol

/// Things by name, in many small hash tables.
///
/// A hash table that grows places all its names anew, in one piece. With a single table for a million names everybody would
/// wait for that.
struct NameTable<Thing> {
    /// A name with its hash, so that a table that grows need not read the name again.
    private struct Key: Hashable {
        let name: ChannelName
        let hash: Int

        init(_ name: ChannelName) {
            self.name = name
            self.hash = name.hashValue
        }

        static func == (left: Key, right: Key) -> Bool { left.hash == right.hash && left.name == right.name }

        func hash(into hasher: inout Hasher) { hasher.combine(self.hash) }

        var table: Int { self.hash & (NameTable.tableCount - 1) }
    }

    private static var tableCount: Int { 64 }

    private var tables = Array(repeating: [Key: Thing](), count: tableCount)

    /// The number of things.
    private(set) var count = 0

    init() {}

    mutating func reserveCapacity(_ capacity: Int) {
        for table in self.tables.indices { self.tables[table].reserveCapacity(capacity / Self.tableCount * 5 / 4) }
    }

    subscript(_ name: ChannelName) -> Thing? {
        let key = Key(name)
        return self.tables[key.table][key]
    }

    /// Puts a thing in the place of the earlier one of this name.
    mutating func put(_ thing: Thing, at name: ChannelName) {
        let key = Key(name)
        if self.tables[key.table].updateValue(thing, forKey: key) == nil { self.count += 1 }
    }

    mutating func remove(_ name: ChannelName) {
        let key = Key(name)
        if self.tables[key.table].removeValue(forKey: key) != nil { self.count -= 1 }
    }
}
