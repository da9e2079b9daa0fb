import Glibc
import NIOCore
import RacServer

/// A client that is nothing but a socket: it reads when the test says so, and closes as the test says.
///
/// It never blocks a thread, since the daemon needs the same ones; what does not come however often it looks is an error.
final class SocketClient {
    /// The number of looks before it gives up waiting, a millisecond or more between two looks.
    ///
    /// Counted in looks, since the clock goes on while a busy machine runs everything but this test and its daemon.
    private static let patience = 30_000

    private let descriptor: Int32
    private var received = ByteBuffer()
    private var isOpen = true

    init(_ address: ListenAddress, receiveBuffer: Int? = nil) throws {
        let target =
            switch address {
            case .tcp(let host, let port), .tls(let host, let port), .either(let host, let port):
                try SocketAddress(ipAddress: host, port: port)
            case .unix(let path): try SocketAddress(unixDomainSocketPath: path)
            }
        let stream = Int32(SOCK_STREAM.rawValue)
        self.descriptor = socket(Int32(target.protocol.rawValue), stream | Int32(SOCK_CLOEXEC.rawValue), 0)
        if let receiveBuffer { self.set(SO_RCVBUF, Int32(receiveBuffer)) }
        let connected = target.withSockAddr { connect(self.descriptor, $0, socklen_t($1)) }
        guard connected == 0 else { throw Surprise(what: "connect: \(String(cString: strerror(errno)))") }
        _ = fcntl(self.descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit {
        if self.isOpen { Glibc.close(self.descriptor) }
    }

    private func set<Value>(_ option: Int32, _ value: Value) {
        withUnsafePointer(to: value) {
            _ = setsockopt(self.descriptor, SOL_SOCKET, option, $0, socklen_t(MemoryLayout<Value>.size))
        }
    }
}

// MARK: Saying

extension SocketClient {
    func say(_ texts: String...) async throws {
        try await self.sayBytes(Wire.frames(texts))
    }

    func sayBytes(_ bytes: ByteBuffer) async throws {
        var bytes = bytes
        try await self.wait(for: "room to send") {
            let count = self.sendSome(bytes)
            guard count >= 0 || errno == EAGAIN else { throw Surprise(what: String(cString: strerror(errno))) }
            bytes.moveReaderIndex(forwardBy: max(0, count))
            return bytes.readableBytes == 0 ? () : nil
        }
    }

    /// Sends what the socket takes at once; whether that was all.
    func sayWhatFits(_ bytes: ByteBuffer) -> Bool {
        self.sendSome(bytes) == bytes.readableBytes
    }

    private func sendSome(_ bytes: ByteBuffer) -> Int {
        bytes.withUnsafeReadableBytes {
            Glibc.send(self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Closes the sending side: a FIN behind what was said.
    func endInput() {
        shutdown(self.descriptor, Int32(SHUT_WR))
    }

    /// Closes in order: a FIN, or a reset if something was not read.
    func hangUp() {
        guard self.isOpen else { return }
        self.isOpen = false
        Glibc.close(self.descriptor)
    }

    /// Is gone with a reset.
    func reset() {
        self.set(SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        self.hangUp()
    }
}

// MARK: Hearing

extension SocketClient {
    /// The next frame; nil at the end of the stream.
    func hearOrEnd() async throws -> Heard? {
        try await self.wait(for: "a frame") {
            while true {
                if let heard = try Wire.take(from: &self.received) { return .some(heard) }
                guard let count = try self.readSome() else { return nil }
                if count == 0 { return .some(nil) }
            }
        }
    }

    func hear() async throws -> Heard {
        guard let heard = try await self.hearOrEnd() else { throw Surprise(what: "the daemon has hung up") }
        return heard
    }

    /// The next bytes, framed or not; nil at the end of the stream.
    func hearBytes() async throws -> ByteBuffer? {
        let count = try await self.wait(for: "bytes") { try self.readSome() }
        defer { self.received.clear() }
        return count == 0 ? nil : self.received
    }

    /// Everything up to the end of the stream.
    func hearAll() async throws -> [Heard] {
        var all: [Heard] = []
        while let heard = try await self.hearOrEnd() { all.append(heard) }
        return all
    }

    /// Says this and hears the next frame.
    func ask(_ text: String) async throws -> Heard {
        try await self.say(text)
        return try await self.hear()
    }

    func bind(_ channel: String, _ options: String = "") async throws -> UInt64 {
        let reply = try await self.ask(#"{"op":"bind","id":1,"channel":"\#(channel)"\#(options)}"#)
        guard let terminal = reply.terminal else { throw Surprise(what: reply.text) }
        return terminal
    }

    /// Reads what is there; how much, 0 at the end, nil if there is nothing now.
    private func readSome() throws -> Int? {
        var failure: Int32 = 0
        self.received.discardReadBytes()
        let count = self.received.writeWithUnsafeMutableBytes(minimumWritableBytes: 1 << 16) { target in
            let count = recv(self.descriptor, target.baseAddress, target.count, 0)
            if count < 0 { failure = errno }
            return max(0, count)
        }
        switch failure {
        case 0: return count
        case EAGAIN: return nil
        default: throw Surprise(what: String(cString: strerror(failure)))
        }
    }

    private func wait<Value>(for what: String, _ attempt: () throws -> Value?) async throws -> Value {
        for _ in 0..<Self.patience {
            if let value = try attempt() { return value }
            try await Task.sleep(for: .milliseconds(1))
        }
        throw Surprise(what: "\(what) has not come")
    }
}
