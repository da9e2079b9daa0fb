import NIOCore
import NIOEmbedded
import RacProtocol

@testable import RacServer

/// A history of two clients with a daemon whose time passes as the input says.
///
/// The clients are `A` and `B`, and each line is a step:
///
///     A {"op":"ping"}      A says this in a frame
///     A~{"op":"ping"}      the same in a compressed frame
///     A!bytes              A says these bytes, without a frame around them
///     A|  A/  A>  A.       A stops reading, reads on, closes its sending side, is gone; it comes again when it speaks
///     +2500                so many milliseconds pass
///
/// `$f` and `$l` stand for the numbers of the following and the leading terminal of the channel `v`.
///
/// Both have said hello, with deflate. Their bytes may be anything: the daemon sends only messages in frames, and
/// another client is served.
enum WireTarget {
    static func run(_ input: [UInt8]) throws {
        let daemon = try FuzzedDaemon()
        defer { daemon.end() }
        for line in input.split(separator: UInt8(ascii: "\n")) { try daemon.step(line) }
        try daemon.checkServes()
    }
}

private final class FuzzedDaemon {
    private static let hello = #"{"op":"hello","version":1,"deflate":true}"#

    private let daemon: FuzzedLoop
    private var loop: EmbeddedEventLoop { self.daemon.loop }
    private var connections: ConnectionLoop { self.daemon.connections }
    private var clients: [UInt8: FuzzedClient] = [:]
    private var terminals: [String: String] = [:]

    init() throws {
        self.daemon = FuzzedLoop {
            $0.maximumFrameBytes = 1 << 16
            // The answers have to be frames.
            $0.web = nil
        }
        self.terminals = try self.boundTerminals()
        for name in [UInt8(ascii: "A"), UInt8(ascii: "B")] {
            try self.client(name).say(Self.frame(Array(Self.hello.utf8)))
        }
    }

    /// Everybody goes, and the time that was asked for never comes.
    func end() {
        for client in self.clients.values { client.vanish() }
        self.daemon.end()
    }

    func step(_ line: ArraySlice<UInt8>) throws {
        guard let first = line.first else { return }
        if first == UInt8(ascii: "+") {
            let milliseconds = Int64(String(decoding: line.dropFirst().prefix(6), as: UTF8.self)) ?? 0
            return self.loop.advanceTime(by: .milliseconds(max(0, milliseconds)))
        }
        guard first == UInt8(ascii: "A") || first == UInt8(ascii: "B"), let second = line.dropFirst().first else {
            return
        }
        let rest = self.terminals.reduce(Array(line.dropFirst(2))) { $0.replacing($1.key.utf8, with: $1.value.utf8) }
        let client = try self.client(first)
        switch second {
        case UInt8(ascii: " "): try client.say(Self.frame(rest))
        case UInt8(ascii: "~"): try client.say(Self.frame(rest, compressed: true))
        case UInt8(ascii: "!"): try client.say(ByteBuffer(bytes: rest))
        case UInt8(ascii: "|"): client.setReading(false)
        case UInt8(ascii: "/"): client.setReading(true)
        case UInt8(ascii: ">"): client.endInput()
        case UInt8(ascii: "."): client.vanish()
        default: break
        }
        for client in self.clients.values { try client.checkHeard() }
    }

    func checkServes() throws {
        let witness = try FuzzedClient(self.connections, self.loop)
        defer { witness.vanish() }
        try witness.say(Self.frame(Array(Self.hello.utf8)))
        try witness.say(Self.frame(Array(#"{"op":"get","id":1,"channel":"$sys/version"}"#.utf8)))
        guard let last = try witness.checkHeard(), String(buffer: last).contains(#""value":"racd/fuzz""#) else {
            throw Finding("somebody else is not served")
        }
    }

    /// The numbers of the terminals of `v`, by the words that stand for them.
    private func boundTerminals() throws -> [String: String] {
        let client = try FuzzedClient(self.connections, self.loop)
        defer { client.vanish() }
        try client.say(Self.frame(Array(Self.hello.utf8)))
        return try [("$f", "following"), ("$l", "leading")].reduce(into: [:]) { terminals, side in
            let bind = #"{"op":"bind","id":1,"channel":"v","role":"\#(side.1)"}"#
            try client.say(Self.frame(Array(bind.utf8)))
            let reply = try client.checkHeard().map { String(buffer: $0) }
            guard let number = reply?.firstMatch(of: /"t":([0-9]+)/)?.1 else { throw Finding("v cannot be bound") }
            terminals[side.0] = String(number)
        }
    }

    private func client(_ name: UInt8) throws -> FuzzedClient {
        if let client = self.clients[name], client.isConnected { return client }
        let client = try FuzzedClient(self.connections, self.loop)
        self.clients[name] = client
        return client
    }

    private static func frame(_ payload: [UInt8], compressed: Bool = false) -> ByteBuffer {
        let bytes = compressed ? Deflate.deflate(ByteBuffer(bytes: payload)) : ByteBuffer(bytes: payload)
        let length = UInt32(bytes.readableBytes)
        var frame = ByteBuffer(integer: compressed ? length | FrameHeader.compressedBit : length)
        frame.writeImmutableBuffer(bytes)
        return frame
    }
}

private final class FuzzedClient {
    private let channel: EmbeddedChannel
    private var received = ByteBuffer()

    init(_ connections: ConnectionLoop, _ loop: EmbeddedEventLoop) throws {
        self.channel = EmbeddedChannel(handler: connections.makeHandler(), loop: loop)
        self.channel.connect(to: try SocketAddress(unixDomainSocketPath: "/client"), promise: nil)
        loop.run()
    }

    var isConnected: Bool { self.channel.isActive }

    func say(_ bytes: ByteBuffer) throws {
        guard self.isConnected else { return }
        try self.channel.writeInbound(bytes)
        self.channel.embeddedEventLoop.run()
    }

    func setReading(_ isReading: Bool) {
        self.channel.isWritable = isReading
        self.channel.pipeline.fireChannelWritabilityChanged()
        self.channel.embeddedEventLoop.run()
    }

    func endInput() {
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        self.channel.embeddedEventLoop.run()
    }

    func vanish() {
        self.channel.close(promise: nil)
        self.channel.embeddedEventLoop.run()
    }

    /// All that the daemon has said is whole messages; gives the last one.
    @discardableResult
    func checkHeard() throws -> ByteBuffer? {
        while let bytes = try self.channel.readOutbound(as: ByteBuffer.self) {
            self.received.writeImmutableBuffer(bytes)
        }
        let reader = FrameReader(maximumBytes: 1 << 28, inflates: true)
        var last: ByteBuffer?
        while let payload = try reader.nextPayload(in: &self.received) {
            _ = try ServerMessage.read(payload: payload) { _ in nil }
            last = payload
        }
        guard self.received.readableBytes == 0 else { throw Finding("the daemon has said half a frame") }
        return last
    }
}
