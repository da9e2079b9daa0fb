import Expectations
import Testing

@testable import racctl

@Suite struct ScreenEventsTests {
    @Test("The wish to quit is not lost behind tables that are due, and comes before them")
    func quit() async {
        let events = ScreenEvents()
        events.report(.due)
        events.report(.quit)
        for _ in 0..<1_000 {
            events.report(.due)
            events.report(.resized)
        }
        expect(await events.next() == .quit)
        expect(await events.next() == .resized)
        expect(await events.next() == .due)
        events.report(.due)
        expect(await events.next() == .due)
    }

    @Test("A waiting task gets what comes, and waits no more when it is cancelled")
    func waits() async {
        let events = ScreenEvents()
        let waiting = Task { [await events.next(), await events.next()] }
        events.report(.resized)
        waiting.cancel()
        expect(await waiting.value == [.resized, nil])
    }
}
