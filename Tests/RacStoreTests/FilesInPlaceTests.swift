import Expectations
import Foundation
import RacProtocol
import RacStore
import Testing

/// Files of the data folder that are moved, removed or replaced while a store has them open.
@Suite(.timeLimit(.minutes(10))) struct FilesInPlaceTests {
    private let folder: DataFolderFixture
    private let elsewhere: DataFolderFixture
    private let events = StoreEvents()

    init() throws {
        self.folder = try DataFolderFixture()
        self.elsewhere = try DataFolderFixture()
    }

    private func move(_ from: String, to target: String) throws {
        try FileManager.default.moveItem(atPath: from, toPath: target)
    }

    private func submit(_ ticket: UInt64, to store: Store) throws {
        store.submit(try .sample(ticket, "a"))
    }

    private func isFailing(_ events: [StoreEvent], _ text: String) -> Bool {
        events.contains { if case .failing(let reason, _) = $0 { reason.contains(text) } else { false } }
    }

    @Test("A change is not reported as stored while the folder is elsewhere, and is when the folder is back")
    func movedFolder() async throws {
        let store = try self.folder.open(events: self.events).store
        try self.submit(1, to: store)
        await self.events.wait(forCommitOf: 1)
        try self.move(self.folder.path, to: self.elsewhere.path)
        try self.submit(2, to: store)
        await self.events.wait(forFailureOf: 2)
        #expect(self.isFailing(self.events.all, "\(self.folder.database) is not the file that racd has open"))
        #expect(!self.events.all.contains(.committed(through: 2)))
        try self.move(self.elsewhere.path, to: self.folder.path)
        await self.events.wait(forCommitOf: 2)
        expect(self.events.all.suffix(2) == [.recovered, .committed(through: 2)])
        try await store.close()
        let (again, channels) = try self.folder.open()
        expect(Array(channels.values) == [try .sample("a", "2")])
        try await again.close()
    }

    @Test("A replaced or removed database is noticed without a change", arguments: [true, false])
    func replacedDatabase(isReplaced: Bool) async throws {
        let other = try DataFolderFixture()
        try await other.fill([.sample("other", "1")])
        let store = try self.folder.open(events: self.events).store
        try self.move(self.folder.database, to: self.elsewhere.path)
        if isReplaced { try FileManager.default.copyItem(atPath: other.database, toPath: self.folder.database) }
        store.checkFiles()
        await self.events.wait(forFailureOf: 0)
        #expect(self.isFailing(self.events.all, self.folder.database))
        if isReplaced { try FileManager.default.removeItem(atPath: self.folder.database) }
        try self.move(self.elsewhere.path, to: self.folder.database)
        await self.events.wait { $0.contains(.recovered) }
        try await store.close()
    }

    @Test("A store whose folder is gone reports the loss at its end, and touches no file in the folder's place")
    func closedElsewhere() async throws {
        let store = try self.folder.open(events: self.events).store
        try self.submit(1, to: store)
        await self.events.wait(forCommitOf: 1)
        try self.move(self.folder.path, to: self.elsewhere.path)
        let other = try self.folder.open().store
        let error = await #expect(throws: StoreError.self) { try await store.close() }
        guard case .unwritten(self.folder.database, let reason) = error else {
            Issue.record("not reported as lost: \(String(describing: error))")
            return
        }
        #expect(reason.contains("moved, removed or replaced"))
        #expect(FileManager.default.fileExists(atPath: self.folder.log))
        try await other.close()
        let (again, channels) = try self.elsewhere.open()
        expect(channels.count == 1)
        try await again.close()
    }

    @Test("A store whose log or index is removed takes its changes into the file", arguments: ["-wal", "-shm"])
    func removedCompanion(name: String) async throws {
        let store = try self.folder.open(events: self.events).store
        try self.submit(1, to: store)
        await self.events.wait(forCommitOf: 1)
        try FileManager.default.removeItem(atPath: self.folder.database + name)
        store.submit(try .sample(2, "b"))
        await self.events.wait(forCommitOf: 2)
        let (crashed, channels) = try self.folder.copyAsAfterCrash().open()
        expect(Set(channels.values) == [try .sample("a", "1"), try .sample("b", "2")])
        try await crashed.close()
        #expect(FileManager.default.fileExists(atPath: self.folder.database + name))
        try await store.close()
    }

    @Test("A store whose log is replaced waits until the other log is gone")
    func replacedLog() async throws {
        let store = try self.folder.open(events: self.events).store
        try self.submit(1, to: store)
        await self.events.wait(forCommitOf: 1)
        try FileManager.default.removeItem(atPath: self.folder.log)
        try Data("of another".utf8).write(to: URL(filePath: self.folder.log))
        try self.submit(2, to: store)
        await self.events.wait(forFailureOf: 2)
        #expect(self.isFailing(self.events.all, self.folder.log))
        try FileManager.default.removeItem(atPath: self.folder.log)
        await self.events.wait(forCommitOf: 2)
        try await store.close()
    }

    @Test("A lock that is gone is taken again, so that a second racd is refused")
    func removedLock() async throws {
        let store = try self.folder.open(events: self.events).store
        try FileManager.default.removeItem(atPath: "\(self.folder.path)/racd.lock")
        try self.submit(1, to: store)
        await self.events.wait(forCommitOf: 1)
        #expect(throws: StoreError.locked(folder: self.folder.path, holder: getpid())) { try self.folder.open() }
        try await store.close()
    }

    @Test("A store takes no change while a second racd has the lock in the place of its own")
    func takenLock() async throws {
        let store = try self.folder.open(events: self.events).store
        try FileManager.default.removeItem(atPath: "\(self.folder.path)/racd.lock")
        let second = try self.folder.open().store
        try self.submit(1, to: store)
        await self.events.wait(forFailureOf: 1)
        #expect(self.isFailing(self.events.all, "in use by process"))
        try await second.close()
        await self.events.wait(forCommitOf: 1)
        try await store.close()
    }
}
