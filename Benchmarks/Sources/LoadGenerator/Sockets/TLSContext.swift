import CBenchmarkTLS

/// The generator's side of TLS with one server: TLS 1.3 with AES-128-GCM, and one certificate that is trusted.
///
/// One thread uses it and its sessions.
package final class TLSContext {
    fileprivate let context: OpaquePointer

    /// - Parameter certificateFile: The server's certificate, a PEM file.
    /// - Throws: If there is no such file.
    package init(trusting certificateFile: String) throws {
        guard let context = cbenchmark_tls_context_new(certificateFile) else {
            throw SetupError("\(certificateFile) is no PEM file with a certificate")
        }
        self.context = context
    }

    deinit {
        cbenchmark_tls_context_free(self.context)
    }
}

/// The TLS of one connection: bytes go in and come out, and somebody else sends and receives them.
package final class TLSSession {
    private enum State {
        /// The server greets in plain bytes before TLS begins.
        case awaitingGreeting
        case handshaking
        case open
    }

    private let context: TLSContext
    private let session: OpaquePointer
    private var state: State
    /// Plain bytes that are sent when the handshake is over.
    private var waiting: [UInt8] = []

    /// - Parameters:
    ///   - context: The TLS of all connections to the server.
    ///   - greets: Whether the server speaks first, one line in plain bytes.
    /// - Throws: If there is no memory.
    package init(_ context: TLSContext, greets: Bool) throws {
        guard let session = cbenchmark_tls_new(context.context) else { throw SetupError("OpenSSL has no memory") }
        self.context = context
        self.session = session
        self.state = greets ? .awaitingGreeting : .handshaking
    }

    deinit {
        cbenchmark_tls_free(self.session)
    }

    /// The first bytes for the server; none if it greets.
    package func begin(_ send: (UnsafeRawBufferPointer) throws -> Void) throws {
        if case .handshaking = self.state { try self.goOn(send) }
    }

    /// Encrypts bytes for the server; those of the time before the end of the handshake wait for it.
    package func write(_ bytes: [UInt8], _ send: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard case .open = self.state else {
            self.waiting += bytes
            return
        }
        guard cbenchmark_tls_write(self.session, bytes, bytes.count) == 0 else { throw Self.fault }
        try self.passOn(send)
    }

    /// Reads what has come from the server.
    ///
    /// - Parameters:
    ///   - received: The bytes as they came.
    ///   - plain: Room for as many, and for a record more, whose beginning may have come before.
    ///   - send: Gets what must go to the server at once.
    /// - Returns: The number of plain bytes.
    /// - Throws: A fault of the server, its goodbye, and the errors of `send`.
    package func read(
        _ received: UnsafeRawBufferPointer,
        into plain: UnsafeMutableRawBufferPointer,
        _ send: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Int {
        var received = received
        if case .awaitingGreeting = self.state {
            // A greeting that is cut in two is shorter by its beginning; only its end matters.
            guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else { return 0 }
            received = UnsafeRawBufferPointer(rebasing: received[(end + 1)...])
            self.state = .handshaking
        }
        cbenchmark_tls_feed(self.session, received.baseAddress, received.count)
        if case .handshaking = self.state { try self.goOn(send) }
        guard case .open = self.state else { return 0 }
        let count = cbenchmark_tls_read(self.session, plain.baseAddress, plain.count)
        // An answer of TLS itself, such as that to a new key.
        try self.passOn(send)
        guard count != -1 else { throw ProtocolError.ended }
        guard count >= 0 else { throw Self.fault }
        return count
    }

    private func goOn(_ send: (UnsafeRawBufferPointer) throws -> Void) throws {
        let result = cbenchmark_tls_handshake(self.session)
        let fault = result < 0 ? Self.fault : nil
        try self.passOn(send)
        if let fault { throw fault }
        guard result == 1 else { return }
        self.state = .open
        guard !self.waiting.isEmpty else { return }
        try self.write(self.waiting, send)
        self.waiting = []
    }

    private func passOn(_ send: (UnsafeRawBufferPointer) throws -> Void) throws {
        var count = 0
        let bytes = cbenchmark_tls_take(self.session, &count)
        if count > 0 { try send(UnsafeRawBufferPointer(start: bytes, count: count)) }
    }

    private static var fault: ProtocolError { .tls(String(cString: cbenchmark_tls_fault())) }
}
