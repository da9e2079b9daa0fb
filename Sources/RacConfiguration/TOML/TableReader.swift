import RacProtocol

/// Takes the keys of one table, and notes each fault: a wrong type, a value out of range, a key that nobody took.
struct TableReader {
    private let items: [String: TOMLItem]
    private let path: [String]
    private let faults: FaultList
    /// The keys that belong above the first table of the file.
    private let outside: Set<String>
    private var known: Set<String> = []

    init(
        _ items: [String: TOMLItem],
        at path: [String] = [],
        _ faults: FaultList,
        outside: Set<String> = []
    ) {
        self.items = items
        self.path = path
        self.faults = faults
        self.outside = outside
    }

    /// The keys that the table has, whether they were taken or not.
    func has(_ key: String) -> Bool { self.items[key] != nil }

    /// Notes a fault of a key, or of the whole table.
    func fault(_ message: String, of key: String? = nil) {
        self.faults.note(message, of: self.path + (key.map { [$0] } ?? []))
    }

    private mutating func item(_ key: String) -> TOMLItem? {
        self.known.insert(key)
        return self.items[key]
    }

    private func wrong(_ key: String, _ item: TOMLItem, wanted: String) {
        self.fault("the value is \(item.type), and the key takes \(wanted)", of: key)
    }

    mutating func string(_ key: String, wanted: String = "a string") -> String? {
        guard let item = self.item(key) else { return nil }
        guard case .string(let text) = item else {
            self.wrong(key, item, wanted: wanted)
            return nil
        }
        do {
            return try Self.filled(text)
        } catch {
            self.fault("\(error)", of: key)
            return nil
        }
    }

    /// A string that is not empty.
    static func filled(_ text: String) throws(ConfigurationFault) -> String {
        guard !text.isEmpty else { throw ConfigurationFault("the value is empty") }
        return text
    }

    /// A string that stands for something else.
    mutating func string<Value>(
        _ key: String,
        wanted: String = "a string",
        as transform: (String) throws -> Value
    ) -> Value? {
        self.string(key, wanted: wanted).flatMap { self.transformed($0, of: key, transform) }
    }

    /// One of the words of a type.
    mutating func word<Word: RawRepresentable & CaseIterable>(_ key: String, of type: Word.Type = Word.self) -> Word?
    where Word.RawValue == String {
        guard let text = self.string(key) else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        self.fault("the value is \"\(text)\", and the key takes one of \(words)", of: key)
        return nil
    }

    mutating func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
        guard let item = self.item(key) else { return nil }
        guard case .integer(let number) = item else {
            self.wrong(key, item, wanted: "an integer from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        guard range.contains(number) else {
            self.fault("the value is \(number), and the key takes \(range.lowerBound) to \(range.upperBound)", of: key)
            return nil
        }
        return number
    }

    mutating func boolean(_ key: String) -> Bool? {
        guard let item = self.item(key) else { return nil }
        guard case .boolean(let value) = item else {
            self.wrong(key, item, wanted: "true or false")
            return nil
        }
        return value
    }

    /// A moment, in milliseconds since 1970 UTC.
    mutating func time(_ key: String) -> Int64? {
        guard let item = self.item(key) else { return nil }
        guard case .time(let time) = item else {
            self.wrong(key, item, wanted: "a time with its offset, such as 2027-01-31T12:00:00Z, without quotes")
            return nil
        }
        guard Moment.range.contains(time) else {
            self.fault("the time is not in the years from 1970 to 9999", of: key)
            return nil
        }
        return time
    }

    /// The values of an array of strings that stand for something else; nil if the key is not there.
    mutating func strings<Value>(_ key: String, as transform: (String) throws -> Value) -> [Value]? {
        guard let item = self.item(key) else { return nil }
        guard case .array(let items) = item else {
            self.wrong(key, item, wanted: "an array of strings, such as [\"a\", \"b\"]")
            return nil
        }
        return items.compactMap { self.element($0, of: key, transform) }
    }

    mutating func strings(_ key: String) -> [String]? {
        self.strings(key) { $0 }
    }

    /// A string, or several in an array that is not empty.
    mutating func some<Value>(_ key: String, as transform: (String) throws -> Value) -> [Value] {
        self.someItems(key).compactMap { self.element($0, of: key, transform) }
    }

    /// A string or an integer, or several in an array that is not empty; an integer is taken as its digits.
    mutating func someWithNumbers<Value>(_ key: String, as transform: (String) throws -> Value) -> [Value] {
        self.someItems(key).compactMap { item in
            guard case .integer(let number) = item else { return self.element(item, of: key, transform) }
            return self.transformed("\(number)", of: key, transform)
        }
    }

    private mutating func someItems(_ key: String) -> [TOMLItem] {
        let items = self.items(key)
        if self.has(key), items.isEmpty { self.fault("the array is empty", of: key) }
        return items
    }

    /// The elements of an array, or the value that stands alone.
    private mutating func items(_ key: String) -> [TOMLItem] {
        switch self.item(key) {
        case nil: []
        case .array(let items): items
        case let item?: [item]
        }
    }

    private func element<Value>(_ item: TOMLItem, of key: String, _ transform: (String) throws -> Value) -> Value? {
        guard case .string(let text) = item else {
            self.wrong(key, item, wanted: "strings")
            return nil
        }
        return self.transformed(text, of: key, transform)
    }

    private func transformed<Value>(_ text: String, of key: String, _ transform: (String) throws -> Value) -> Value? {
        do {
            return try transform(text)
        } catch {
            self.fault("\(error)", of: key)
            return nil
        }
    }

    /// The reader of a table, which is written as `[key]`.
    mutating func table(_ key: String) -> TableReader? {
        guard let item = self.item(key) else { return nil }
        guard case .table(let table) = item else {
            self.wrong(key, item, wanted: "a table, under a line [\(key)]")
            return nil
        }
        return TableReader(table, at: self.path + [key], self.faults, outside: self.outside)
    }

    /// Readers of an array of tables, which is written as `[[key]]`.
    mutating func tables(_ key: String) -> [TableReader]? {
        guard let item = self.item(key) else { return nil }
        guard case .array(let items) = item else {
            self.wrong(key, item, wanted: "tables, each under a line [[\(key)]]")
            return nil
        }
        return items.enumerated().compactMap { number, item in
            guard case .table(let table) = item else {
                self.wrong(key, item, wanted: "tables, each under a line [[\(key)]]")
                return nil
            }
            return TableReader(table, at: self.path + [key, "\(number)"], self.faults, outside: self.outside)
        }
    }

    /// Notes that a key which has to be there is missing.
    func require(_ key: String) {
        if !self.has(key) { self.fault("the key '\(key)' is missing") }
    }

    /// Notes each key that was not taken; to be called when all were.
    ///
    /// - Parameter tables: The headers under which other keys belong, by the keys.
    func end(besides tables: [String: [String]] = [:]) {
        for key in self.items.keys.sorted() where !self.known.contains(key) {
            if let places = tables[key] {
                self.fault("the key belongs under \(places.joined(separator: " or "))", of: key)
                continue
            }
            if !self.path.isEmpty, self.outside.contains(key) {
                self.fault("the key belongs above the first table: below a table's line it is the table's", of: key)
                continue
            }
            let meant = Spelling.nearest(to: String(key.prefix(64)), among: self.known.sorted())
            let help = meant.map { "; '\($0)' may be meant" } ?? ""
            self.fault("there is no such key\(help)", of: key)
        }
    }
}
