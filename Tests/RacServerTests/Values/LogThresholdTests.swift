import Expectations
import Logging
import RacServer
import Testing

@Suite struct LogThresholdTests {
    @Test("A threshold changes the level of every handler that has it")
    func shared() {
        let threshold = LogThreshold(.warning)
        let handlers: [any LogHandler] = [
            TextLogHandler(threshold: threshold), JSONLogHandler(label: "x", threshold: threshold),
        ]
        expect(handlers.map(\.logLevel) == [.warning, .warning])
        threshold.level = .debug
        expect(handlers.map(\.logLevel) == [.debug, .debug])
    }

    @Test("A handler whose level is set alone does not change the others")
    func own() {
        let threshold = LogThreshold()
        let first = TextLogHandler(threshold: threshold)
        var second = first
        second.logLevel = .trace
        expect(first.logLevel == .info)
        expect(threshold.level == .info)
        threshold.level = .error
        expect(second.logLevel == .trace)
    }
}
