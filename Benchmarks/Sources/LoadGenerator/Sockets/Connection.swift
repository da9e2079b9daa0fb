import Glibc

/// One TCP connection of the load generator; closed by a reset when it is released.
final class Connection {
    /// More than a record of TLS has, with its head and its tag.
    private static let longestRecord = 17 << 10

    let descriptor: Int32
    /// Nil for plain bytes.
    private let tls: TLSSession?
    /// The beginning of a message whose rest had not arrived at the last reading.
    private var unfinished: [UInt8] = []

    /// Connects from the address of this machine that `source` counts.
    ///
    /// The kernel keeps about `receiveBufferBytes` for it unread; nil is as it likes.
    init(
        to endpoint: Endpoint,
        source: Int = 0,
        receiveBufferBytes: Int32? = nil,
        tls: TLSSession? = nil
    ) throws {
        self.tls = tls
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard self.descriptor >= 0 else { throw SystemError.last("socket") }
        // A reset instead of an orderly end leaves no TIME_WAIT behind, of which thousands would use up the ports.
        var reset = linger(l_onoff: 1, l_linger: 0)
        setsockopt(self.descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
        self.set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        // The port is chosen when the other end is known: a port may serve several.
        self.set(Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, 1)
        if let receiveBufferBytes { self.set(SOL_SOCKET, SO_RCVBUF, receiveBufferBytes) }
        let bound = Endpoint(loopback: source).withSocketAddress { bind(self.descriptor, $0, $1) }
        guard bound == 0 else { throw SystemError.last("bind") }
        let connected = endpoint.withSocketAddress { connect(self.descriptor, $0, $1) }
        guard connected == 0 else { throw SystemError.last("connect") }
        try tls?.begin { try self.send($0) }
    }

    deinit {
        close(self.descriptor)
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(self.descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends all of `bytes`, waiting while the socket takes no more; with TLS they wait for the handshake.
    func send(_ bytes: [UInt8]) throws {
        if let tls { return try tls.write(bytes) { try self.send($0) } }
        try bytes.withUnsafeBytes { try self.send($0) }
    }

    private func send(_ bytes: UnsafeRawBufferPointer) throws {
        var sent = 0
        while sent < bytes.count {
            let rest = bytes.baseAddress.map { $0 + sent }
            let count = Glibc.send(self.descriptor, rest, bytes.count - sent, Int32(MSG_NOSIGNAL))
            guard count >= 0 || errno == EINTR else { throw SystemError.last("send") }
            sent += max(count, 0)
        }
    }

    /// Says that nothing more will be sent.
    func endSending() {
        shutdown(self.descriptor, Int32(SHUT_WR))
    }

    /// Whether there is something to read within that time.
    func waitReadable(milliseconds: Int32) -> Bool {
        var readable = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&readable, 1, milliseconds) > 0
    }

    /// Waits for bytes and reads what there is at once.
    ///
    /// - Parameters:
    ///   - buffer: Room to read into, which many connections share.
    ///   - body: Gets what was unfinished and what has come; says how many bytes of it were whole messages.
    /// - Throws: The errors of `body`, and the end of the connection.
    @inline(__always)
    func receive(into buffer: inout [UInt8], _ body: (Span<UInt8>) throws -> Int) throws {
        let end = try self.fill(&buffer)
        let used = try body(buffer.span.extracting(0..<end))
        guard used < end else { return }
        // Kept bytes must leave room to read more behind them.
        guard end - used < buffer.count / 2 else { throw ProtocolError.framing(end - used) }
        self.unfinished.append(contentsOf: buffer[used..<end])
    }

    /// Reads behind what was unfinished; returns where the bytes end.
    private func fill(_ buffer: inout [UInt8]) throws -> Int {
        let kept = self.unfinished.count
        if kept > 0 {
            buffer.replaceSubrange(0..<kept, with: self.unfinished)
            self.unfinished.removeAll(keepingCapacity: true)
        }
        let count = try buffer.withUnsafeMutableBytes { all in
            let room = UnsafeMutableRawBufferPointer(rebasing: all[kept...])
            return if let tls { try self.receive(by: tls, into: room) } else { try self.receive(into: room) }
        }
        return kept + count
    }

    private func receive(into room: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count = recv(self.descriptor, room.baseAddress, room.count, 0)
            if count > 0 { return count }
            if count == 0 { throw ProtocolError.ended }
            guard errno == EINTR else { throw SystemError.last("recv") }
        }
    }

    /// Reads what has come and decrypts it; returns the number of plain bytes, which may be 0.
    ///
    /// The plain bytes are written over those that were received, from the beginning of the room on.
    private func receive(by tls: TLSSession, into room: UnsafeMutableRawBufferPointer) throws -> Int {
        let place = UnsafeMutableRawBufferPointer(rebasing: room[Self.longestRecord...])
        let count = try self.receive(into: place)
        return try tls.read(UnsafeRawBufferPointer(rebasing: place[..<count]), into: room) { try self.send($0) }
    }
}
