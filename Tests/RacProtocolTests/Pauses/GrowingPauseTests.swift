import Expectations
import RacProtocol
import Testing

@Suite struct GrowingPauseTests {
    @Test("The pauses double up to the longest one, and begin anew after a success")
    func doubles() {
        var pause = GrowingPause(from: Duration.milliseconds(100), upTo: .seconds(2))
        let pauses = (0..<7).map { _ in pause.grow() }
        expect(pauses == [100, 200, 400, 800, 1_600, 2_000, 2_000].map { .milliseconds($0) })
        pause.reset()
        expect(pause.grow() == .milliseconds(100))
        expect(pause.next == .milliseconds(200))
    }

    @Test("A jump makes the next pause the longest")
    func jumps() {
        var pause = GrowingPause(from: 2, upTo: 64)
        pause.jump()
        expect([pause.grow(), pause.grow()] == [64, 64])
        pause.reset()
        expect(pause.grow() == 2)
    }

    @Test("No pause is longer than the longest one, not the shortest either")
    func bounded() {
        var pause = GrowingPause(from: Duration.seconds(1), upTo: .milliseconds(10))
        expect([pause.grow(), pause.grow()] == [.milliseconds(10), .milliseconds(10)])
    }
}

@Suite struct BackoffTests {
    /// Returns the number of turns that are left out until the next attempt.
    private func skipped(_ backoff: inout Backoff) -> Int {
        var count = 0
        while !backoff.isDue {
            backoff.leftOut()
            count += 1
        }
        return count
    }

    @Test("Vain attempts in a row leave out more and more turns, and a good one leaves out none")
    func inVain() {
        var backoff = Backoff()
        let skipped = (0..<8).map { _ in
            backoff.tried(inVain: true)
            return self.skipped(&backoff)
        }
        expect(skipped == [1, 3, 7, 15, 31, 63, 63, 63])
        backoff.tried(inVain: false)
        #expect(backoff.isDue)
        backoff.tried(inVain: true)
        expect(self.skipped(&backoff) == 1)
    }

    @Test("A harmful attempt leaves out the most turns, and so does a vain one behind it")
    func harmed() {
        var backoff = Backoff()
        backoff.harmed()
        expect(self.skipped(&backoff) == Backoff.most)
        backoff.tried(inVain: true)
        expect(self.skipped(&backoff) == Backoff.most)
    }
}
