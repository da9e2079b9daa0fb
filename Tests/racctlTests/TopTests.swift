import Expectations
import RacConnection
import RacProtocol
import Testing

@testable import racctl

@Suite struct TopTests {
    private static let start = ContinuousClock.now

    private func sample(
        _ seconds: Int,
        _ channels: [(name: String, changes: UInt64, bound: UInt64)]
    ) throws -> TopSample {
        TopSample(
            time: Self.start + .seconds(seconds),
            channels: try channels.map {
                Listed.Entry(
                    channel: try ChannelName($0.name),
                    revision: .never,
                    state: .open,
                    mode: .shared,
                    bound: $0.bound,
                    changes: $0.changes,
                    slow: 0
                )
            }
        )
    }

    @Test("Channels that change most come first, then those with most binders, then by name")
    func order() throws {
        let earlier = try self.sample(0, [("a", 5, 0), ("b", 5, 0), ("c", 5, 2), ("d", 5, 0), ("gone", 5, 9)])
        let sample = try self.sample(2, [("a", 5, 0), ("b", 5, 0), ("c", 5, 2), ("d", 25, 0), ("new", 3, 0)])
        let rows = sample.rows(after: earlier)
        expect(rows.map(\.entry.channel.text) == ["d", "new", "c", "a", "b"])
        expect(rows.map(\.rate) == [10, 1.5, 0, 0, 0])
    }

    @Test("A channel that was deleted and made anew counts from the beginning")
    func madeAnew() throws {
        let rows = try self.sample(1, [("a", 3, 0)]).rows(after: self.sample(0, [("a", 100, 0)]))
        expect(rows.map(\.rate) == [3])
    }

    @Test("Without an earlier look no rate is known")
    func firstLook() throws {
        expect(try self.sample(0, [("a", 3, 0)]).rows(after: nil).map(\.rate) == [nil])
    }

    @Test(
        "Text takes no more cells of a terminal than it may",
        arguments: [
            ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("", 3, ""), ("温度", 4, "温度"), ("温度計", 5, "温度…"),
            ("温度計", 4, "温…"), ("e\u{301}e\u{301}e", 3, "e\u{301}e\u{301}e"), ("abc", 0, ""), ("abc", 1, "…"),
        ]
    )
    func fitted(text: String, width: Int, fitted: String) {
        expect(text.fitted(to: width) == fitted)
        #expect(fitted.cells <= max(width, 0))
    }

    @Test(
        "A rate has as many digits as matter",
        arguments: [
            (0, "0"), (0.04, "0.0"), (1.26, "1.3"), (99.94, "99.9"), (100, "100"), (12_345.6, "12346"), (1e22, "1e+22"),
        ]
    )
    func rate(rate: Double, text: String) {
        expect(rate.asRate == text)
    }
}
