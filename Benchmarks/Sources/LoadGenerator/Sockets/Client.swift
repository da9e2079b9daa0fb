/// One client of a server: its connection and its side of the protocol.
final class Client {
    let connection: Connection
    private var dialect: any Dialect
    private var outgoing: [UInt8] = []

    /// Connects as number so-and-so from the address that `source` counts; see ``Connection``.
    init(
        _ index: Int,
        of server: Server,
        _ tls: TLSContext?,
        source: Int = 0,
        receiveBufferBytes: Int32? = nil
    ) throws {
        let dialect = server.dialect(index)
        self.dialect = dialect
        self.connection = try Connection(
            to: server.endpoint,
            source: source,
            receiveBufferBytes: receiveBufferBytes,
            tls: tls.map { try TLSSession($0, greets: dialect.greets) }
        )
        try self.connection.send(dialect.opening())
    }

    /// Says what `body` writes, in one piece, and gives back what that returns.
    @inline(__always)
    func say<R>(_ body: (inout any Dialect, inout [UInt8]) throws -> R) throws -> R {
        self.outgoing.removeAll(keepingCapacity: true)
        let result = try body(&self.dialect, &self.outgoing)
        if !self.outgoing.isEmpty { try self.connection.send(self.outgoing) }
        return result
    }

    /// Waits for bytes, reads what there is at once into `arrivals`, which is emptied first, and answers what must be.
    func receive(into buffer: inout [UInt8], _ arrivals: inout Arrivals) throws {
        arrivals.list.removeAll(keepingCapacity: true)
        try self.connection.receive(into: &buffer) { try self.dialect.read($0, into: &arrivals) }
        guard !arrivals.answer.isEmpty else { return }
        try self.connection.send(arrivals.answer)
        arrivals.answer.removeAll()
    }
}
