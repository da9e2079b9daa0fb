import Logging
import NIOCore
import NIOPosix
import RacProtocol
import Testing

@testable import RacServer

@Suite struct OutletTests {
    @Test("Behind another handler no byte goes past it: at the start, with a full socket, and at the end")
    func passesTheTransport() async throws {
        try await RunningLoops.serving(transport: { _ in [Scrambler()] }) { address, _ in
            let client = try ScrambledClient(address)
            try await client.say(Wire.hello)
            #expect(try await client.hear().contains(#""op":"welcome""#))
            let value = String(repeating: "v", count: 100_000)
            try await client.say(#"{"op":"set","id":1,"channel":"a","value":"\#(value)"}"#)
            #expect(try await client.hear().contains(#""id":1"#))

            // Far more than the socket's buffers take, while the client does not read.
            let gets = 60
            for id in 0..<gets { try await client.say(#"{"op":"get","id":\#(id),"channel":"a"}"#) }
            for id in 0..<gets {
                let text = try await client.hear()
                #expect(text.hasPrefix(#"{"op":"reply","id":\#(id),"#) && text.contains(value))
            }

            try await client.sayBrokenFrame()
            #expect(try await client.hear().contains(#""code":"too-large""#))
            #expect(try await client.reachesTheEnd())
        }
    }
}

/// Changes every byte both ways, as encryption would.
private final class Scrambler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    static func scrambled(_ bytes: ByteBuffer) -> ByteBuffer {
        var bytes = bytes
        bytes.withUnsafeMutableReadableBytes { bytes in
            for index in bytes.indices { bytes[index] ^= 0xA5 }
        }
        return bytes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(self.wrapInboundOut(Self.scrambled(self.unwrapInboundIn(data))))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(self.wrapOutboundOut(Self.scrambled(self.unwrapOutboundIn(data))), promise: promise)
    }
}

/// A client whose bytes are changed both ways: a byte that went past the daemon's transport gives it no frame.
private final class ScrambledClient {
    private let socket: SocketClient
    private var received = ByteBuffer()
    private let reader = FrameReader(maximumBytes: 8 << 20, inflates: false)

    init(_ address: ListenAddress) throws {
        self.socket = try SocketClient(address, receiveBuffer: 4096)
    }

    func say(_ text: String) async throws {
        try await self.socket.sayBytes(Scrambler.scrambled(Wire.frame(text)))
    }

    func sayBrokenFrame() async throws {
        try await self.socket.sayBytes(Scrambler.scrambled(ByteBuffer(integer: UInt32(1 << 30))))
    }

    func hear() async throws -> String {
        while true {
            if let payload = try self.reader.nextPayload(in: &self.received) { return String(buffer: payload) }
            guard let bytes = try await self.socket.hearBytes() else { throw Surprise(what: "the daemon ended") }
            self.received.writeImmutableBuffer(Scrambler.scrambled(bytes))
        }
    }

    /// Whether the daemon ends the connection without another byte.
    func reachesTheEnd() async throws -> Bool {
        try await self.socket.hearBytes() == nil && self.received.readableBytes == 0
    }
}
