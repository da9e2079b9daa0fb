import Expectations
import Foundation
import Logging
import RacProtocol
import RacStore
import Testing

@Suite(.timeLimit(.minutes(10))) struct RefusedFolderTests {
    /// Opens a folder that must be refused; the message must be one line.
    func refusal(of folder: DataFolderFixture) async throws -> StoreError? {
        do throws(StoreError) {
            let store = try folder.open().store
            Issue.record("the folder was not refused")
            try await store.close()
            return nil
        } catch {
            #expect(!error.description.contains("\n"))
            return error
        }
    }

    func expectDamaged(_ folder: DataFolderFixture, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let error = try await self.refusal(of: folder)
        guard case .damaged(folder.database, _) = error else {
            Issue.record("not told as damaged: \(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
        #expect(error?.description.contains(folder.database) == true, sourceLocation: sourceLocation)
        #expect(error?.description.contains("restore a backup") == true, sourceLocation: sourceLocation)
    }

    @Test("A folder that another racd has open is refused with that one's process id, and free once it is closed")
    func locked() async throws {
        let folder = try DataFolderFixture()
        let store = try folder.open().store
        let error = try await self.refusal(of: folder)
        expect(error == .locked(folder: folder.path, holder: getpid()))
        expect(error?.description.contains("\(folder.path) is in use by process \(getpid())") == true)
        try await store.close()
        try await folder.open().store.close()
    }

    @Test("A database that two folders reach is open in one racd at a time", arguments: ["rac.db", "other.db"])
    func lockedByLink(name: String) async throws {
        let (folder, other, third) = (try DataFolderFixture(), try DataFolderFixture(), try DataFolderFixture())
        try await folder.open().store.close()
        let database = "\(folder.path)/\(name)"
        if name != "rac.db" { try FileManager.default.moveItem(atPath: folder.database, toPath: database) }
        for linked in [other, third] {
            try FileManager.default.createDirectory(atPath: linked.path, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(atPath: linked.database, withDestinationPath: database)
        }
        let store = try other.open().store
        let error = try await self.refusal(of: name == "rac.db" ? folder : third)
        guard case .locked = error else { throw try #require(error) }
        try await store.close()
        try await third.open().store.close()
    }

    @Test("A closed folder is free even if a program that is just being started has a copy of its descriptor")
    func copiedLock() async throws {
        let folder = try DataFolderFixture()
        let store = try folder.open().store
        let descriptor = try #require(try Self.descriptor(of: "\(folder.path)/racd.lock"))
        let copy = dup(descriptor)
        defer { close(copy) }
        #expect(copy >= 0)
        try await store.close()
        try await folder.open().store.close()
    }

    private static func descriptor(of path: String) throws -> CInt? {
        let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { CInt($0) }
        return all.first { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
    }

    @Test("Missing folders are made, a path that is a file or below one is refused")
    func paths() async throws {
        let outer = try DataFolderFixture()
        let store = try Store.open(
            folder: "\(outer.path)/deep/er/",
            durability: .full,
            batches: .parts(of: 16),
            logger: Logger(label: "test"),
            tell: { _ in },
            load: { _ in }
        )
        try await store.close()
        let file = try DataFolderFixture()
        try Data("x".utf8).write(to: URL(filePath: file.path))
        guard case .unusable(file.path, _) = try await self.refusal(of: file) else {
            Issue.record("a file was taken for a folder")
            return
        }
        #expect(throws: StoreError.self) {
            try Store.open(
                folder: "\(file.path)/below",
                durability: .full,
                batches: .parts(of: 16),
                logger: Logger(label: "test"),
                tell: { _ in },
                load: { _ in }
            )
        }
    }

    @Test("A database of another program is refused and left as it is")
    func foreign() async throws {
        let folder = try DataFolderFixture()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        try Tampering(folder.database).execute("CREATE TABLE channel (id INTEGER PRIMARY KEY)")
        let before = try Data(contentsOf: URL(filePath: folder.database))
        expect(try await self.refusal(of: folder) == .foreign(file: folder.database))
        expect(try Data(contentsOf: URL(filePath: folder.database)) == before)
    }

    @Test("A database whose schema is newer is refused")
    func newer() async throws {
        let folder = try DataFolderFixture()
        try await folder.fill([.sample("a", "1")])
        try Tampering(folder.database).execute("INSERT INTO grdb_migrations VALUES ('from the future')")
        expect(try await self.refusal(of: folder) == .newer(file: folder.database))
    }

    @Test("A log without its database is refused, for a new database would take it for its own")
    func strayLog() async throws {
        let folder = try DataFolderFixture()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        try Data("old".utf8).write(to: URL(filePath: folder.log))
        expect(try await self.refusal(of: folder) == .strayLog(file: folder.log))
    }

    @Test("A log of the database that a backup has replaced is refused, for it would be written over the backup")
    func logBesideBackup() async throws {
        let folder = try DataFolderFixture()
        try await folder.fill([.sample("a", "1")])
        let backup = "\(folder.path)/backup"
        try Store.backup(folder: folder.path, to: backup)
        let store = try folder.open().store
        let crashed = try folder.copyAsAfterCrash()
        try await store.close()
        let log = try Data(contentsOf: URL(filePath: crashed.log))
        try Data(contentsOf: URL(filePath: backup)).write(to: URL(filePath: crashed.database))
        expect(try await self.refusal(of: crashed) == .strayLog(file: crashed.log))
        expect(try Data(contentsOf: URL(filePath: crashed.log)) == log)
        try FileManager.default.removeItem(atPath: crashed.log)
        expect(try crashed.open().channels.count == 1)
    }

    @Test("The remains of an interrupted first start are no hindrance")
    func unfinished() async throws {
        let folder = try DataFolderFixture()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        try Data("half".utf8).write(to: URL(filePath: "\(folder.database).new"))
        try await folder.open().store.close()
    }

    @Test("A file that is no database, or only the beginning of one, is refused as damaged", arguments: 0..<6)
    func truncated(kind: Int) async throws {
        let folder = try DataFolderFixture()
        try await folder.fill((0..<500).map { try .sample("channel/\($0)", "\"some value\"") })
        let whole = try Data(contentsOf: URL(filePath: folder.database))
        let parts = [
            Data(), Data("hello".utf8), Data(repeating: 0x41, count: 8192), whole.prefix(60), whole.prefix(4096),
            whole.prefix(whole.count / 2),
        ]
        try parts[kind].write(to: URL(filePath: folder.database))
        try await self.expectDamaged(folder)
    }

    @Test("Wherever bytes are damaged, the file is refused as damaged or gives valid channels", arguments: 1...60)
    func randomBytes(seed: UInt64) async throws {
        let folder = try DataFolderFixture()
        try await folder.fill((0..<100).map { try .sample("channel/\($0)", "\"some value\"") })
        var random = SplitMix(seed: seed)
        var bytes = try Data(contentsOf: URL(filePath: folder.database))
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            // The header's first bytes say whose file it is, and have tests of their own.
            bytes[Int.random(in: 100..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        try bytes.write(to: URL(filePath: folder.database))
        do throws(StoreError) {
            let store = try folder.open().store
            try await store.close()
        } catch {
            guard case .damaged = error else {
                Issue.record("seed \(seed): \(error)")
                return
            }
            #expect(!error.description.contains("\n"))
        }
    }

    @Test("A page of foreign bytes is refused as damaged")
    func overwrittenPage() async throws {
        let folder = try DataFolderFixture()
        try await folder.fill((0..<500).map { try .sample("channel/\($0)", "\"some value\"") })
        var bytes = try Data(contentsOf: URL(filePath: folder.database))
        let middle = bytes.count / 2 / 4096 * 4096
        bytes.replaceSubrange(middle..<middle + 4096, with: Data(repeating: 0xA5, count: 4096))
        try bytes.write(to: URL(filePath: folder.database))
        try await self.expectDamaged(folder)
    }

    @Test(
        "A row that no racd writes is refused as damage",
        arguments: [
            "UPDATE channel SET name = ''", "UPDATE channel SET name = 'a//b'", "UPDATE channel SET name = 'a*'",
            "UPDATE channel SET name = CAST(x'ff' AS TEXT)", "UPDATE channel SET name = 'a' || char(0)",
            "UPDATE channel SET mode = 'both'", "UPDATE channel SET state = 'deleted'",
            "UPDATE channel SET state = 'failed'", "UPDATE channel SET error_code = 'a'",
            "UPDATE channel SET error_code = 'a', error_message = 'a'", "UPDATE channel SET error_data = '1'",
            "UPDATE channel SET state = 'failed', error_code = CAST(x'ff' AS TEXT), error_message = 'a'",
            "UPDATE channel SET value = '{'", "UPDATE channel SET value = CAST(x'22ff22' AS TEXT)",
            "UPDATE channel SET value = NULL", "UPDATE channel SET value_revision = NULL",
            "UPDATE channel SET value_revision = 2", "UPDATE channel SET wish_cause = 1",
            "UPDATE channel SET revision = -1", "UPDATE channel SET revision = 9000000000000000000",
            "UPDATE channel SET id = -1", "UPDATE channel SET id = 9223372036854775807",
            "INSERT INTO channel (name, mode, state, revision, changed_at) VALUES ('a', 'shared', 'open', 1, 1)",
            "UPDATE revision_block SET reserved = -1", "UPDATE revision_block SET reserved = 9223372036854775807",
            "DELETE FROM revision_block", "DROP TABLE revision_block", "DROP TABLE channel",
            "DELETE FROM grdb_migrations",
            "DROP TABLE grdb_migrations", "ALTER TABLE channel DROP COLUMN wish",
            "DROP TABLE channel; CREATE VIEW channel AS SELECT 1 AS id",
        ]
    )
    func badRow(sql: String) async throws {
        let folder = try DataFolderFixture()
        try await folder.fill([.sample("a", "1")])
        try Tampering(folder.database).execute(sql)
        try await self.expectDamaged(folder)
    }
}

/// SplitMix64, so that a seed names one history.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        self.state = seed
    }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var z = self.state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
