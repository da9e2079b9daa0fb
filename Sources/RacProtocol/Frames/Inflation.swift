import CZlib
import NIOCore

/// One zlib stream (RFC 1950) that is inflated no further than a limit.
final class Inflation {
    /// The number of bytes that zlib takes and gives in one call.
    private static let chunkBytes = 64 << 10

    private let limit: Int
    private var input: ByteBuffer
    private var output = ByteBuffer()
    // zlib wants to find it at the same address each time.
    private let stream: UnsafeMutablePointer<z_stream>

    init(of payload: ByteBuffer, limit: Int) throws(FrameError) {
        self.input = payload
        self.limit = limit
        self.stream = .allocate(capacity: 1)
        self.stream.initialize(to: z_stream())
        guard inflateInit_(self.stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .doesNotInflate
        }
    }

    deinit {
        inflateEnd(self.stream)
        self.stream.deinitialize(count: 1)
        self.stream.deallocate()
    }

    /// The whole output.
    func inflate() throws(FrameError) -> ByteBuffer {
        while true {
            let status = self.step()
            guard self.output.readableBytes <= self.limit else { throw .tooLarge(bytes: nil, limit: self.limit) }
            switch status {
            case Z_OK: continue
            case Z_STREAM_END where self.input.readableBytes == 0: return self.output
            default: throw .doesNotInflate
            }
        }
    }

    private func step() -> Int32 {
        var status = Z_OK
        var taken = 0
        self.input.withUnsafeReadableBytes { source in
            let available = min(source.count, Self.chunkBytes)
            // zlib reads its input only; its C declaration lacks the const.
            self.stream.pointee.next_in = UnsafeMutablePointer(mutating: source.bindMemory(to: UInt8.self).baseAddress)
            self.stream.pointee.avail_in = UInt32(available)
            // Room beyond the limit would double the memory of an output that just fits.
            let least = max(1, min(Self.chunkBytes, self.limit - self.output.readableBytes))
            self.output.writeWithUnsafeMutableBytes(minimumWritableBytes: least) { target in
                let room = min(target.count, Self.chunkBytes)
                self.stream.pointee.next_out = target.bindMemory(to: UInt8.self).baseAddress
                self.stream.pointee.avail_out = UInt32(room)
                status = CZlib.inflate(self.stream, Z_NO_FLUSH)
                return room - Int(self.stream.pointee.avail_out)
            }
            taken = available - Int(self.stream.pointee.avail_in)
        }
        self.input.moveReaderIndex(forwardBy: taken)
        return status
    }
}

@available(*, unavailable)
extension Inflation: Sendable {}
