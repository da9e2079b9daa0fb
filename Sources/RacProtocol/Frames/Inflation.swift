import CZlib
package import NIOCore

/// One zlib stream (RFC 1950) that is inflated piece by piece, and no further than a limit.
package final class Inflation {
    package enum Progress: Equatable {
        /// There is more to do.
        case begun
        /// This is all of it.
        case whole(ByteBuffer)
    }

    /// The number of bytes that zlib takes and gives at a time.
    private static let chunkBytes = 64 << 10

    private let limit: Int
    private var input: ByteBuffer
    private var output = ByteBuffer()
    // zlib wants to find it at the same address each time.
    private let stream: UnsafeMutablePointer<z_stream>

    package init(of payload: ByteBuffer, limit: Int) throws(FrameError) {
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

    /// Goes on until as many bytes were taken and given, together, or a chunk more.
    ///
    /// - Returns: How far it is, and how many bytes that were.
    package func inflate(atMost room: Int) throws(FrameError) -> (progress: Progress, bytes: Int) {
        var bytes = 0
        while bytes < room {
            let before = self.input.readableBytes - self.output.readableBytes
            let status = self.step()
            bytes += before - (self.input.readableBytes - self.output.readableBytes)
            guard self.output.readableBytes <= self.limit else { throw .tooLarge(bytes: nil, limit: self.limit) }
            switch status {
            case Z_OK: continue
            case Z_STREAM_END where self.input.readableBytes == 0: return (.whole(self.output), bytes)
            default: throw .doesNotInflate
            }
        }
        return (.begun, bytes)
    }

    private func step() -> Int32 {
        var status = Z_OK
        var taken = 0
        self.input.withUnsafeReadableBytes { source in
            let available = min(source.count, Self.chunkBytes)
            // zlib reads its input only; its C declaration lacks the const.
            self.stream.pointee.next_in = UnsafeMutablePointer(mutating: source.bindMemory(to: UInt8.self).baseAddress)
            self.stream.pointee.avail_in = UInt32(available)
            self.output.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.chunkBytes) { target in
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
