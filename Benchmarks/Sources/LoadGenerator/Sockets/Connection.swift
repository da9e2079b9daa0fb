import Glibc

/// One TCP connection of the load generator, cut into frames; closed by a reset when it is released.
final class Connection {
    /// Longest payload that any benchmark has a use for; a longer one is a sign of broken framing.
    private static let maximumPayloadBytes = 1 << 16

    let descriptor: Int32
    /// The beginning of a frame whose rest had not arrived at the last reading.
    private var unfinished: [UInt8] = []

    /// Connects from the address of this machine that `source` counts.
    init(to endpoint: Endpoint, source: Int = 0) throws(SystemError) {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard self.descriptor >= 0 else { throw .last("socket") }
        // A reset instead of an orderly end leaves no TIME_WAIT behind, of which thousands would use up the ports.
        var reset = linger(l_onoff: 1, l_linger: 0)
        setsockopt(self.descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(self.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
        // The port is chosen when the other end is known: a port may serve several.
        setsockopt(self.descriptor, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &yes, size)
        let bound = Endpoint(loopback: source).withSocketAddress { bind(self.descriptor, $0, $1) }
        guard bound == 0 else { throw .last("bind") }
        let connected = endpoint.withSocketAddress { connect(self.descriptor, $0, $1) }
        guard connected == 0 else { throw .last("connect") }
    }

    deinit {
        close(self.descriptor)
    }

    /// Sends all of `bytes`, waiting while the socket takes no more.
    func send(_ bytes: [UInt8]) throws(SystemError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                Glibc.send(self.descriptor, all.baseAddress.map { $0 + sent }, all.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count >= 0 || errno == EINTR else { throw .last("send") }
            sent += max(count, 0)
        }
    }

    /// Waits for bytes, reads what there is at once and calls `body` with the payload of each whole frame.
    ///
    /// Many connections share `buffer`, which is room to read into. The end of the connection is thrown.
    @inline(__always)
    func receive(into buffer: inout [UInt8], _ body: (Span<UInt8>) throws -> Void) throws {
        let end = try self.fill(&buffer)
        let bytes = buffer.span
        var start = 0
        while end - start >= 4 {
            let high = Int(bytes[start]) << 24 | Int(bytes[start + 1]) << 16
            let length = high | Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
            guard length <= Self.maximumPayloadBytes else { throw ProtocolError.framing(length) }
            guard end - start >= 4 + length else { break }
            try body(bytes.extracting(start + 4..<start + 4 + length))
            start += 4 + length
        }
        if start < end { self.unfinished.append(contentsOf: buffer[start..<end]) }
    }

    /// Reads behind what was unfinished; returns where the bytes end.
    private func fill(_ buffer: inout [UInt8]) throws -> Int {
        let kept = self.unfinished.count
        if kept > 0 {
            buffer.replaceSubrange(0..<kept, with: self.unfinished)
            self.unfinished.removeAll(keepingCapacity: true)
        }
        while true {
            let count = buffer.withUnsafeMutableBytes { all in
                recv(self.descriptor, all.baseAddress.map { $0 + kept }, all.count - kept, 0)
            }
            if count > 0 { return kept + count }
            if count == 0 { throw ProtocolError.ended }
            guard errno == EINTR else { throw SystemError.last("recv") }
        }
    }
}
