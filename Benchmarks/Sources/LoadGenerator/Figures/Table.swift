/// A table for a terminal: a title, lines that explain, and columns as wide as they need to be.
package struct Table: CustomStringConvertible {
    private let title: String
    private let explanation: [String]
    private let columns: [String]
    private var rows: [(label: String, cells: [String])] = []

    /// A table without rows.
    ///
    /// - Parameters:
    ///   - title: The line above it.
    ///   - explanation: Lines between the title and the table, at most 80 columns each.
    ///   - columns: The heads of all columns but the first, which holds the labels.
    package init(_ title: String, explanation: [String], columns: [String]) {
        self.title = title
        self.explanation = explanation
        self.columns = columns
    }

    /// Adds a row; cells that are not given stay empty.
    package mutating func add(_ label: String, _ cells: [String]) {
        self.rows.append((label, cells))
    }

    package var description: String {
        let labelWidth = self.rows.map(\.label.count).max() ?? 0
        let widths = self.columns.indices.map { column in
            self.rows.map { column < $0.cells.count ? $0.cells[column].count : 0 }
                .reduce(self.columns[column].count, max)
        }
        let lines = [("", self.columns)] + self.rows.map { ($0.label, $0.cells) }
        let text = lines.map { label, cells in
            let padded = zip(cells, widths).map { cell, width in "  " + Self.spaces(width - cell.count) + cell }
            return "  " + label + Self.spaces(labelWidth - label.count) + padded.joined()
        }
        return ([self.title] + self.explanation + [""] + text).joined(separator: "\n") + "\n"
    }

    private static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: count)
    }
}
