import NIOCore
import RacProtocol

/// Bytes of a connection; the first one says with `d` that compressed frames were agreed on.
///
/// However the bytes are cut up, the same frames and the same fault come of them, and no payload is beyond the limit.
enum FrameTarget {
    private static let limit = 1 << 16

    static func run(_ input: [UInt8]) throws {
        let reader = FrameReader(maximumBytes: Self.limit, inflates: input.first == UInt8(ascii: "d"))
        let bytes = input.dropFirst()
        let whole = Self.read(reader, [bytes])
        let cut = Self.read(reader, bytes.map { [$0] })
        guard whole == cut else { throw Finding("in one piece: \(whole), byte by byte: \(cut)") }
        for payload in whole.payloads {
            guard payload.readableBytes <= Self.limit else { throw Finding("a frame beyond the limit") }
            let again = try Deflate.inflate(Deflate.deflate(payload), limit: Self.limit)
            guard again == payload else { throw Finding("a payload changes when it is compressed and inflated") }
        }
    }

    private struct Frames: Equatable {
        var payloads: [ByteBuffer] = []
        var fault: FrameError?
        var rest = ByteBuffer()
    }

    private static func read(_ reader: FrameReader, _ pieces: some Sequence<some Collection<UInt8>>) -> Frames {
        var frames = Frames()
        for piece in pieces where frames.fault == nil {
            frames.rest.writeBytes(piece)
            do throws(FrameError) {
                while let payload = try reader.nextPayload(in: &frames.rest) { frames.payloads.append(payload) }
            } catch {
                frames.fault = error
            }
        }
        // Bytes behind a frame that breaks the framing belong to no frame.
        if frames.fault != nil { frames.rest = ByteBuffer() }
        return frames
    }
}
