import Expectations
import Foundation
import RacProtocol
import RacStore
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct FailingStoreTests {
    /// Empties the log, so that nothing reads it and only a write to it can fail.
    func emptyLog(of folder: DataFolderFixture) throws {
        try Tampering(folder.database).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    @Test("On a full disk changes wait, newer ones join them, and all are stored when there is space again")
    func full() async throws {
        let folder = try DataFolderFixture()
        let events = StoreEvents()
        let store = try folder.open(events: events).store
        try emptyLog(of: folder)
        let disk = try FailingDisk(under: folder.log, fault: .full)
        store.submit(StoreBatch(ticket: 1, changes: [.put(try .sample("a", "1")), .put(try .sample("b", "1"))]))
        await events.wait(forFailureOf: 1)
        store.submit(StoreBatch(ticket: 2, changes: [.put(try .sample("a", "2"))]))
        await events.wait(forFailureOf: 2)
        #expect(!events.all.contains(.recovered))
        disk.heal()
        await events.wait(forCommitOf: 2)
        expect(events.all.suffix(2) == [.recovered, .committed(through: 2)])
        #expect(events.all.contains { if case .failing(let reason, _) = $0 { reason.contains("full") } else { false } })

        let (after, channels) = try folder.copyAsAfterCrash().open()
        expect(Set(channels.values) == [try .sample("a", "2"), try .sample("b", "1")])
        try await after.close()
        try await store.close()
    }

    @Test("A channel that a failed sync may have stored, and that is gone since, is not there after the next commit")
    func removedSinceFailure() async throws {
        let folder = try DataFolderFixture()
        let events = StoreEvents()
        let store = try folder.open(events: events).store
        let (kept, gone) = (ChannelNumber(1), ChannelNumber(2))
        store.submit(StoreBatch(ticket: 1, changes: [.put(StoredChannel(number: kept, record: try .sample("a", "1")))]))
        await events.wait(forCommitOf: 1)
        let other = try RawConnection(folder.database)
        try other.execute("BEGIN IMMEDIATE")
        store.submit(StoreBatch(ticket: 2, changes: [.put(StoredChannel(number: gone, record: try .sample("b", "2")))]))
        await events.wait(forFailureOf: 2)
        store.submit(StoreBatch(ticket: 3, changes: [.remove(gone)]))
        let columns = "id, name, mode, state, revision, changed_at"
        try other.execute("INSERT INTO channel (\(columns)) VALUES (2, 'b', 'shared', 'open', 1, 1); COMMIT")
        await events.wait(forCommitOf: 3)
        let crashed = try folder.copyAsAfterCrash()
        try await store.close()
        let (after, channels) = try crashed.open()
        expect(Array(channels.keys) == [try ChannelName("a")])
        try await after.close()
    }

    @Test("A store whose file has no room closes in order, and its log has the changes")
    func fullFile() async throws {
        let folder = try DataFolderFixture()
        let events = StoreEvents()
        let store = try folder.open(events: events).store
        store.submit(StoreBatch(ticket: 1, changes: [.put(try .sample("a", "1"))]))
        await events.wait(forCommitOf: 1)
        let disk = try FailingDisk(under: folder.database, fault: .full)
        try await store.close()
        _ = disk
        let (after, channels) = try folder.open()
        expect(Set(channels.values) == [try .sample("a", "1")])
        try await after.close()
    }

    @Test("After an I/O error the file is opened anew and what failed is stored")
    func ioError() async throws {
        let folder = try DataFolderFixture()
        let events = StoreEvents()
        let store = try folder.open(events: events).store
        store.submit(StoreBatch(ticket: 1, changes: [.put(try .sample("a", "1")), .put(try .sample("b", "1"))]))
        await events.wait(forCommitOf: 1)
        _ = try FailingDisk(under: folder.log, fault: .broken)
        let changes: [StoreChange] = [.put(try .sample("a", "2")), .remove(try ChannelName("b"))]
        store.submit(StoreBatch(ticket: 2, changes: changes))
        await events.wait(forCommitOf: 2)
        #expect(events.all.contains { if case .failing(let reason, 2) = $0 { reason.contains("I/O") } else { false } })
        expect(events.all.suffix(2) == [.recovered, .committed(through: 2)])
        store.submit(StoreBatch(ticket: 3, changes: [.put(try .sample("c", "3"))]))
        try await store.close()

        let (again, channels) = try folder.open()
        expect(Set(channels.values) == [try .sample("a", "2"), try .sample("c", "3")])
        try await again.close()
    }

    @Test("After an I/O error the store goes on although a backup reads the file")
    func ioErrorDuringBackup() async throws {
        let folder = try DataFolderFixture()
        let events = StoreEvents()
        let store = try folder.open(events: events).store
        store.submit(StoreBatch(ticket: 1, changes: [.put(try .sample("a", "1"))]))
        await events.wait(forCommitOf: 1)
        let reader = try RawConnection(folder.database)
        try reader.execute("BEGIN")
        try reader.execute("SELECT count(*) FROM channel")
        store.submit(StoreBatch(ticket: 2, changes: [.put(try .sample("a", "2"))]))
        await events.wait(forCommitOf: 2)
        _ = try FailingDisk(under: folder.log, fault: .broken)
        store.submit(StoreBatch(ticket: 3, changes: [.put(try .sample("a", "3"))]))
        await events.wait(forCommitOf: 3)
        let (after, channels) = try folder.copyAsAfterCrash().open()
        expect(Array(channels.values) == [try .sample("a", "3")])
        try await after.close()
        try reader.execute("COMMIT")
        try await store.close()
    }

    @Test("While another program keeps the file locked changes wait, and a block of revisions too")
    func locked() async throws {
        let folder = try DataFolderFixture()
        let events = StoreEvents()
        let store = try folder.open(durability: .off, events: events).store
        let hold = try WriteLock(on: folder.database)
        let wanted = Revision(store.reserved.number + 1)
        store.submit(StoreBatch(ticket: 1, changes: [.put(try .sample("a", "1"))]))
        store.reserveRevisions(through: wanted)
        await events.wait(forFailureOf: 1)
        #expect(!events.all.contains(.reserved(through: wanted)))
        try hold.release()
        await events.wait { $0.contains(.reserved(through: wanted)) }
        try await store.close()

        let (again, channels) = try folder.open()
        expect(again.revisionFloor == wanted)
        expect(channels.count == 1)
        try await again.close()
    }

    @Test("An end on a disk that stays full says that changes are lost and frees the folder")
    func lost() async throws {
        let folder = try DataFolderFixture()
        let store = try folder.open().store
        try emptyLog(of: folder)
        let disk = try FailingDisk(under: folder.log, fault: .full)
        store.submit(StoreBatch(ticket: 1, changes: [.put(try .sample("a", "1"))]))
        let error = await #expect(throws: StoreError.self) { try await store.close() }
        guard case .unwritten(folder.database, _) = error else {
            Issue.record("not told as lost: \(String(describing: error))")
            return
        }
        withExtendedLifetime(disk) {}
        let (again, channels) = try folder.open()
        #expect(channels.isEmpty)
        try await again.close()
    }

    @Test("Closing again does nothing, and what comes after it is not stored")
    func closedTwice() async throws {
        let folder = try DataFolderFixture()
        let store = try folder.open().store
        try await store.close()
        store.submit(StoreBatch(ticket: 1, changes: [.put(try .sample("a", "1"))]))
        store.reserveRevisions(through: Revision(.max))
        try await store.close()
        let (again, channels) = try folder.open()
        #expect(channels.isEmpty)
        expect(again.revisionFloor == store.reserved)
        try await again.close()
    }
}
