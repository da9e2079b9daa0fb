import GRDB

/// Another program that is writing the database, so that nobody else can.
final class WriteLock {
    private let connection: DatabaseQueue

    init(on file: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(60)
        self.connection = try DatabaseQueue(path: file, configuration: configuration)
        try self.connection.inDatabase { try $0.beginTransaction(.immediate) }
    }

    func release() throws {
        try self.connection.inDatabase { try $0.rollback() }
        try self.connection.close()
    }
}
