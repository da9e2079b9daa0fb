import NIOCore
import RacProtocol

/// The messages on a program's connection, decoded by protocol.md: the rules look at these and not at the client.
struct Wiretap {
    struct Heard {
        let payload: ByteBuffer
        let message: ServerMessage
        /// The request that the message answers, if any.
        let request: Request?
    }

    private static let reader = FrameReader(maximumBytes: 1 << 30, inflates: false)

    private var incoming = ByteBuffer()
    private(set) var requests: [RequestID: Request] = [:]

    /// The messages that a client has written; a client writes whole messages.
    mutating func said(_ bytes: ByteBuffer) throws(Violation) -> [ClientMessage] {
        var rest = bytes
        var messages: [ClientMessage] = []
        do {
            while let payload = try Self.reader.nextPayload(in: &rest) {
                let message = try ClientMessage(payload: payload)
                if case .request(let id, let request) = message { self.requests[id] = request }
                messages.append(message)
            }
        } catch {
            throw Violation(.rest, "a client says what is no message: \(error)")
        }
        return messages
    }

    /// The next whole message.
    mutating func heard(_ bytes: ByteBuffer) throws(Violation) -> [Heard] {
        self.incoming.writeImmutableBuffer(bytes)
        var heard: [Heard] = []
        do {
            while let payload = try Self.reader.nextPayload(in: &self.incoming) {
                try Rule.checkLength(payload.readableBytes)
                let message = try ServerMessage.read(payload: payload) { self.requests[$0] }
                guard let message else { continue }
                let request = message.answeredRequest.flatMap { self.requests.removeValue(forKey: $0) }
                heard.append(Heard(payload: payload, message: message, request: request))
            }
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(.rest, "the daemon says what is no message: \(error)")
        }
        return heard
    }
}

extension ServerMessage {
    /// The request that the message answers.
    var answeredRequest: RequestID? {
        switch self {
        case .reply(let id, _): id
        case .refused(let id, _): id
        default: nil
        }
    }
}
