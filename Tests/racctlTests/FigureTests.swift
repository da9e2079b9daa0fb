import Expectations
import Testing

@testable import racctl

@Suite struct FigureTests {
    @Test(
        "A time is shown in its two largest units",
        arguments: [
            (0, "0 s"), (59, "59 s"), (60, "1 min 0 s"), (3599, "59 min 59 s"), (3600, "1 h 0 min"),
            (86_399, "23 h 59 min"), (86_400, "1 day 0 h"), (200_000, "2 days 7 h"),
        ]
    )
    func words(seconds: Int, words: String) {
        expect(Duration.seconds(seconds).inWords == words)
    }

    @Test("Elements are made several at a time and stand in their order", arguments: [1, 3, 100])
    func atOnce(width: Int) async throws {
        let made = try await Array(0..<20).map(atOnce: width) { number in
            if number.isMultiple(of: 2) { await Task.yield() }
            return number * 2
        }
        expect(made == (0..<20).map { $0 * 2 })
    }
}
