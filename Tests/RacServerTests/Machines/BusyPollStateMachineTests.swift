import Expectations
import Testing

@testable import RacServer

@Suite struct BusyPollStateMachineTests {
    private static let longest = BusyPollStateMachine.longestWait
    private static let longestForCommit = BusyPollStateMachine.longestWaitForCommit
    private static let longestPause = BusyPollStateMachine.longestPause
    private let loop = Loop()

    @Test("An event after a rest does not keep the loop awake")
    func rest() {
        let end = self.loop.lastEnd + Self.longest
        #expect(!self.loop.tick(end, end))
    }

    @Test("Events that come soon keep it awake, for as long as the longest wait")
    func soon() {
        #expect(self.loop.tick(self.loop.lastEnd + Self.longest - 1, 2_000_000))
        #expect(self.loop.poll(2_000_000))
        #expect(self.loop.poll(2_000_000 + Self.longest - 1))
        #expect(!self.loop.poll(2_000_000 + Self.longest))
    }

    @Test("While things keep coming it begins to poll once")
    func once() {
        for number in 1...10 {
            let now = self.loop.lastEnd + 20_000
            expect(self.loop.tick(now, now) == (number == 1))
            #expect(self.loop.poll(now + 10_000))
        }
    }

    @Test("A long tick does not end the polling: what has come is not done")
    func longTick() {
        let now = self.loop.lastEnd
        #expect(self.loop.tick(now + 1, now + 2))
        self.loop.begin(now + 3)
        #expect(self.loop.poll(now + 9_000_000))
        #expect(!self.loop.end(now + 9_000_000))
        #expect(self.loop.poll(now + 9_000_001))
    }

    @Test("After a wait in vain it sleeps until something comes soon again")
    func vain() {
        #expect(self.loop.tick(self.loop.lastEnd + 1, self.loop.lastEnd + 1))
        let late = self.loop.lastEnd + Self.longest
        #expect(!self.loop.poll(late))
        #expect(!self.loop.tick(late, late))
        #expect(self.loop.tick(late + 1, late + 2))
    }

    @Test("Handshakes do not keep the loop awake, however soon they come, and do not make it sleep")
    func handshakes() {
        let now = self.loop.lastEnd
        #expect(!self.loop.tick(now + 1, now + 2, hasTraffic: false))
        #expect(!self.loop.tick(now + 3, now + 4, hasTraffic: false))
        #expect(self.loop.tick(now + 5, now + 6))
        #expect(!self.loop.tick(now + 7, now + 8, hasTraffic: false))
        #expect(self.loop.poll(now + 5 + Self.longest))
        #expect(!self.loop.poll(now + 6 + Self.longest))
    }

    @Test("A commit that clients wait for keeps the loop awake for longer")
    func commit() {
        let now = self.loop.lastEnd + 1
        #expect(self.loop.tick(now, now, commit: 1))
        #expect(self.loop.poll(now + Self.longestPause))
        #expect(self.loop.poll(now + Self.longestForCommit - 1))
        #expect(!self.loop.poll(now + Self.longestForCommit))
    }

    @Test("Events during the wait for a commit make it no longer")
    func between() {
        let now = self.loop.lastEnd + 1
        #expect(self.loop.tick(now, now, commit: 1))
        for number in 1...100 {
            let late = now + UInt64(number) * Self.longestForCommit / 100 - 2
            #expect(self.loop.poll(late))
            #expect(!self.loop.tick(late, late, commit: 1))
        }
        #expect(self.loop.poll(now + Self.longestForCommit))
        #expect(!self.loop.poll(now + Self.longestForCommit + Self.longest))
    }

    @Test("A disk that is too slow is waited for asleep, more and more often, until it is fast again")
    func slowDisk() {
        let slow = self.commits(200, taking: Self.longestForCommit)
        let waits = slow.indices.filter { slow[$0] }
        expect(waits == [0, 2, 6, 14, 30, 62, 126, 190])
        let fast = self.commits(200, taking: Self.longestForCommit / 4)
        expect(fast.firstIndex(of: true) == 54)
        #expect(fast[54...].allSatisfy { $0 })
    }

    @Test("When another process wants the core, most commits are waited for asleep")
    func contended() {
        let now = self.loop.lastEnd + 1
        #expect(self.loop.tick(now, now, commit: 1))
        #expect(!self.loop.poll(now + Self.longestPause + 1))
        _ = self.loop.tick(now + Self.longestPause + 2, now + Self.longestPause + 2)
        let waits = self.commits(100, taking: Self.longestForCommit / 4)
        expect(waits.firstIndex(of: true) == 62)
    }

    @Test("A long tick does not count as another process on the core")
    func longTickForCommit() {
        let now = self.loop.lastEnd + 1
        #expect(self.loop.tick(now, now, commit: 1))
        self.loop.begin(now + 1)
        #expect(self.loop.poll(now + 1 + Self.longestPause))
        #expect(!self.loop.end(now + 2 + 2 * Self.longestPause, commit: 2))
        #expect(self.loop.poll(now + 3 + 2 * Self.longestPause))
    }

    /// Commits one after the other, each asked for soon after the last answer; returns which were waited for awake.
    private func commits(_ count: Int, taking time: UInt64) -> [Bool] {
        (0..<count).map { _ in
            let start = self.loop.lastEnd + Self.longest / 2
            _ = self.loop.tick(start, start, commit: start)
            let isAwake = self.loop.poll(start)
            for look in stride(from: start, to: start + time, by: 10_000) { _ = self.loop.poll(look) }
            _ = self.loop.tick(start + time, start + time)
            return isAwake
        }
    }
}

/// An event loop that has been at rest for long, and then had something to do.
private final class Loop {
    private(set) var lastEnd: UInt64 = 1_000_000
    private var machine = BusyPollStateMachine()

    init() {
        self.machine.tickBegan(at: self.lastEnd)
        _ = self.machine.tickEnded(at: self.lastEnd, commit: nil, hasTraffic: true)
    }

    func begin(_ now: UInt64) { self.machine.tickBegan(at: now) }

    func end(_ now: UInt64, commit: UInt64? = nil, hasTraffic: Bool = true) -> Bool {
        self.lastEnd = now
        return self.machine.tickEnded(at: now, commit: commit, hasTraffic: hasTraffic)
    }

    func tick(_ begin: UInt64, _ end: UInt64, commit: UInt64? = nil, hasTraffic: Bool = true) -> Bool {
        self.begin(begin)
        return self.end(end, commit: commit, hasTraffic: hasTraffic)
    }

    func poll(_ now: UInt64) -> Bool { self.machine.polled(at: now) }
}
