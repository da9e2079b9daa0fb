import CSQLite
import Expectations
import Glibc
import Testing

@testable import RacStore

@Suite struct SQLiteErrorTests {
    /// The failure of a file system: SQLite's code for it, and the system's.
    private struct Fault {
        var code: CInt
        var number: CInt
    }

    /// Fails to open a database on a file system of this fault.
    private func failure(_ fault: Fault) throws -> SQLiteError {
        let name = strdup("failing \(fault.code) \(fault.number)")
        let facts = UnsafeMutablePointer<Fault>.allocate(capacity: 1)
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        defer {
            free(name)
            facts.deallocate()
            system.deallocate()
        }
        facts.initialize(to: fault)
        system.initialize(to: try #require(sqlite3_vfs_find(nil)).pointee)
        system.pointee.zName = UnsafePointer(name)
        system.pointee.pAppData = UnsafeMutableRawPointer(facts)
        system.pointee.xOpen = { system, _, _, _, _ in
            system?.pointee.pAppData?.load(as: Fault.self).code ?? SQLITE_INTERNAL
        }
        system.pointee.xGetLastError = { system, _, _ in system?.pointee.pAppData?.load(as: Fault.self).number ?? 0 }
        try #require(sqlite3_vfs_register(system, 0) == SQLITE_OK)
        defer { sqlite3_vfs_unregister(system) }
        var connection: OpaquePointer?
        let code = sqlite3_open_v2("/rac.db", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, name)
        defer { sqlite3_close_v2(connection) }
        return SQLiteError(code, of: connection)
    }

    @Test(
        "A disk that takes nothing is named if SQLite's code does not name it, and no other fault of the system is",
        arguments: [
            (SQLITE_IOERR, ENOSPC, "disk I/O error: No space left on device"),
            (SQLITE_CANTOPEN, ENOSPC, "unable to open database file: No space left on device"),
            (SQLITE_CANTOPEN, EDQUOT, "unable to open database file: Disk quota exceeded"),
            (SQLITE_IOERR, EROFS, "disk I/O error: Read-only file system"),
            (SQLITE_CANTOPEN, ENOENT, "unable to open database file"), (SQLITE_IOERR, EIO, "disk I/O error"),
        ]
    )
    func names(code: CInt, number: CInt, message: String) throws {
        let error = try self.failure(Fault(code: code, number: number))
        expect(error.primaryCode == code)
        expect(error.message == message)
    }
}
