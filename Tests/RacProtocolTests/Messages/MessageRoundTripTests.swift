import Expectations
import NIOCore
import RacProtocol
import Testing

@Suite struct MessageRoundTripTests {
    @Test(
        "A client's messages are written as the table says, and read back as they were",
        arguments: try ClientSamples.all()
    )
    func client(sample: ClientSample) throws {
        let payload = try Frames.sole { sample.message.write(to: &$0) }
        expect(String(buffer: payload) == sample.payload)
        expect(try ClientMessage(payload: payload) == sample.message)
    }

    @Test(
        "The daemon's messages are written as the table says, and read back as they were",
        arguments: try ServerSamples.all()
    )
    func server(sample: ServerSample) throws {
        let payload = try Frames.sole { sample.message.write(to: &$0) }
        expect(String(buffer: payload) == sample.payload)
        expect(try ServerMessage.read(payload: payload) { _ in sample.request } == sample.message)
    }

    @Test("A reply, a change and a state as objects are their messages without the first two keys")
    func objects() throws {
        for sample in try ServerSamples.all() {
            let object: SplitText
            switch sample.message {
            case .reply(_, let reply): object = reply.object
            case .changed(let changed): object = changed.object
            case .state(_, let state): object = state.object
            default: continue
            }
            let parts = sample.payload.split(separator: ",", omittingEmptySubsequences: false).dropFirst(2)
            expect(String(buffer: object.whole) == (parts.isEmpty ? "{}" : "{\(parts.joined(separator: ","))"))
        }
    }

    @Test("An object refers to its long value")
    func longObject() throws {
        let value = JSONText.string(String(repeating: "x", count: FrameBytes.longBytes))
        let changed = Changed(
            watch: WatchID(1),
            channel: try ChannelName("a"),
            revision: Revision(2),
            state: .open,
            value: value,
            by: "b"
        )
        expect(changed.object.long.map(\.value) == [value])
        let text = #"{"channel":"a","rev":2,"state":"open","value":\#(value),"by":"b"}"#
        expect(String(buffer: changed.object.whole) == text)
        expect(changed.object.count == text.utf8.count)
    }

    @Test("The table has every operation of a client")
    func everyClientOperation() throws {
        let known: Set = [
            "hello", "bye", "ping", "pong", "bind", "unbind", "get", "set", "finish", "reopen", "delete", "create",
            "put", "list", "who", "watch", "unwatch", "next", "completed", "error", "host", "unhost", "exec", "observe",
            "unobserve", "commands", "forget", "cancel", "enabled",
        ]
        expect(try Set(ClientSamples.all().map { try Self.operation($0.payload) }) == known)
    }

    @Test("The table has every operation of the daemon")
    func everyServerOperation() throws {
        let known: Set = [
            "welcome", "reply", "refused", "next", "completed", "error", "ack", "nak", "changed", "synced", "ping",
            "pong", "execute", "cancel", "state", "unhosted",
        ]
        expect(try Set(ServerSamples.all().map { try Self.operation($0.payload) }) == known)
    }

    @Test("A message cut short is refused, wherever it is cut", arguments: try ClientSamples.all())
    func truncatedClient(sample: ClientSample) {
        for payload in Self.truncations(sample.payload) {
            let error = #expect(throws: MessageError.self) { try ClientMessage(payload: payload) }
            expect(error?.error.code == "bad-message")
            expect(error?.subject == nil)
        }
    }

    @Test("A message of the daemon cut short is refused, wherever it is cut", arguments: try ServerSamples.all())
    func truncatedServer(sample: ServerSample) {
        for payload in Self.truncations(sample.payload) {
            #expect(throws: MessageError.self) {
                try ServerMessage.read(payload: payload) { _ in sample.request }
            }
        }
    }

    private static func operation(_ payload: String) throws -> String {
        try Envelope(ByteBuffer(string: payload)).requiredString(.op)
    }

    private static func truncations(_ payload: String) -> [ByteBuffer] {
        let bytes = Array(payload.utf8)
        return bytes.indices.map { ByteBuffer(bytes: bytes[..<$0]) }
    }
}

/// Frames for tests.
enum Frames {
    static let reader = FrameReader(maximumBytes: 8 << 20, inflates: true)

    /// The payload of the one frame that the closure writes.
    static func sole(_ write: (inout ByteBuffer) -> Void) throws -> ByteBuffer {
        var bytes = ByteBuffer()
        write(&bytes)
        let payload = try #require(try Self.reader.nextPayload(in: &bytes))
        expect(bytes.readableBytes == 0)
        return payload
    }

    /// One frame with these bytes for its payload.
    static func frame(_ payload: [UInt8], compressed: Bool = false) -> ByteBuffer {
        let header = UInt32(payload.count) | (compressed ? FrameHeader.compressedBit : 0)
        var frame = ByteBuffer(integer: header)
        frame.writeBytes(payload)
        return frame
    }
}
