import Testing

@testable import RacServer

@Suite struct BusyPollStateMachineTests {
    private static let longest = BusyPollStateMachine.longestWait
    private let loop = Loop()

    @Test("What comes after a rest does not keep the loop awake")
    func rest() {
        let end = self.loop.lastEnd + Self.longest
        #expect(!self.loop.tick(end, end))
    }

    @Test("What comes soon keeps it awake, for as long as the longest wait")
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
            #expect(self.loop.tick(now, now) == (number == 1))
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
}

/// An event loop that has been at rest for long, and then had something to do.
private final class Loop {
    private(set) var lastEnd: UInt64 = 1_000_000
    private var machine = BusyPollStateMachine()

    init() {
        self.machine.tickBegan(at: self.lastEnd)
        _ = self.machine.tickEnded(at: self.lastEnd)
    }

    func begin(_ now: UInt64) { self.machine.tickBegan(at: now) }

    func end(_ now: UInt64) -> Bool {
        self.lastEnd = now
        return self.machine.tickEnded(at: now)
    }

    func tick(_ begin: UInt64, _ end: UInt64) -> Bool {
        self.begin(begin)
        return self.end(end)
    }

    func poll(_ now: UInt64) -> Bool { self.machine.polled(at: now) }
}
