import Expectations
import Foundation
import RacProtocol
import RacStore
import Testing

/// Databases that earlier versions have made.
@Suite(.timeLimit(.minutes(10))) struct OldStoreTests {
    /// The dump of a database that racd 0 made while it used GRDB.
    private static let version1 = """
        PRAGMA application_id = 1918985060;
        PRAGMA journal_mode = WAL;
        BEGIN TRANSACTION;
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES('1');
        CREATE TABLE channel (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            mode TEXT NOT NULL,
            state TEXT NOT NULL,
            revision INTEGER NOT NULL,
            changed_at INTEGER NOT NULL,
            value TEXT,
            value_revision INTEGER,
            value_cause INTEGER,
            wish TEXT,
            wish_revision INTEGER,
            wish_cause INTEGER,
            error_code TEXT,
            error_message TEXT,
            error_data TEXT
        ) STRICT;
        INSERT INTO channel VALUES(11,'room/volume','shared','open',48,1795441179079,'42',48,7,NULL,NULL,NULL,NULL,NULL,NULL);
        INSERT INTO channel VALUES(12,'pair','paired','open',50,1795441179141,'"a"',49,NULL,'"b"',50,8,NULL,NULL,NULL);
        INSERT INTO channel VALUES(13,'done','shared','completed',51,1795441179459,'1',48,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
        INSERT INTO channel VALUES(14,'bad','shared','failed',52,1795441179535,NULL,NULL,NULL,NULL,NULL,NULL,'c','m','[1]');
        CREATE TABLE revision_block (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            reserved INTEGER NOT NULL
        ) STRICT;
        INSERT INTO revision_block VALUES(1,1000000);
        COMMIT;
        """

    @Test("A store that racd made with GRDB opens with its channels and revisions, and takes changes")
    func version1() async throws {
        let folder = try DataFolderFixture()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
        try Tampering(folder.database).execute(Self.version1)
        let (store, channels) = try folder.open()
        expect(store.revisionFloor == Revision(1_000_000))
        let name = try ChannelName("pair")
        expect(channels.count == 4)
        expect(channels[try ChannelName("room/volume")]?.value?.cause == Revision(7))
        expect(channels[name]?.mode == .paired)
        expect(channels[name]?.wish?.value == (try JSONText("\"b\"")))
        expect(channels[try ChannelName("done")]?.state == .completed)
        expect(
            channels[try ChannelName("bad")]?.state
                == .failed(WireError(code: "c", message: "m", data: try JSONText("[1]")))
        )
        var record = try ChannelRecord.sample("room/volume", "43", revision: 1_000_001)
        record.author = Author("kiosk-7")
        store.submit(StoreBatch(ticket: 1, changes: [.put(StoredChannel(number: ChannelNumber(11), record: record))]))
        try await store.close()

        let (again, after) = try folder.open()
        expect(after.count == 4)
        expect(after[record.name] == record)
        try await again.close()
    }

    @Test("A new store keeps its versions where the old ones have theirs")
    func newStore() async throws {
        let folder = try DataFolderFixture()
        try await folder.fill([.sample("a", "1")])
        // Fails unless the table has the row that stands in an old store, and one for the version with writers.
        try Tampering(folder.database).execute(
            """
            CREATE TABLE probe (found INTEGER CHECK (found = 1)) STRICT;
            INSERT INTO probe SELECT count(*) FROM grdb_migrations WHERE identifier = '1';
            INSERT INTO probe SELECT count(*) FROM grdb_migrations WHERE identifier = '2';
            INSERT INTO probe SELECT count(*) - 1 FROM grdb_migrations;
            """
        )
    }
}
