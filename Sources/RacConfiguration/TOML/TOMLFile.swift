import Glibc
import TOMLKit

/// The text of a TOML file as values of ours, with the lines of its keys.
///
/// TOMLKit reads the text. It keeps no lines and frees no table, so the values are copied and its table is emptied. It ends the
/// process at a header whose name begins with another character than names do, so such a text does not reach it.
struct TOMLFile {
    let items: [String: TOMLItem]
    let lines: KeyLines

    /// Reads a text, and throws the fault at which reading ended.
    init(_ text: String) throws(ConfigurationFault) {
        try Self.refuseZeros(in: text)
        self.lines = KeyLines(of: text)
        if let line = self.lines.faultyHeader {
            throw ConfigurationFault(
                line: line,
                "this is no TOML: a table's name begins with a letter, a digit or a quote"
            )
        }
        do {
            let table = try TOMLTable(string: text)
            defer { table.clear() }
            self.items = Self.items(of: table)
        } catch let error as TOMLParseError {
            throw ConfigurationFault(line: Int(error.source.begin.line), Self.words(error))
        } catch {
            throw ConfigurationFault("the file is no TOML: \(error)")
        }
    }

    /// Refuses the character 0, behind which TOMLKit reads no further.
    private static func refuseZeros(in text: String) throws(ConfigurationFault) {
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.utf8.contains(0), !line.contains("\\u0000"), !line.contains("\\U00000000") else {
                throw ConfigurationFault(line: number + 1, "the line has the character U+0000, which no key takes")
            }
        }
    }

    private static func words(_ error: TOMLParseError) -> String {
        let reason = error.description.replacing("Error while parsing ", with: "")
        return "this is no TOML, column \(error.source.begin.column): \(reason)"
    }

    private static func items(of table: TOMLTable) -> [String: TOMLItem] {
        var items: [String: TOMLItem] = [:]
        for key in table.keys {
            if let value = table[key] { items[key] = Self.item(value) }
        }
        return items
    }

    private static func item(_ value: any TOMLValueConvertible) -> TOMLItem {
        switch value.type {
        case .string: value.string.map(TOMLItem.string) ?? .other("a string")
        case .int: value.int.map(TOMLItem.integer) ?? .other("an integer")
        case .bool: value.bool.map(TOMLItem.boolean) ?? .other("a boolean")
        case .table: value.table.map { .table(Self.items(of: $0)) } ?? .other("a table")
        case .array: value.array.map { .array(Self.elements(of: $0)) } ?? .other("an array")
        case .dateTime: value.dateTime.flatMap(Self.time).map(TOMLItem.time) ?? .other("a time without an offset")
        case .date: value.date.map { .time(Self.milliseconds($0, nil, offset: 0)) } ?? .other("a date")
        case .time: .other("a time without a date")
        case .double: .other("a number with a point")
        }
    }

    private static func elements(of array: TOMLArray) -> [TOMLItem] {
        (0..<array.count).map { Self.item(array[$0]) }
    }

    /// A date with a time is a moment only with its offset from UTC.
    private static func time(_ value: TOMLDateTime) -> Int64? {
        // Each value of TOMLKit has an optional `time`, too, which is nil here.
        let time: TOMLTime = value.time
        return value.offset.map { Self.milliseconds(value.date, time, offset: Int64($0.offset)) }
    }

    /// Milliseconds since 1970 UTC; the offset from UTC is in minutes.
    private static func milliseconds(_ date: TOMLDate, _ time: TOMLTime?, offset: Int64) -> Int64 {
        var parts = tm()
        parts.tm_year = Int32(date.year) - 1900
        parts.tm_mon = Int32(date.month) - 1
        parts.tm_mday = Int32(date.day)
        parts.tm_hour = Int32(time?.hour ?? 0)
        parts.tm_min = Int32(time?.minute ?? 0)
        parts.tm_sec = Int32(time?.second ?? 0)
        return (Int64(timegm(&parts)) - offset * 60) * 1000 + Int64(time?.nanoSecond ?? 0) / 1_000_000
    }
}

extension ConfigurationFault: Error {}
