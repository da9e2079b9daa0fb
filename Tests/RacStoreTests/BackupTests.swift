import Expectations
import Foundation
import RacProtocol
import RacStore
import Testing

@Suite(.timeLimit(.minutes(10))) struct BackupTests {
    /// A new data folder with a backup as its database.
    func restored(_ backup: String) throws -> DataFolderFixture {
        let folder = try DataFolderFixture()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: backup, toPath: folder.database)
        return folder
    }

    @Test("The backup of a live database has what was committed, and the store goes on")
    func live() async throws {
        let folder = try DataFolderFixture()
        let events = StoreEvents()
        let records = try StoreRoundTripTests.records()
        let store = try folder.open(events: events).store
        store.submit(StoreBatch(ticket: 1, changes: records.map { .put($0) }))
        await events.wait(forCommitOf: 1)
        // A quote that a mark joins is a quote to SQLite.
        let backup = "\(folder.path)/backup'\u{301}'"
        try Store.backup(folder: folder.path, to: backup)
        store.submit(StoreBatch(ticket: 2, changes: [.put(try .sample("later", "1"))]))
        await events.wait(forCommitOf: 2)

        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        expect(files.filter { $0.hasPrefix("backup") } == ["backup'\u{301}'"])
        let (copy, channels) = try self.restored(backup).open()
        expect(Set(channels.values) == Set(records))
        #expect(copy.revisionFloor.number >= store.reserved.number + Store.revisionsBehindBackup)
        try await copy.close()
        try await store.close()
    }

    @Test("A restored store gives out no revision that the other one has given out since the backup")
    func revisions() async throws {
        let folder = try DataFolderFixture()
        let backup = "\(folder.path)/backup"
        try await folder.open().store.close()
        try Store.backup(folder: folder.path, to: backup)
        let later = try folder.open().store
        try await later.close()
        let restored = try self.restored(backup)
        let again = "\(restored.path)/again"
        for _ in 0..<2 {
            let copy = try restored.open().store
            #expect(copy.revisionFloor > later.reserved)
            try await copy.close()
        }
        try Store.backup(folder: restored.path, to: again)
        let (second, _) = try self.restored(again).open()
        #expect(second.revisionFloor.number > Store.revisionsBehindBackup * 2)
        try await second.close()
    }

    @Test("A backup restored a second time gives out no revision that its first restore has given out")
    func restoredTwice() async throws {
        let folder = try DataFolderFixture()
        let backup = "\(folder.path)/backup"
        try await folder.open().store.close()
        try Store.backup(folder: folder.path, to: backup)
        let first = try self.restored(backup).open().store
        // The revisions of a restore begin by its time, in milliseconds.
        try await Task.sleep(for: .milliseconds(2))
        let second = try self.restored(backup).open().store
        #expect(second.revisionFloor > first.revisionFloor)
        try await first.close()
        try await second.close()
    }

    @Test("Restores of one backup give out different revisions even if the clock stands before the backup")
    func restoredWithoutClock() async throws {
        let folder = try DataFolderFixture()
        let backup = "\(folder.path)/backup"
        try await folder.open().store.close()
        try Store.backup(folder: folder.path, to: backup)
        try Tampering(backup).execute("UPDATE backup SET made = made * 2")
        let first = try self.restored(backup).open().store
        let second = try self.restored(backup).open().store
        let distance = first.revisionFloor.number.distance(to: second.revisionFloor.number).magnitude
        #expect(distance > Store.revisionBlock)
        try await first.close()
        try await second.close()
    }

    @Test("A restored backup is a store like others: a later start leaves no revisions out")
    func restoredOnce() async throws {
        let folder = try DataFolderFixture()
        let backup = "\(folder.path)/backup"
        try await folder.open().store.close()
        try Store.backup(folder: folder.path, to: backup)
        let restored = try self.restored(backup)
        let first = try restored.open().store
        try await first.close()
        try await Task.sleep(for: .milliseconds(2))
        let again = try restored.open().store
        expect(again.revisionFloor == first.reserved)
        try await again.close()
    }

    @Test("A backup taken between two commits is one moment's state")
    func consistent() async throws {
        let folder = try DataFolderFixture()
        let store = try folder.open(durability: .off).store
        let writer = Task {
            var ticket: UInt64 = 0
            while !Task.isCancelled {
                ticket += 1
                let changes = try (0..<50).map {
                    StoreChange.put(try .sample("c/\($0)", "\(ticket)", revision: ticket))
                }
                store.submit(StoreBatch(ticket: ticket, changes: changes))
                await Task.yield()
            }
        }
        for round in 0..<5 {
            let backup = "\(folder.path)/backup-\(round)"
            try Store.backup(folder: folder.path, to: backup)
            let (copy, channels) = try self.restored(backup).open()
            #expect(Set(channels.values.map(\.value)).count <= 1)
            #expect(channels.isEmpty || channels.count == 50)
            try await copy.close()
        }
        writer.cancel()
        try await writer.value
        try await store.close()
    }

    @Test("The backup of a closed store is complete, too")
    func closed() async throws {
        let folder = try DataFolderFixture()
        try await folder.fill([.sample("a", "1")])
        let backup = "\(folder.path)/backup"
        try Store.backup(folder: folder.path, to: backup)
        let (copy, channels) = try self.restored(backup).open()
        expect(Array(channels.values) == [try .sample("a", "1")])
        try await copy.close()
    }

    @Test("An existing file is not overwritten")
    func exists() async throws {
        let folder = try DataFolderFixture()
        try await folder.fill([.sample("a", "1")])
        let backup = "\(folder.path)/backup"
        try Data("mine".utf8).write(to: URL(filePath: backup))
        #expect(throws: StoreError.exists(file: backup)) { try Store.backup(folder: folder.path, to: backup) }
        expect(try Data(contentsOf: URL(filePath: backup)) == Data("mine".utf8))
    }

    @Test("A backup that is under way, or was killed, has another name: a restore does not take it for a complete one")
    func unfinished() async throws {
        let folder = try DataFolderFixture()
        try await folder.fill([.sample("a", "1")])
        let backup = "\(folder.path)/backup"
        try Data("of another".utf8).write(to: URL(filePath: "\(backup).new"))
        #expect(throws: StoreError.exists(file: "\(backup).new")) {
            try Store.backup(folder: folder.path, to: backup)
        }
        #expect(!FileManager.default.fileExists(atPath: backup))
        expect(try Data(contentsOf: URL(filePath: "\(backup).new")) == Data("of another".utf8))
    }

    @Test("A backup replaces what a killed backup has left, and waits for no backup that is under way")
    func leftOver() async throws {
        let folder = try DataFolderFixture()
        try await folder.fill([.sample("a", "1")])
        let (backup, unfinished) = ("\(folder.path)/backup", "\(folder.path)/backup.new")
        for rest in [Data(), Data("SQLite format 3\0 and more".utf8), Data(count: 5_000)] {
            try rest.write(to: URL(filePath: unfinished))
            try rest.write(to: URL(filePath: "\(unfinished)-journal"))
            try Store.backup(folder: folder.path, to: backup)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            expect(files.filter { $0.hasPrefix("backup") } == ["backup"])
            try FileManager.default.removeItem(atPath: backup)
        }
        try Data().write(to: URL(filePath: unfinished))
        let descriptor = open(unfinished, O_RDWR)
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_len = 1
        let setOfOpenFile: Int32 = 37
        let isLocked = fcntl(descriptor, setOfOpenFile, &lock) == 0
        #expect(isLocked)
        #expect(throws: StoreError.underWay(file: unfinished)) { try Store.backup(folder: folder.path, to: backup) }
        #expect(!FileManager.default.fileExists(atPath: backup))
    }

    @Test("A backup takes the place of an older one only if it is asked to, once it is complete")
    func replaces() async throws {
        let folder = try DataFolderFixture()
        try await folder.fill([.sample("a", "1")])
        let backup = "\(folder.path)/backup"
        try Store.backup(folder: folder.path, to: backup)
        // The names that a kill behind the last step but one leaves.
        expect(link(backup, "\(backup).new") == 0)
        try await folder.fill([.sample("b", "1")])
        #expect(throws: StoreError.exists(file: backup)) { try Store.backup(folder: folder.path, to: backup) }
        try Store.backup(folder: folder.path, to: backup, replaces: true)
        let (copy, channels) = try self.restored(backup).open()
        expect(channels.count == 2)
        try await copy.close()
    }

    @Test("A backup reports that changes wait for the disk, and so are not in it")
    func waiting() async throws {
        let folder = try DataFolderFixture()
        let events = StoreEvents()
        let store = try folder.open(events: events).store
        #expect(try Store.backup(folder: folder.path, to: "\(folder.path)/before"))
        let hold = try WriteLock(on: folder.database)
        store.submit(StoreBatch(ticket: 1, changes: [.put(try .sample("a", "1"))]))
        await events.wait(forFailureOf: 1)
        #expect(try !Store.backup(folder: folder.path, to: "\(folder.path)/while"))
        try hold.release()
        await events.wait(forCommitOf: 1)
        #expect(try Store.backup(folder: folder.path, to: "\(folder.path)/after"))
        try await store.close()
    }

    @Test("A restored folder can be backed up before its first start")
    func backupOfRestored() async throws {
        let folder = try DataFolderFixture()
        try await folder.fill([.sample("a", "1")])
        let backup = "\(folder.path)/backup"
        try Store.backup(folder: folder.path, to: backup)
        let restored = try self.restored(backup)
        let again = "\(restored.path)/again"
        try Store.backup(folder: restored.path, to: again)
        let (copy, channels) = try self.restored(again).open()
        expect(Array(channels.values) == [try .sample("a", "1")])
        #expect(copy.revisionFloor.number > 2 * Store.revisionsBehindBackup)
        try await copy.close()
    }

    @Test("A store without syncs starts, commits and reserves while a backup reads it")
    func whileReading() async throws {
        let folder = try DataFolderFixture()
        try await folder.fill([.sample("a", "1")])
        let events = StoreEvents()
        let first = try folder.open(durability: .off).store
        let reader = try RawConnection(folder.database)
        try reader.execute("BEGIN")
        try reader.execute("SELECT count(*) FROM channel")
        let last = Revision(first.reserved.number + 1)
        try await first.close()
        let store = try folder.open(durability: .off, events: events).store
        store.reserveRevisions(through: Revision(store.reserved.number + Store.revisionBlock))
        store.submit(StoreBatch(ticket: 1, changes: [.put(try .sample("b", "1"))]))
        await events.wait(forCommitOf: 1)
        #expect(!events.all.contains { if case .failing = $0 { true } else { false } })
        #expect(store.reserved > last)
        try reader.execute("COMMIT")
        store.submit(StoreBatch(ticket: 2, changes: [.put(try .sample("c", "1"))]))
        await events.wait(forCommitOf: 2)
        try await store.close()
    }

    @Test("A folder without a database is reported, and one that is damaged gives no backup")
    func noSource() async throws {
        let folder = try DataFolderFixture()
        #expect(throws: StoreError.missing(file: folder.database)) {
            try Store.backup(folder: folder.path, to: "\(folder.path)-backup")
        }
        try await folder.fill((0..<500).map { try .sample("channel/\($0)", "\"some value\"") })
        var bytes = try Data(contentsOf: URL(filePath: folder.database))
        bytes.replaceSubrange(8192..<12288, with: Data(repeating: 0xA5, count: 4096))
        try bytes.write(to: URL(filePath: folder.database))
        let backup = "\(folder.path)/backup"
        let error = #expect(throws: StoreError.self) { try Store.backup(folder: folder.path, to: backup) }
        guard case .damaged(folder.database, _) = error else {
            Issue.record("not told as damaged: \(String(describing: error))")
            return
        }
        #expect(!FileManager.default.fileExists(atPath: backup))
    }
}
