import RacConnection
import RacProtocol

/// Decides what the keys of `racctl top` do, and which rows are shown.
struct TopView: Equatable {
    enum Order: String, CaseIterable {
        case rate, bound, name
    }

    /// The effect of keys.
    enum Action: Equatable {
        case nothing
        case redraw
        case quit
    }

    private static let help = [
        "q  quit", "s  sort by changes, bound or name", "j k, arrows  scroll by a line",
        "PgUp PgDn g G  scroll further",
        "p, space  pause, go on", "/  filter; Return keeps it, Esc clears",
    ]
    private static let helpColumn = 38

    private(set) var order = Order.rate
    private(set) var isPaused = false
    private(set) var isHelpShown = false
    /// The part that each shown name has.
    var filter: String { String(decoding: self.filterBytes, as: UTF8.self) }

    private var filterBytes: [UInt8] = []
    private var isFiltering = false
    /// The number of the first shown row.
    private var offset = 0
    /// The number of shown rows, as of the last table.
    private var page = 1

    // MARK: Keys

    private enum Key {
        case byte(UInt8)
        case up, down, pageUp, pageDown, home, end, escape, unknown
    }

    /// Takes the bytes of one read: a key's sequence is never cut.
    mutating func typed(_ bytes: [UInt8]) -> Action {
        var rest = bytes[...]
        var action = Action.nothing
        while let key = Self.key(from: &rest) {
            let old = self
            if self.pressed(key) { return .quit }
            if self != old { action = .redraw }
        }
        return action
    }

    private static func key(from bytes: inout ArraySlice<UInt8>) -> Key? {
        guard let first = bytes.popFirst() else { return nil }
        guard first == 0x1B else { return .byte(first) }
        guard let kind = bytes.first, kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { return .escape }
        bytes.removeFirst()
        let numbers = bytes.prefix { $0 < 0x40 }
        bytes.removeFirst(numbers.count)
        switch (bytes.popFirst(), String(decoding: numbers, as: UTF8.self)) {
        case (UInt8(ascii: "A"), ""): return .up
        case (UInt8(ascii: "B"), ""): return .down
        case (UInt8(ascii: "~"), "5"): return .pageUp
        case (UInt8(ascii: "~"), "6"): return .pageDown
        case (UInt8(ascii: "H"), ""), (UInt8(ascii: "~"), "1"): return .home
        case (UInt8(ascii: "F"), ""), (UInt8(ascii: "~"), "4"): return .end
        default: return .unknown
        }
    }

    /// Whether the key ends the table.
    private mutating func pressed(_ key: Key) -> Bool {
        switch key {
        case .byte(3), .byte(4): return true
        case .byte(let byte) where self.isFiltering: self.edit(byte)
        case .byte(let byte): return self.pressed(Character(Unicode.Scalar(byte)))
        case .escape:
            self.filterBytes = []
            self.isFiltering = false
            self.isHelpShown = false
        case .up: self.scroll(by: -1)
        case .down: self.scroll(by: 1)
        case .pageUp: self.scroll(by: -self.page)
        case .pageDown: self.scroll(by: self.page)
        case .home: self.offset = 0
        case .end: self.offset = .max
        case .unknown: break
        }
        return false
    }

    private mutating func pressed(_ character: Character) -> Bool {
        switch character {
        case "q", "Q": return true
        case "j": self.scroll(by: 1)
        case "k": self.scroll(by: -1)
        case "g": self.offset = 0
        case "G": self.offset = .max
        case "s":
            let orders = Order.allCases
            self.order = orders[((orders.firstIndex(of: self.order) ?? 0) + 1) % orders.count]
        case "p", " ": self.isPaused.toggle()
        case "/": self.isFiltering = true
        case "?": self.isHelpShown.toggle()
        default: break
        }
        return false
    }

    private mutating func edit(_ byte: UInt8) {
        switch byte {
        case 8, 0x7F:
            // The character's later bytes go with its first one.
            while let last = self.filterBytes.popLast(), last & 0xC0 == 0x80 {}
        case 10, 13: self.isFiltering = false
        case 0x20... where self.filterBytes.count < 255:
            self.filterBytes.append(byte)
            self.offset = 0
        default: break
        }
    }

    private mutating func scroll(by rows: Int) {
        self.offset = max(0, min(self.offset, Int.max / 2) + rows)
    }

    // MARK: Rows

    /// The rows that pass the filter, in the order of this view.
    func arranged(_ rows: [TopRow]) -> [TopRow] {
        let named = self.filter.isEmpty ? rows : rows.filter { $0.entry.channel.text.contains(self.filter) }
        switch self.order {
        case .rate: return named
        case .bound:
            return named.sorted {
                ($1.entry.bound, $0.entry.channel) < ($0.entry.bound, $1.entry.channel)
            }
        case .name: return named.sorted { $0.entry.channel < $1.entry.channel }
        }
    }

    /// The shown part of this number of rows, in a place for some of them.
    mutating func window(of count: Int, on page: Int) -> Range<Int> {
        self.page = max(1, page)
        self.offset = min(self.offset, max(0, count - self.page))
        return self.offset..<min(count, self.offset + max(0, page))
    }

    /// The lines at the foot of the screen: the keys.
    func footer(width: Int) -> [String] {
        if self.isFiltering { return ["filter: \(self.filter)_   (Return keeps it, Esc clears it)".fitted(to: width)] }
        return (self.isHelpShown ? Self.helpLines(width: width) : []) + [self.statusLine.fitted(to: width)]
    }

    /// The meaning of the keys, in two columns where there is room.
    private static func helpLines(width: Int) -> [String] {
        guard width >= 2 * Self.helpColumn else { return Self.help.map { $0.fitted(to: width) } }
        return stride(from: 0, to: Self.help.count, by: 2).map { place in
            Self.help[place].aligned(left: Self.helpColumn) + Self.help[place + 1]
        }
    }

    private var statusLine: String {
        var line = "q quit  s sort (\(self.order.rawValue))  j/k scroll  p \(self.isPaused ? "go on" : "pause")"
        line += "  / filter\(self.filter.isEmpty ? "" : " (\(self.filter.onOneLine))")  ? help"
        return self.isPaused ? "PAUSED  " + line : line
    }
}
