/// A table of a TOML text while it is read.
///
/// Isolation: a class that is not Sendable; the reader of one text owns it.
final class TOMLTree {
    /// The way in which a table came to be, which says what may add to it.
    enum Definition {
        /// A part of a longer header: `a` in `[a.b]`.
        case implied
        /// A header of its own.
        case header
        /// A part of a dotted key: `a` in `a.b = 1`.
        case dotted
    }

    enum Entry {
        case item(TOMLItem)
        case table(TOMLTree)
        case tables([TOMLTree])
    }

    var entries: [String: Entry] = [:]
    private(set) var definition: Definition

    init(_ definition: Definition) {
        self.definition = definition
    }

    /// The finished values.
    var items: [String: TOMLItem] {
        self.entries.mapValues { entry in
            switch entry {
            case .item(let item): item
            case .table(let table): .table(table.items)
            case .tables(let tables): .array(tables.map { .table($0.items) })
            }
        }
    }

    /// The table of a header's part that is not its last, and its path; nil if the key has a value.
    func parent(_ key: String, at path: inout [String]) -> TOMLTree? {
        path.append(key)
        switch self.entries[key] {
        case nil:
            let table = TOMLTree(.implied)
            self.entries[key] = .table(table)
            return table
        case .table(let table): return table
        case .tables(let tables):
            path.append("\(tables.count - 1)")
            return tables.last
        case .item: return nil
        }
    }

    /// The table of a header; nil if the key is defined already.
    func header(_ key: String) -> TOMLTree? {
        switch self.entries[key] {
        case nil:
            let table = TOMLTree(.header)
            self.entries[key] = .table(table)
            return table
        case .table(let table) where table.definition == .implied:
            table.definition = .header
            return table
        default: return nil
        }
    }

    /// A new element of an array of tables, and its number; nil if the key is defined as something else.
    func element(_ key: String) -> (TOMLTree, number: Int)? {
        let table = TOMLTree(.header)
        switch self.entries[key] {
        case nil:
            self.entries[key] = .tables([table])
            return (table, 0)
        case .tables(let tables):
            self.entries[key] = .tables(tables + [table])
            return (table, tables.count)
        default: return nil
        }
    }

    /// The table of a dotted key's part that is not its last; nil if the key is defined as something else.
    func dotted(_ key: String) -> TOMLTree? {
        switch self.entries[key] {
        case nil:
            let table = TOMLTree(.dotted)
            self.entries[key] = .table(table)
            return table
        case .table(let table) where table.definition != .header: return table
        default: return nil
        }
    }
}
