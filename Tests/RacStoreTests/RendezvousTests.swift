import Expectations
import RacStore
import Testing

@Suite struct RendezvousTests {
    var rendezvous = Rendezvous()

    @Test("Clients that a commit has answered are expected in the next one, with those who wait already")
    mutating func expected() {
        rendezvous.committed(3, after: .milliseconds(4), waiting: 2)
        expect(rendezvous.wait(with: 2) == .milliseconds(1))
        expect(rendezvous.wait(with: 4) == .milliseconds(1))
        expect(rendezvous.wait(with: 5) == nil)
    }

    @Test("A client alone is not held up")
    mutating func alone() {
        rendezvous.committed(1, after: .milliseconds(4), waiting: 0)
        expect(rendezvous.wait(with: 1) == nil)
    }

    @Test("A quick disk is not waited for, and a stuck one not for long")
    mutating func times() {
        expect(rendezvous.wait(with: 1) == nil)
        rendezvous.committed(3, after: Rendezvous.shortestCommit - .microseconds(1), waiting: 2)
        expect(rendezvous.wait(with: 1) == nil)
        rendezvous.committed(3, after: .seconds(2), waiting: 2)
        expect(rendezvous.wait(with: 1) == Rendezvous.longestWait)
    }

    /// Counts commits of one change until one waits for ten clients, which come back or stay away.
    private mutating func skipped(comeBack: Bool) -> Int {
        var count = 0
        while true {
            rendezvous.committed(10, after: .milliseconds(4), waiting: 0)
            let waits = rendezvous.wait(with: 1) != nil
            rendezvous.began(with: waits && comeBack ? 10 : 1)
            if waits { return count }
            count += 1
        }
    }

    @Test("While no client comes back fewer and fewer commits wait, and all do again when one has")
    mutating func inVain() {
        let skipped = (0..<9).map { _ in self.skipped(comeBack: false) }
        expect(skipped == [0, 1, 3, 7, 15, 31, 63, 63, 63])
        expect(self.skipped(comeBack: true) == 63)
        expect(self.skipped(comeBack: true) == 0)
    }
}
