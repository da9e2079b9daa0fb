import NIOCore
import NIOEmbedded
import RacAccess
import RacProtocol

@testable import RacServer

/// The way into a daemon, on a loop whose time passes as the input says: connections behind a transport, and a witness.
final class FuzzedEntrance {
    static let hello = #"{"op":"hello","version":1}"#

    private let daemon: FuzzedLoop
    var loop: EmbeddedEventLoop { self.daemon.loop }

    init(access: AccessPolicy? = nil) {
        self.daemon = FuzzedLoop { $0.access = access }
    }

    func end() {
        self.daemon.end()
    }

    /// A connection behind these handlers.
    func connection(behind transport: [any ChannelHandler] = []) throws -> Connection {
        try Connection(self.daemon.connections.makeHandler(), behind: transport, on: self.loop)
    }

    /// Lets the loop do what is at hand, and the turns that follow.
    func run() {
        for _ in 0..<4 { self.loop.advanceTime(by: .microseconds(100)) }
    }

    func pass(_ milliseconds: Int64) {
        self.loop.advanceTime(by: .milliseconds(milliseconds))
        self.run()
    }

    /// Throws if another client is not welcomed.
    func checkServes(token: String? = nil) throws {
        let witness = try self.connection()
        defer { witness.close() }
        let token = token.map { #","token":"\#($0)""# } ?? ""
        try witness.say(Self.frame(#"{"op":"hello","version":1\#(token)}"#))
        self.run()
        guard String(buffer: try witness.heard()).contains(#""op":"welcome""#) else {
            throw Finding("somebody else is not served")
        }
    }

    static func frame(_ payload: String) -> ByteBuffer { self.frame(Array(payload.utf8)) }

    static func frame(_ payload: [UInt8]) -> ByteBuffer {
        var frame = ByteBuffer(integer: UInt32(payload.count))
        frame.writeBytes(payload)
        return frame
    }

    /// The daemon's end of one connection.
    final class Connection {
        private let channel: EmbeddedChannel
        private let handler: ConnectionHandler

        fileprivate init(
            _ handler: ConnectionHandler,
            behind transport: [any ChannelHandler],
            on loop: EmbeddedEventLoop
        ) throws {
            self.handler = handler
            self.channel = EmbeddedChannel(handlers: transport.isEmpty ? [handler] : [], loop: loop)
            if !transport.isEmpty { try handler.join(self.channel.pipeline.syncOperations, behind: transport) }
            self.channel.connect(to: try SocketAddress(unixDomainSocketPath: "/client"), promise: nil)
            loop.run()
        }

        var isOpen: Bool { self.channel.isActive }

        func say(_ bytes: ByteBuffer) throws {
            guard self.isOpen, bytes.readableBytes > 0 else { return }
            try self.channel.writeInbound(bytes)
        }

        func endInput() {
            self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }

        /// The bytes that the daemon has said since the last call.
        func heard() throws -> ByteBuffer {
            var all = ByteBuffer()
            while let bytes = try self.channel.readOutbound(as: ByteBuffer.self) { all.writeImmutableBuffer(bytes) }
            return all
        }

        func close() {
            self.handler.close()
            self.channel.embeddedEventLoop.run()
        }
    }
}
