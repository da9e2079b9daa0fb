/// Rows of cells for people; the first rows decide the widths of the columns.
struct Table {
    struct Column {
        let heading: String
        /// Whether the cells hold numbers, which stand at the right.
        var isNumber = false
        /// The greatest width; longer cells are shown whole and shift what follows.
        var limit = Int.max
    }

    private let columns: [Column]
    /// Nil where lines are not cut, and no headings are wanted.
    private let width: Int?
    private var widths: [Int]?

    /// - Parameters:
    ///   - columns: The columns.
    ///   - width: The width of the terminal; nil if the output is none.
    init(_ columns: [Column], width: Int? = TerminalSize.ofOutput?.columns) {
        self.columns = columns
        self.width = width
    }

    /// The next lines of the table; the last cell of a row has any width.
    mutating func lines(of rows: [[String]]) -> [String] {
        var rows = self.width == nil ? rows : rows.map { $0.map(\.visible) }
        if self.widths == nil {
            if self.width != nil { rows.insert(self.columns.map(\.heading), at: 0) }
            self.widths = self.columns.indices.map { index in
                min(rows.map { $0[index].cells }.max() ?? 0, self.columns[index].limit)
            }
        }
        return rows.map(self.line)
    }

    private func line(_ cells: [String]) -> String {
        let aligned = zip(zip(self.columns, self.widths ?? []), cells.dropLast()).map { column, cell in
            column.0.isNumber ? cell.aligned(right: column.1) : cell.aligned(left: column.1)
        }
        let line = (aligned + cells.suffix(1)).joined(separator: "  ")
        let cut = self.width.map { line.fitted(to: $0) } ?? line
        return String(cut[...(cut.lastIndex { $0 != " " } ?? cut.startIndex)])
    }
}
