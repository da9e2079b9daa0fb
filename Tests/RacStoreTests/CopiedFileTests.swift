import Expectations
import Foundation
import RacProtocol
import RacStore
import Testing

/// Copies of a database with and without its write-ahead log.
@Suite(.timeLimit(.minutes(10))) struct CopiedFileTests {
    private let folder: DataFolderFixture
    private let events = StoreEvents()

    init() throws {
        self.folder = try DataFolderFixture()
    }

    /// The database in a folder of its own, without its log.
    private func copyAlone(of folder: DataFolderFixture) throws -> DataFolderFixture {
        let copy = try DataFolderFixture()
        try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: folder.database, toPath: copy.database)
        return copy
    }

    private func commit(_ tickets: ClosedRange<UInt64>, to store: Store) async throws {
        for ticket in tickets {
            store.submit(try .sample(ticket, "c/\(ticket)"))
            await self.events.wait(forCommitOf: ticket)
        }
    }

    @Test("A database that was copied from a running racd without its log is refused", arguments: [0, 1, 1_500])
    func alone(commits: UInt64) async throws {
        let store = try self.folder.open(durability: .normal, events: self.events).store
        if commits > 0 { try await self.commit(1...commits, to: store) }
        let copy = try self.copyAlone(of: self.folder)
        let refusal = StoreError.copiedAlone(file: copy.database)
        #expect(throws: refusal) { try copy.open() }
        #expect(throws: refusal) { try Store.backup(folder: copy.path, to: "\(copy.path)/backup") }
        #expect(refusal.description.contains("without its rac.db-wal"))
        try await store.close()
    }

    @Test("A database that was copied from a stopped racd needs no log")
    func closed() async throws {
        let store = try self.folder.open(events: self.events).store
        try await self.commit(1...3, to: store)
        try await store.close()
        let (copy, channels) = try self.copyAlone(of: self.folder).open()
        expect(channels.count == 3)
        try await copy.close()
    }

    @Test("A crashed store that another program of SQLite has opened and closed, without leaving a log, has all it had")
    func otherProgram() async throws {
        let store = try self.folder.open(events: self.events).store
        try await self.commit(1...3, to: store)
        let crashed = try self.folder.copyAsAfterCrash()
        try Tampering(crashed.database).execute("SELECT count(*) FROM channel")
        #expect(!FileManager.default.fileExists(atPath: crashed.log))
        let (copy, channels) = try crashed.open()
        expect(channels.count == 3)
        try await copy.close()
        try await store.close()
    }

    @Test("A copy that another program of SQLite makes of a running store needs no log")
    func vacuumed() async throws {
        let store = try self.folder.open(events: self.events).store
        try await self.commit(1...3, to: store)
        let copy = try DataFolderFixture()
        try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: false)
        try Tampering(self.folder.database).execute("VACUUM INTO '\(copy.database)'")
        let (again, channels) = try copy.open()
        expect(channels.count == 3)
        try await again.close()
        try await store.close()
    }

    @Test("An empty log beside a copied database says that the copy is complete")
    func emptyLog() async throws {
        let store = try self.folder.open(events: self.events).store
        let copy = try self.copyAlone(of: self.folder)
        try Data().write(to: URL(filePath: copy.log))
        try await copy.open().store.close()
        try await store.close()
    }
}
