import Expectations
import RacClient
import RacProtocol
import Testing

@Suite struct WatchMemoryTests {
    private func changed(
        _ name: String,
        _ revision: UInt64,
        _ state: ChannelState? = .open,
        value: String? = nil
    ) throws -> Changed {
        Changed(
            watch: WatchID(1),
            channel: try ChannelName(name),
            revision: Revision(revision),
            state: state,
            value: try value.map { try JSONText($0) }
        )
    }

    @Test("After watching anew an unchanged channel is not reported, and a missing one is deleted")
    func anew() throws {
        var memory = WatchMemory(maximumChannels: 10)
        for name in ["a", "b", "c"] { expect(memory.changed(try self.changed(name, 3)) == .tell) }
        #expect(memory.synced().isEmpty)
        memory.watchedAnew()
        expect(memory.changed(try self.changed("a", 3)) == .nothing)
        expect(memory.changed(try self.changed("b", 4)) == .tell)
        let deleted = memory.synced()
        expect(deleted.map(\.channel.text) == ["c"])
        expect(deleted.map(\.revision) == [Revision(3)])
    }

    @Test("After watching anew another value of the same revision is reported: the daemon has other data")
    func otherValue() throws {
        var memory = WatchMemory(maximumChannels: 10)
        for name in ["a", "b"] { _ = memory.changed(try self.changed(name, 3, value: "1")) }
        memory.watchedAnew()
        expect(memory.changed(try self.changed("a", 3, value: "2")) == .tell)
        expect(memory.changed(try self.changed("b", 3, value: "1")) == .nothing)
    }

    @Test("A deletion is reported once, and never for an unknown channel")
    func deletion() throws {
        var memory = WatchMemory(maximumChannels: 10)
        _ = memory.changed(try self.changed("a", 3))
        expect(memory.changed(try self.changed("a", 4, nil)) == .tell)
        expect(memory.changed(try self.changed("a", 4, nil)) == .nothing)
    }

    @Test("One channel too many is reported")
    func full() throws {
        var memory = WatchMemory(maximumChannels: 1)
        expect(memory.changed(try self.changed("a", 3)) == .tell)
        expect(memory.changed(try self.changed("b", 4)) == .full)
    }
}
