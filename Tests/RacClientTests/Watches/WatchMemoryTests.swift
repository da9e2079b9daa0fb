import RacClient
import RacProtocol
import Testing

@Suite struct WatchMemoryTests {
    private func changed(_ name: String, _ revision: UInt64, _ state: ChannelState? = .open) throws -> Changed {
        Changed(
            watch: WatchID(1),
            channel: try ChannelName(name),
            revision: Revision(revision),
            state: state,
            value: nil
        )
    }

    @Test("After watching anew what is the same is not told, and what is missing has been deleted")
    func anew() throws {
        var memory = WatchMemory(maximumChannels: 10)
        for name in ["a", "b", "c"] { #expect(memory.changed(try self.changed(name, 3)) == .tell) }
        #expect(memory.synced().isEmpty)
        memory.watchedAnew()
        #expect(memory.changed(try self.changed("a", 3)) == .nothing)
        #expect(memory.changed(try self.changed("b", 4)) == .tell)
        let deleted = memory.synced()
        #expect(deleted.map(\.channel.text) == ["c"])
        #expect(deleted.map(\.revision) == [Revision(3)])
    }

    @Test("A deletion is told once, and of a channel that is not known not at all")
    func deletion() throws {
        var memory = WatchMemory(maximumChannels: 10)
        _ = memory.changed(try self.changed("a", 3))
        #expect(memory.changed(try self.changed("a", 4, nil)) == .tell)
        #expect(memory.changed(try self.changed("a", 4, nil)) == .nothing)
    }

    @Test("One channel too many is told")
    func full() throws {
        var memory = WatchMemory(maximumChannels: 1)
        #expect(memory.changed(try self.changed("a", 3)) == .tell)
        #expect(memory.changed(try self.changed("b", 4)) == .full)
    }
}
