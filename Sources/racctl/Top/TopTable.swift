import RacConnection
import RacProtocol

/// The display of `racctl top`: a head with the daemon's figures, and a table of channels.
struct TopTable {
    /// The number of the line with the columns' headings.
    static let heading = 3

    private static let headings = ("CHANNEL", "CHANGES/s", "BOUND", "SLOW", "VALUE")
    private static let numbersWidth = 9 + 1 + 6 + 1 + 5

    let status: DaemonStatus
    let sample: TopSample
    let rows: [TopRow]
    /// Changes of all channels a second; nil if it is not known yet.
    let rate: Double?

    /// The lines, none wider than a terminal.
    func lines(width: Int) -> [String] {
        let nameWidth = max(12, min(40, (width - Self.numbersWidth - 3) / 2))
        let valueWidth = max(0, width - nameWidth - Self.numbersWidth - 3)
        let headings = Self.headings
        let head = self.columns(
            (headings.0, headings.1, headings.2, headings.3, headings.4),
            nameWidth: nameWidth,
            valueWidth: valueWidth
        )
        return self.headLines(width: width) + ["", head]
            + self.rows.map { self.columns($0.cells, nameWidth: nameWidth, valueWidth: valueWidth) }
    }

    /// The table as one record.
    var record: Record {
        var line = Record()
        for name in ["connections", "channels", "bindings", "changes"] { line.add(name, self.status.figure(name)) }
        if let rate = self.rate { line.add("rate", rate.inTenths) }
        line.add("top", array: self.rows.map(\.record))
        return line
    }

    private func headLines(width: Int) -> [String] {
        let rate = self.rate.map { " (\($0.asRate)/s)" } ?? ""
        let names = ["connections", "channels", "bindings", "changes"]
        var counts = names.map(self.count).joined(separator: ", ") + rate
        if self.sample.isCut { counts += "; the first \(self.sample.channels.count) are looked at" }
        let title = "\(self.status.title), storage \(self.status.text("storage"))"
        return [title, counts].map { $0.visible.fitted(to: width) }
    }

    /// A figure with its name, which loses its plural behind 1.
    private func count(_ name: String) -> String {
        let number = self.status.text(name)
        return "\(number) \(number == "1" ? String(name.dropLast()) : name)"
    }

    private typealias Cells = (name: String, rate: String, bound: String, slow: String, value: String)

    private func columns(_ cells: Cells, nameWidth: Int, valueWidth: Int) -> String {
        let numbers = [cells.rate.aligned(right: 9), cells.bound.aligned(right: 6), cells.slow.aligned(right: 5)]
        let name = cells.name.fitted(to: nameWidth).aligned(left: nameWidth)
        let line = "\(name) \(numbers.joined(separator: " "))  \(cells.value.fitted(to: valueWidth))"
        return line.last == " " ? String(line.trimmingTrailingSpaces) : line
    }
}

extension TopRow {
    fileprivate var record: Record {
        var line = Record()
        line.add("channel", .string(self.entry.channel.text))
        line.add("changes", .integer(Int(clamping: self.entry.changes)))
        if let rate = self.rate { line.add("rate", rate.inTenths) }
        line.add("bound", .integer(Int(clamping: self.entry.bound)))
        line.add("slow", .integer(Int(clamping: self.entry.slow)))
        if let standing = self.standing { line.add(standing.state) }
        line.add("value", self.standing?.value)
        return line
    }

    fileprivate var cells: (name: String, rate: String, bound: String, slow: String, value: String) {
        (
            self.entry.channel.text.visible, self.rate?.asRate ?? "-", "\(self.entry.bound)",
            self.entry.slow == 0 ? "-" : "\(self.entry.slow)", self.preview.visible
        )
    }

    /// The value, or the channel's end.
    private var preview: String {
        switch self.standing?.state {
        case .completed: "completed"
        case .failed(let error): "failed: \(error.code.onOneLine)"
        case .open, nil: self.standing?.value?.text.onOneLine ?? ""
        }
    }
}

extension Double {
    /// A rate with as many digits as matter.
    var asRate: String {
        guard self > 0 else { return "0" }
        guard self >= 100 else { return "\(self.inTenths)" }
        // A daemon may report more changes than an integer can hold.
        return Int(exactly: self.rounded()).map { "\($0)" } ?? "\(self)"
    }

    fileprivate var inTenths: Double { (self * 10).rounded() / 10 }
}

extension String {
    fileprivate var trimmingTrailingSpaces: Substring {
        self[...(self.lastIndex { $0 != " " } ?? self.startIndex)]
    }
}
