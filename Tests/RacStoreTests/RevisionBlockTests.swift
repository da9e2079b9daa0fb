import Expectations
import RacProtocol
import RacStore
import Testing

@Suite(.timeLimit(.minutes(10))) struct RevisionBlockTests {
    @Test("A new folder begins above all revisions that a folder in its place has given out before")
    func begins() async throws {
        let before = Revision.beginning()
        let first = try DataFolderFixture().open().store
        #expect(first.revisionFloor > before)
        expect(first.reserved.number == first.revisionFloor.number + Store.revisionBlock)
        let second = try DataFolderFixture().open().store
        #expect(second.revisionFloor > first.revisionFloor)
        try await first.close()
        try await second.close()
    }

    @Test("Each start begins above all revisions that were reserved before", arguments: Durability.allCases)
    func grows(durability: Durability) async throws {
        let folder = try DataFolderFixture()
        let first = try folder.open(durability: durability).store
        try await first.close()
        let second = try folder.open(durability: durability).store
        expect(second.revisionFloor == first.reserved)
        #expect(second.reserved > second.revisionFloor)
        try await second.close()
    }

    @Test("A block that was reported as reserved stays so after a crash", arguments: Durability.allCases)
    func crash(durability: Durability) async throws {
        let folder = try DataFolderFixture()
        let events = StoreEvents()
        let store = try folder.open(durability: durability, events: events).store
        let wanted = Revision(store.reserved.number + 5 * Store.revisionBlock)
        store.reserveRevisions(through: wanted)
        await events.wait { $0.contains(.reserved(through: wanted)) }

        let copy = try folder.copyAsAfterCrash()
        let after = try copy.open(durability: durability).store
        expect(after.revisionFloor == wanted)
        try await after.close()
        try await store.close()
    }

    @Test("The first block is reserved before the store is open")
    func crashAtOnce() async throws {
        let folder = try DataFolderFixture()
        let store = try folder.open().store
        let after = try folder.copyAsAfterCrash().open().store
        expect(after.revisionFloor == store.reserved)
        try await after.close()
        try await store.close()
    }
}
