/// The tables, and how the tables of older versions become the present ones.
enum StoreSchema {
    /// The versions in their order; a new version is a new entry at the end, and no entry is ever changed.
    private static let versions = [(name: "1", sql: Self.version1), (name: "2", sql: Self.version2)]

    /// Makes the table that names the versions of a database; it has the name that GRDB once gave it in old stores.
    private static let makeVersions = """
        CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)
        """

    /// Brings a database to the present version, each step whole or not at all.
    static func migrate(_ connection: SQLiteConnection) throws {
        try connection.execute(self.makeVersions)
        let applied = try self.applied(connection)
        for version in self.versions where !applied.contains(version.name) {
            try connection.transaction {
                try connection.execute(version.sql)
                try connection.execute("INSERT INTO grdb_migrations (identifier) VALUES ('\(version.name)')")
            }
        }
    }

    /// Refuses a database without a version, or with one that this code does not know; `path` is the file to blame.
    static func check(_ connection: SQLiteConnection, path: String) throws {
        let applied = try self.applied(connection)
        guard !applied.isEmpty else { throw StoreError.damaged(file: path, reason: "it has no version") }
        guard applied.isSubset(of: self.versions.map(\.name)) else { throw StoreError.newer(file: path) }
    }

    /// Notes in a backup when it was made; the table is there until a daemon starts with the backup.
    static func markBackup(_ connection: SQLiteConnection) throws {
        try connection.execute("CREATE TABLE IF NOT EXISTS backup (made INTEGER NOT NULL) STRICT")
        try connection.execute("INSERT INTO backup (made) VALUES (\(self.milliseconds))")
    }

    /// Makes a backup the store of a daemon, which it is from then on: its revisions begin behind those of earlier restores.
    ///
    /// Each millisecond since the backup was made leaves out 1 024 revisions, more than a daemon gives out in one. A backup of a
    /// restored store that never ran has two times: another restore of the first backup may have run since. Behind a clock
    /// that was set back, or that a board without one has not set yet, the revisions begin at random.
    static func restoreBackup(_ connection: SQLiteConnection) throws {
        let tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'backup'"
        guard try connection.values(of: tables, { try $0.integer() }).first == 1 else { return }
        try connection.transaction {
            try connection.execute(
                """
                UPDATE revision_block
                SET reserved = reserved + (
                    SELECT iif(age > 0, 1024 * age, abs(random() % \(Store.revisionsBehindBackup)))
                    FROM (SELECT \(self.milliseconds) - coalesce(min(made), 0) AS age FROM backup)
                )
                """
            )
            try connection.execute("DROP TABLE backup")
        }
    }

    /// The milliseconds since 1970, in SQL.
    private static let milliseconds = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

    private static func applied(_ connection: SQLiteConnection) throws -> Set<String> {
        Set(try connection.values(of: "SELECT identifier FROM grdb_migrations") { try $0.text() })
    }

    /// The tables of version 1; names have no index, because the host knows each channel's key.
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

    /// Version 2 keeps the principal that made a channel's newest change.
    private static let version2 = "ALTER TABLE channel ADD COLUMN changed_by TEXT"
}
