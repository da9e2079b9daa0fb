import NIOCore
import RacProtocol
import RacWeb

/// Bytes of a client in a WebSocket.
///
/// However the bytes are cut up, the same events and the same fault come of them. Each message is one frame of the protocol within
/// the limit, and text.
enum WebSocketTarget {
    private static let limit = 1 << 12

    static func run(_ input: [UInt8]) throws {
        let whole = Self.read([input[...]])
        let cut = Self.read(input.indices.map { input[$0...$0] })
        guard whole.events == cut.events, whole.fault == cut.fault else {
            throw Finding("in one piece: \(whole), byte by byte: \(cut)")
        }
        for case .message(var frame) in whole.events {
            let reader = FrameReader(maximumBytes: Self.limit, inflates: false)
            guard let payload = try reader.nextPayload(in: &frame), frame.readableBytes == 0 else {
                throw Finding("a message is not one frame")
            }
            guard String(validating: payload.readableBytesView, as: UTF8.self) != nil else {
                throw Finding("a message is no text")
            }
            var frames = FrameBytes()
            frames.append(FrameBytes(copying: Self.frame(payload)))
            guard frames.asWebSocketMessages.count > payload.readableBytes else { throw Finding("a message is cut") }
        }
    }

    private static func frame(_ payload: ByteBuffer) -> ByteBuffer {
        var frame = ByteBuffer()
        frame.writeFrame { $0.writeImmutableBuffer(payload) }
        return frame
    }

    private struct Events {
        var events: [WebSocketReader.Event] = []
        var fault: WebSocketFault?
    }

    private static func read(_ pieces: [ArraySlice<UInt8>]) -> Events {
        var events = Events()
        var reader = WebSocketReader(maximumBytes: Self.limit)
        for piece in pieces where events.fault == nil {
            reader.received(ByteBuffer(bytes: piece))
            do throws(WebSocketFault) {
                while let event = try reader.next() { events.events.append(event) }
            } catch {
                events.fault = error
            }
        }
        return events
    }
}
