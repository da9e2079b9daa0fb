/// Bars in panels, as SVG: each panel has a scale of its own, and colours that are read on white and on black.
package struct BarChart {
    package struct Bar {
        package var label: String
        package var value: Double
        package var text: String
        /// Whether it is the one to look at.
        package var isOurs: Bool

        package init(label: String, value: Double, text: String, isOurs: Bool) {
            self.label = label
            self.value = value
            self.text = text
            self.isOurs = isOurs
        }
    }

    package struct Panel {
        package var title: String
        /// The unit, and which end is the good one.
        package var note: String
        package var bars: [Bar]

        package init(title: String, note: String, bars: [Bar]) {
            self.title = title
            self.note = note
            self.bars = bars
        }
    }

    private enum Size {
        static let panel = 440
        static let labels = 100
        /// Room for the number behind the longest bar.
        static let numbers = 80
        static let row = 24
        static let bar = 16
        static let margin = 24
        static let title = 56
        static let panelTitle = 48
        static let line = 18
    }

    private static let columns = 2

    private let title: String
    private let footer: [String]
    private let panels: [Panel]

    /// A chart of panels, with a title above and lines below, such as what it was measured on.
    package init(title: String, footer: [String], panels: [Panel]) {
        self.title = title
        self.footer = footer
        self.panels = panels
    }

    package var svg: String {
        let width = Self.columns * (Size.panel + Size.margin) + Size.margin
        var body = Self.text(self.title, x: Size.margin, y: 34, style: "title")
        var top = Size.title
        for row in stride(from: 0, to: self.panels.count, by: Self.columns) {
            let panels = self.panels[row..<min(row + Self.columns, self.panels.count)]
            for (column, panel) in panels.enumerated() {
                body += Self.draw(panel, x: Size.margin + column * (Size.panel + Size.margin), y: top)
            }
            let bars = panels.map(\.bars.count).max() ?? 0
            top += Size.panelTitle + bars * Size.row + Size.margin
        }
        for line in self.footer {
            body += Self.text(line, x: Size.margin, y: top, style: "note")
            top += Size.line
        }
        return Self.head(width: width, height: top + Size.margin / 2, title: self.title) + body + "</svg>\n"
    }

    private static func head(width: Int, height: Int, title: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
        role="img" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">
        <title>\(self.escaped(title))</title>
        <style>
        .title { font-size: 19px; font-weight: 600 } .head { font-size: 14px; font-weight: 600 }
        .note { font-size: 12px } .label { font-size: 13px; text-anchor: end } .number { font-size: 13px }
        text { fill: #7d8590 } .ours { fill: #e8590c } .other { fill: #6e8aa8 }
        </style>

        """
    }

    private static func draw(_ panel: Panel, x: Int, y: Int) -> String {
        var body = self.text(panel.title, x: x, y: y + 14, style: "head")
        body += self.text(panel.note, x: x, y: y + 32, style: "note")
        let longest = max(panel.bars.map(\.value).max() ?? 0, .leastNonzeroMagnitude)
        let room = Double(Size.panel - Size.labels - Size.numbers)
        for (index, bar) in panel.bars.enumerated() {
            let top = y + Size.panelTitle + index * Size.row
            // A bar that is too short to be seen is still drawn.
            let width = max(1, Int((room * bar.value / longest).rounded()))
            let style = bar.isOurs ? "ours" : "other"
            body += self.text(bar.label, x: x + Size.labels - 8, y: top + 13, style: "label")
            body += "<rect class=\"\(style)\" x=\"\(x + Size.labels)\" y=\"\(top)\" width=\"\(width)\" "
            body += "height=\"\(Size.bar)\" rx=\"2\"/>\n"
            body += self.text(bar.text, x: x + Size.labels + width + 6, y: top + 13, style: "number")
        }
        return body
    }

    private static func text(_ text: String, x: Int, y: Int, style: String) -> String {
        "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\">\(self.escaped(text))</text>\n"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
        return result
    }
}
