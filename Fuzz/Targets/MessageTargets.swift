import NIOCore
import RacProtocol

/// A payload of a client: it is refused with one of the protocol's codes, or is a message that is written as it was read.
enum ClientMessageTarget {
    static func run(_ input: [UInt8]) throws {
        let message: ClientMessage
        do throws(MessageError) {
            message = try ClientMessage(payload: ByteBuffer(bytes: input))
        } catch {
            return try Self.check(error.error)
        }
        let payload = try Frame.sole { message.write(to: &$0) }
        guard try ClientMessage(payload: payload) == message else {
            throw Finding("read again it is another message: \(String(buffer: payload))")
        }
    }

    private static func check(_ error: WireError) throws {
        guard ["bad-message", "unknown-op", "bad-name", "unsupported-version"].contains(error.code) else {
            throw Finding("refused with \(error.code)")
        }
        // The refusal itself travels, with whatever it quotes.
        let refusal = ServerMessage.refused(nil, Refusal(error))
        let payload = try Frame.sole { refusal.write(to: &$0) }
        guard try ServerMessage.read(payload: payload, request: { _ in nil }) == refusal else {
            throw Finding("the refusal is read as another one: \(String(buffer: payload))")
        }
    }
}

/// A payload of the daemon, taken for the answer to each kind of request.
enum ServerMessageTarget {
    static func run(_ input: [UInt8]) throws {
        let bytes = ByteBuffer(bytes: input)
        for request in try Self.requests() {
            guard let message = try? ServerMessage.read(payload: bytes, request: { _ in request }) else { continue }
            let payload = try Frame.sole { message.write(to: &$0) }
            guard try ServerMessage.read(payload: payload, request: { _ in request }) == message else {
                throw Finding("read again it is another message: \(String(buffer: payload))")
            }
        }
    }

    /// One of each kind of reply.
    private static func requests() throws -> [Request] {
        let name = try ChannelName("c")
        return [
            .ping, .bind(Bind(channel: name)), .get(name), .reopen(ChannelOrder(channel: name)), .put(Put(entries: [])),
            .list(List()), .commands(List()), .who(AskWho(channel: name)), .who(AskWho(channel: nil)), .watch(.all),
            .host(HostCommand(command: try CommandName("c"))), .exec(Exec(command: try CommandName("c"))),
            .observe(try CommandName("c")),
        ]
    }
}

enum Frame {
    /// The payload of the one frame that the closure writes.
    static func sole(_ write: (inout ByteBuffer) -> Void) throws -> ByteBuffer {
        var bytes = ByteBuffer()
        write(&bytes)
        let reader = FrameReader(maximumBytes: 1 << 28, inflates: true)
        guard let payload = try reader.nextPayload(in: &bytes), bytes.readableBytes == 0 else {
            throw Finding("a message is written as something else than one frame")
        }
        return payload
    }
}
