import GRDB

/// Somebody who changes the database of a closed or running store with tools of their own.
struct Tampering {
    private let file: String

    init(_ file: String) {
        self.file = file
    }

    func execute(_ sql: String) throws {
        let connection = try DatabaseQueue(path: self.file)
        try connection.inDatabase { database in
            for statement in sql.split(separator: ";") {
                try database.execute(sql: String(statement))
            }
        }
        try connection.close()
    }
}
