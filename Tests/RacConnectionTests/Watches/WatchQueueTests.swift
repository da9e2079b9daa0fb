import Expectations
import RacProtocol
import Testing

@testable import RacConnection

@Suite struct WatchQueueTests {
    private func changed(_ name: String, _ revision: UInt64) throws -> Changed {
        Changed(
            watch: WatchID(1),
            channel: try ChannelName(name),
            revision: Revision(revision),
            state: .open,
            value: .integer(Int(revision))
        )
    }

    @Test("A channel that changes again before it is taken is reported once, with its newest state, in its turn")
    func newest() throws {
        var queue = WatchQueue(maximumChannels: 10)
        expect(try queue.append(self.changed("a", 1)) == true)
        expect(try queue.append(self.changed("b", 2)) == true)
        queue.appendSynced()
        expect(try queue.append(self.changed("a", 3)) == true)
        expect(try queue.next() == .changed(self.changed("a", 3)))
        expect(try queue.append(self.changed("a", 4)) == true)
        expect(try queue.next() == .changed(self.changed("b", 2)))
        expect(queue.next() == .synced)
        expect(try queue.next() == .changed(self.changed("a", 4)))
        expect(queue.next() == nil)
    }

    @Test("The end of the present channels is reported once")
    func synced() {
        var queue = WatchQueue(maximumChannels: 10)
        queue.appendSynced()
        queue.appendSynced()
        expect(queue.next() == .synced)
        expect(queue.next() == nil)
    }

    @Test("One channel too many does not fit, and changes of the others do")
    func bound() throws {
        var queue = WatchQueue(maximumChannels: 2)
        expect(try queue.append(self.changed("a", 1)) == true)
        expect(try queue.append(self.changed("b", 2)) == true)
        expect(try queue.append(self.changed("a", 3)) == true)
        expect(try queue.append(self.changed("c", 4)) == false)
    }
}
