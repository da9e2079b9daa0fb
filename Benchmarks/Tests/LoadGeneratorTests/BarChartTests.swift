import LoadGenerator
import Testing

@Suite struct BarChartTests {
    @Test("The longest bar has all the room, others their share, and text is escaped")
    func bars() {
        let bars = [
            BarChart.Bar(label: "a<b", value: 4, text: "4.0", isOurs: true),
            BarChart.Bar(label: "c", value: 1, text: "1.0", isOurs: false),
            BarChart.Bar(label: "d", value: 0, text: "0.0", isOurs: false),
        ]
        let panel = BarChart.Panel(title: "Rate", note: "million/s", bars: bars)
        let svg = BarChart(title: "R & D", footer: ["two cores"], panels: [panel]).svg
        #expect(svg.contains(#"class="ours" x="124" y="104" width="260""#))
        #expect(svg.contains(#"class="other" x="124" y="128" width="65""#))
        #expect(svg.contains(#"class="other" x="124" y="152" width="1""#))
        #expect(svg.contains("R &amp; D") && svg.contains("a&lt;b") && svg.contains("two cores"))
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    }

    @Test("Without bars and without panels there is still a chart")
    func nothing() {
        #expect(BarChart(title: "x", footer: [], panels: []).svg.hasSuffix("</svg>\n"))
        let empty = BarChart.Panel(title: "y", note: "", bars: [])
        #expect(BarChart(title: "x", footer: [], panels: [empty]).svg.contains(">y<"))
    }
}
