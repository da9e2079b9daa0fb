extension String {
    /// The number of terminal cells that the text takes.
    var cells: Int {
        self.unicodeScalars.reduce(0) { $0 + $1.cells }
    }

    /// The text, cut with an ellipsis if it takes more cells.
    func fitted(to width: Int) -> String {
        // A long value is not measured to its end.
        var taken = 0
        var end = self.unicodeScalars.startIndex
        var endOfCut = end
        for index in self.unicodeScalars.indices {
            taken += self.unicodeScalars[index].cells
            if taken < width { endOfCut = self.unicodeScalars.index(after: index) }
            if taken > width { return width > 0 ? self[..<endOfCut] + "…" : "" }
            end = self.unicodeScalars.index(after: index)
        }
        return String(self[..<end])
    }

    /// The text with spaces behind it, this number of cells wide.
    func aligned(left width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - self.cells))
    }

    /// The text with spaces before it, this number of cells wide.
    func aligned(right width: Int) -> String {
        String(repeating: " ", count: max(0, width - self.cells)) + self
    }
}

extension Unicode.Scalar {
    /// No cell for a mark on its neighbour, two for the wide letters of East Asia and for pictures.
    fileprivate var cells: Int {
        switch self.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: 0
        default: Self.wide.contains { $0.contains(self.value) } ? 2 : 1
        }
    }

    /// After Unicode Standard Annex 11, without its finer points.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
