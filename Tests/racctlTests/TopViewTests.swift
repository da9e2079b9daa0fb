import Expectations
import RacConnection
import RacProtocol
import Testing

@testable import racctl

@Suite struct TopViewTests {
    private func rows(_ names: [(String, UInt64)]) throws -> [TopRow] {
        try names.map { name, bound in
            TopRow(
                entry: Listed.Entry(
                    channel: try ChannelName(name),
                    revision: .never,
                    state: .open,
                    mode: .shared,
                    bound: bound,
                    changes: 0,
                    slow: 0
                ),
                rate: 0
            )
        }
    }

    private func names(_ rows: [TopRow]) -> [String] { rows.map(\.entry.channel.text) }

    @Test("q, Q, Ctrl-C and Ctrl-D quit, within a filter only the last two", arguments: ["q", "Q", "\u{3}", "\u{4}"])
    func quit(key: String) {
        var view = TopView()
        expect(view.typed(Array(key.utf8)) == .quit)
        _ = view.typed(Array("/".utf8))
        expect(view.typed(Array(key.utf8)) == (key.lowercased() == "q" ? .redraw : .quit))
    }

    @Test("s cycles through the orders, and the shown rows follow")
    func order() throws {
        let rows = try self.rows([("c", 0), ("a", 1), ("b", 1)])
        var view = TopView()
        expect(self.names(view.arranged(rows)) == ["c", "a", "b"])
        expect(view.typed(Array("s".utf8)) == .redraw)
        expect(self.names(view.arranged(rows)) == ["a", "b", "c"])
        _ = view.typed(Array("s".utf8))
        expect(view.order == .name)
        _ = view.typed(Array("s".utf8))
        expect(view.order == .rate)
    }

    @Test("Keys scroll no further than to the last row")
    func scroll() {
        var view = TopView()
        expect(view.window(of: 10, on: 4) == 0..<4)
        expect(view.typed(Array("j\u{1B}[B\u{1B}OB".utf8)) == .redraw)
        expect(view.window(of: 10, on: 4) == 3..<7)
        _ = view.typed(Array("k\u{1B}[A".utf8))
        expect(view.window(of: 10, on: 4) == 1..<5)
        _ = view.typed(Array("\u{1B}[6~".utf8))
        expect(view.window(of: 10, on: 4) == 5..<9)
        _ = view.typed(Array("G".utf8))
        expect(view.window(of: 10, on: 4) == 6..<10)
        expect(view.window(of: 2, on: 4) == 0..<2)
        _ = view.typed(Array("Gj\u{1B}[5~g".utf8))
        expect(view.window(of: 10, on: 4) == 0..<4)
        expect(view.window(of: 0, on: -1) == 0..<0)
        expect(view.typed(Array("k\u{1B}[99Zx".utf8)) == .nothing)
    }

    @Test("A filter shows the names that have its text; Return keeps it, Esc clears it")
    func filter() throws {
        let rows = try self.rows([("room/lärm", 0), ("kitchen", 0)])
        var view = TopView()
        _ = view.typed(Array("/lärx\u{7F}q\u{7F}".utf8))
        expect(view.filter == "lär")
        expect(self.names(view.arranged(rows)) == ["room/lärm"])
        _ = view.typed([13])
        #expect(view.footer(width: 80)[0].contains("(lär)"))
        _ = view.typed([0x1B])
        #expect(view.filter.isEmpty)
        _ = view.typed(Array("/ä\u{7F}".utf8))
        #expect(view.filter.isEmpty)
    }

    @Test("The foot names the keys, in 80 columns, and shows a pause")
    func footer() {
        var view = TopView()
        #expect(view.footer(width: 80)[0].hasPrefix("q quit  s sort (rate)"))
        _ = view.typed(Array("p".utf8))
        #expect(view.isPaused)
        #expect(view.footer(width: 80)[0].hasPrefix("PAUSED"))
        _ = view.typed(Array(" ?".utf8))
        #expect(!view.isPaused)
        expect(view.footer(width: 80).count == 4)
        expect(view.footer(width: 60).count == 7)
        #expect(view.footer(width: 60).allSatisfy { !$0.contains("…") || $0.hasPrefix("q quit  s sort") })
        #expect(view.footer(width: 20).allSatisfy { $0.cells <= 20 })
        _ = view.typed(Array("ps".utf8))
        expect(view.footer(width: 80).last?.hasPrefix("PAUSED  q quit  s sort (bound)") == true)
    }
}
