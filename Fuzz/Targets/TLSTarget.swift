#if TLS
import NIOCore
import NIOEmbedded
import NIOSSL
import RacProtocol

@testable import RacServer

/// A client that begins TLS, whose bytes are cut, altered, lost, and mixed with others, as the input says.
///
/// Each line is a step. The client wants to say its handshake, and then a hello:
///
///     =  =12     the bytes that wait go to the daemon, or the first 12 of them
///     ~12        the bits of the byte at 12 of those that wait are turned round
///     x12        12 of the bytes that wait are lost
///     !bytes     these bytes go to the daemon
///     >          the client closes its sending side
///     +2500      so many milliseconds pass
///
/// A first line `either` is for an address that takes plain bytes, too. The daemon says records of TLS only, to a client
/// whose bytes begin TLS, and another client is served. A client whose bytes all arrive in time gets the welcome.
enum TLSTarget {
    static func run(_ input: [UInt8]) throws {
        var lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)[...]
        let isEither = lines.first.map { $0.elementsEqual("either".utf8) } ?? false
        if isEither { lines = lines.dropFirst() }
        let scene = try Scene(allowsPlain: isEither)
        defer { scene.end() }
        for line in lines.prefix(200) { try scene.step(line) }
        try scene.checkWelcome()
        try scene.entrance.checkServes()
    }
}

private final class Scene {
    private static let contexts = Result {
        (server: try FuzzCertificate.server(), client: try FuzzCertificate.client())
    }

    let entrance = FuzzedEntrance()
    private let connection: FuzzedEntrance.Connection
    private let client: EmbeddedChannel
    private let allowsPlain: Bool
    /// The client's bytes that have not gone to the daemon.
    private var waiting: [UInt8] = []
    private var first: UInt8?
    /// The daemon's bytes that are no whole record yet.
    private var records = ByteBuffer()
    private var isWhole = true

    init(allowsPlain: Bool) throws {
        let contexts = try Self.contexts.get()
        let server = TLSEntrance(allowsPlain: allowsPlain) { (NIOSSLServerHandler(context: contexts.server), nil) }
        self.allowsPlain = allowsPlain
        self.connection = try self.entrance.connection(behind: [server])
        let handler = try NIOSSLClientHandler(context: contexts.client, serverHostname: "localhost")
        self.client = EmbeddedChannel(handler: handler, loop: self.entrance.loop)
        self.client.connect(to: try SocketAddress(unixDomainSocketPath: "/daemon"), promise: nil)
        self.client.writeAndFlush(FuzzedEntrance.frame(FuzzedEntrance.hello), promise: nil)
        try self.exchange()
    }

    func end() {
        self.connection.close()
        self.client.close(promise: nil)
        self.entrance.pass(10_000)
        self.entrance.end()
    }

    func step(_ line: ArraySlice<UInt8>) throws {
        guard let kind = line.first else { return }
        let rest = line.dropFirst()
        let number = Int(String(decoding: rest.prefix(6), as: UTF8.self))
        switch kind {
        case UInt8(ascii: "="): try self.send(self.take(number ?? self.waiting.count))
        case UInt8(ascii: "~"):
            guard let number, self.waiting.indices.contains(number) else { return }
            self.waiting[number] = ~self.waiting[number]
            self.isWhole = false
        case UInt8(ascii: "x"):
            if !self.take(number ?? 0).isEmpty { self.isWhole = false }
        case UInt8(ascii: "!"):
            if !rest.isEmpty { self.isWhole = false }
            try self.send(Array(rest))
        case UInt8(ascii: ">"):
            self.isWhole = false
            self.connection.endInput()
        case UInt8(ascii: "+"):
            self.isWhole = false
            self.entrance.pass(Int64(max(0, number ?? 0)))
        default: return
        }
        try self.exchange()
    }

    /// A client none of whose bytes were touched is welcomed when all have arrived.
    func checkWelcome() throws {
        guard self.isWhole else { return }
        for _ in 0..<8 {
            try self.send(self.take(self.waiting.count))
            try self.exchange()
        }
        guard let welcome = try self.client.readInbound(as: ByteBuffer.self),
            String(buffer: welcome).contains(#""op":"welcome""#)
        else { throw Finding("a client whose bytes have all arrived is not welcomed") }
    }

    private func take(_ count: Int) -> [UInt8] {
        let taken = Array(self.waiting.prefix(max(0, count)))
        self.waiting.removeFirst(taken.count)
        return taken
    }

    private func send(_ bytes: [UInt8]) throws {
        self.first = self.first ?? bytes.first
        try self.connection.say(ByteBuffer(bytes: bytes))
    }

    /// Passes on what both sides have said.
    private func exchange() throws {
        self.entrance.run()
        let heard = try self.connection.heard()
        try self.check(heard)
        // A client that does not understand the daemon gives up.
        if heard.readableBytes > 0, self.client.isActive { _ = try? self.client.writeInbound(heard) }
        while let bytes = try self.client.readOutbound(as: ByteBuffer.self) { self.waiting += bytes.readableBytesView }
    }

    private func check(_ heard: ByteBuffer) throws {
        guard heard.readableBytes > 0 else { return }
        guard let first else { throw Finding("the daemon speaks first") }
        guard first == TLSRecord.handshake || !self.allowsPlain else { return }
        self.records.writeImmutableBuffer(heard)
        while let header = self.records.getBytes(at: self.records.readerIndex, length: 5) {
            let length = Int(header[3]) << 8 | Int(header[4])
            guard (0x14...0x17).contains(header[0]), header[1] == 3, length <= (1 << 14) + 256 else {
                throw Finding("the daemon says \(header), which is no record of TLS")
            }
            guard self.records.readableBytes >= 5 + length else { return }
            self.records.moveReaderIndex(forwardBy: 5 + length)
        }
    }
}
#endif
