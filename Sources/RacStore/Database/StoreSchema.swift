import GRDB

/// The tables, and how older ones become the present ones.
enum StoreSchema {
    /// A new version is a new migration at the end; none is ever changed.
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        migrator.registerMigration("1") { database in try database.execute(sql: Self.version1) }
        return migrator
    }()

    /// Nothing looks for a channel by its name here, so there is no index on it: the writer knows each channel's key.
    private static let version1 = """
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
        CREATE TABLE revision_block (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            reserved INTEGER NOT NULL
        ) STRICT;
        INSERT INTO revision_block (id, reserved) VALUES (1, 0);
        """
}
