import Foundation
import Glibc
import Synchronization

/// A way to a daemon on which answers get lost: of the first connection it passes on only some frames of the daemon.
///
/// So a client waits for an answer for sure.
final class Relay: Sendable {
    private struct State {
        var target: UInt16
        var connections = 0
        var asked = 0
    }

    let url: String
    private let listener: Int32
    private let frames: Int
    private let lost: [UInt8]?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - daemon: The daemon at the other end.
    ///   - frames: The number of the daemon's frames that the first client gets.
    ///   - lost: The beginning of the daemon's messages that the first client does not get.
    /// - Throws: The system's reason not to listen.
    init(to daemon: Daemon, frames: Int = .max, losing lost: String? = nil) throws {
        self.frames = frames
        self.lost = lost.map { Array($0.utf8) }
        self.state = Mutex(State(target: daemon.port))
        let listener = try Loopback.socket()
        self.listener = listener
        self.url = "rac://127.0.0.1:\(try Loopback.listen(listener))"
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { break }
                self.serve(client)
            }
            close(listener)
        }
    }

    deinit {
        shutdown(self.listener, Int32(SHUT_RDWR))
    }

    /// The number of messages that clients have sent behind their hellos.
    var asked: Int { self.state.withLock { $0.asked } }

    /// From now on clients reach another daemon.
    func lead(to daemon: Daemon) {
        self.state.withLock { $0.target = daemon.port }
    }

    private func serve(_ client: Int32) {
        let (target, isFirst) = self.state.withLock { state in
            state.connections += 1
            return (state.target, state.connections == 1)
        }
        guard let daemon = try? Loopback.socket(), Loopback.connect(daemon, to: target) else {
            close(client)
            return
        }
        let (limit, lost) = isFirst ? (self.frames, self.lost) : (.max, nil)
        // The threads keep them: the number of a closed socket may belong to one of another test.
        let ends = Ends(client: client, daemon: daemon)
        Thread.detachNewThread {
            var count = 0
            Self.pass(from: ends.client, to: ends.daemon) { _ in
                count += 1
                if count > 1 { self.state.withLock { $0.asked += 1 } }
                return true
            }
        }
        Thread.detachNewThread {
            var count = 0
            Self.pass(from: ends.daemon, to: ends.client) { message in
                count += 1
                return count <= limit && lost.map { message.starts(with: $0) } != true
            }
        }
    }

    /// The sockets of one connection, which are closed when nobody uses them.
    private final class Ends: Sendable {
        let client: Int32
        let daemon: Int32

        init(client: Int32, daemon: Int32) {
            self.client = client
            self.daemon = daemon
        }

        deinit {
            close(self.client)
            close(self.daemon)
        }
    }

    /// Passes frames on until one side ends; the closure returns whether the next one is passed on or lost.
    private static func pass(from source: Int32, to target: Int32, _ passes: (ArraySlice<UInt8>) -> Bool) {
        Loopback.readFrames(from: source) { frame in
            if passes(frame[4...]) { _ = send(target, frame, frame.count, Int32(MSG_NOSIGNAL)) }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(target, Int32(SHUT_RDWR))
    }
}

/// TCP on this machine.
enum Loopback {
    static func socket() throws -> Int32 {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw CannotListen(reason: errno) }
        return descriptor
    }

    /// Listens on a free port, and returns it.
    static func listen(_ descriptor: Int32) throws -> UInt16 {
        var address = self.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failed = withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return bind(descriptor, address, length) != 0 || Glibc.listen(descriptor, 16) != 0
                || getsockname(descriptor, address, &length) != 0
        }
        guard !failed else { throw CannotListen(reason: errno) }
        return UInt16(bigEndian: address.sin_port)
    }

    static func connect(_ descriptor: Int32, to port: UInt16) -> Bool {
        var address = self.address(port: port)
        return withUnsafeBytes(of: &address) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return Glibc.connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }

    /// Reads frames with their heads until the other side ends.
    static func readFrames(from descriptor: Int32, _ body: ([UInt8]) -> Void) {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
            while bytes.count >= 4 {
                let length = 4 + bytes[..<4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
                guard bytes.count >= length else { break }
                body(Array(bytes[..<length]))
                bytes.removeFirst(length)
            }
        }
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }
}
