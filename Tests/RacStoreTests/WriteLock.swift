/// Another program that writes the database, and locks all others out.
final class WriteLock {
    private let connection: RawConnection

    init(on file: String) throws {
        self.connection = try RawConnection(file)
        try self.connection.execute("BEGIN IMMEDIATE")
    }

    func release() throws {
        try self.connection.execute("ROLLBACK")
    }
}
