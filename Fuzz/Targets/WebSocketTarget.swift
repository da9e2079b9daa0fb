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
        guard whole.seen == cut.seen, whole.fault == cut.fault else {
            throw Finding("in one piece: \(whole), byte by byte: \(cut)")
        }
        for case .frames(var frames) in whole.seen {
            while frames.readableBytes > 0 { try Self.checkMessage(in: &frames) }
        }
    }

    private static func checkMessage(in frames: inout ByteBuffer) throws {
        let reader = FrameReader(maximumBytes: Self.limit, inflates: false)
        guard let payload = try reader.nextPayload(in: &frames) else { throw Finding("a message is no whole frame") }
        guard String(validating: payload.readableBytesView, as: UTF8.self) != nil else {
            throw Finding("a message is no text")
        }
        var answer = FrameBytes()
        answer.append(FrameBytes(copying: Self.frame(payload)))
        guard answer.asWebSocketMessages.count > payload.readableBytes else { throw Finding("a message is cut") }
    }

    private static func frame(_ payload: ByteBuffer) -> ByteBuffer {
        var frame = ByteBuffer()
        frame.writeFrame { $0.writeImmutableBuffer(payload) }
        return frame
    }

    /// The messages of a client up to a control frame, or that frame.
    private enum Seen: Equatable {
        case frames(ByteBuffer)
        case control(WebSocketReader.Event)
    }

    private struct Reading {
        var seen: [Seen] = []
        var fault: WebSocketFault?

        mutating func add(_ frames: ByteBuffer) {
            guard frames.readableBytes > 0 else { return }
            var all = ByteBuffer()
            if case .frames(let earlier) = self.seen.last {
                all = earlier
                self.seen.removeLast()
            }
            all.writeImmutableBuffer(frames)
            self.seen.append(.frames(all))
        }
    }

    private static func read(_ pieces: [ArraySlice<UInt8>]) -> Reading {
        var reading = Reading()
        var reader = WebSocketReader(maximumBytes: Self.limit)
        for piece in pieces where reading.fault == nil {
            reader.received(ByteBuffer(bytes: piece))
            do throws(WebSocketFault) {
                while let event = try reader.next(atMost: 100) {
                    reading.add(reader.takeFrames())
                    if case .messages = event { continue }
                    reading.seen.append(.control(event))
                }
            } catch {
                reading.add(reader.takeFrames())
                reading.fault = error
            }
        }
        return reading
    }
}
