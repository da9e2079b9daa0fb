import Expectations
import Rac
import RacTesting
import Testing

/// The examples of the articles that the project began with, as far as operators alone can show them.
@Suite struct ArticleTests {
    private typealias Letters = Signal<Character, Never>
    private static let words = ["ABC", "XYZ", "MN"]

    /// The numbers 0, 1, 2 as signals of letters, gathered.
    private func letters(on scheduler: some Scheduler) -> Signal<[Letters], Never> {
        Signal<Int, Never>(values: 0...2).map { Letters(values: Self.words[$0], on: scheduler) }.collect()
    }

    private func join(_ letters: [Character]) -> String {
        letters.map(String.init).joined(separator: "-")
    }

    @Test("C286 Collect over a signal of signals gives one array of signals, without observing them")
    func collect() {
        let observed = Counter()
        let signals = Signal<Int, Never>(values: 0...2).map { index in
            Letters(values: Self.words[index]).initially { observed.increment() }
        }
        expect(Recorder(signals.collect().map(\.count)).events == events(3, then: .completed))
        expect(observed.count == 0)
    }

    @Test("C287 Collect and zip")
    func collectAndZip() {
        let scheduler = ManualScheduler()
        let a = Recorder(self.letters(on: scheduler).flatMap(.merge) { zip($0) }.map(self.join))
        scheduler.drain()
        expect(a.events == events("A-X-M", "B-Y-N", then: .completed))
    }

    @Test("C288 Collect and combine latest, all on the immediate scheduler")
    func collectAndCombineLatest() {
        let a = Recorder(self.letters(on: .immediate).flatMap(.merge) { combineLatest($0) }.map(self.join))
        expect(a.events == events("C-Z-M", "C-Z-N", then: .completed))
    }

    @Test("C288 Collect and combine latest, one value per turn on a shared scheduler")
    func collectAndCombineLatestInTurns() {
        let scheduler = ManualScheduler()
        let a = Recorder(self.letters(on: scheduler).flatMap(.merge) { combineLatest($0) }.map(self.join))
        scheduler.drain()
        let expected = ["A-X-M", "B-X-M", "B-Y-M", "B-Y-N", "C-Y-N", "C-Z-N"]
        expect(a.values == expected)
        expect(a.events.last == .completed)
    }

    @Test("C291 A batch where a failure becomes a result")
    func batch() {
        let uploads = Signal<String, Never>(values: ["a", "b", "c"]).map {
            key -> Signal<Result<String, TestFailure>, Never> in
            let upload = key == "b" ? Signal<String, TestFailure>.fail(.e) : .just("ok-\(key)")
            return upload.map(Result.success).catch { .just(.failure($0)) }
        }
        let a = Recorder(uploads.collect().flatMap(.merge) { zip($0) })
        expect(a.events == events([.success("ok-a"), .failure(.e), .success("ok-c")], then: .completed))
    }
}
