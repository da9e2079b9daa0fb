import CZlib
package import NIOCore

/// zlib streams (RFC 1950), one a frame.
package enum Deflate {
    private static let chunkBytes = 64 << 10

    /// Inflates a whole stream, and no further than the limit.
    package static func inflate(_ payload: ByteBuffer, limit: Int) throws(FrameError) -> ByteBuffer {
        var stream = z_stream()
        guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .doesNotInflate
        }
        defer { inflateEnd(&stream) }
        var output = ByteBuffer()
        let status = Self.run(&stream, over: payload, into: &output, limit: limit) { CZlib.inflate(&$0, Z_NO_FLUSH) }
        guard output.readableBytes <= limit else { throw .tooLarge(bytes: nil, limit: limit) }
        guard status == Z_STREAM_END, stream.avail_in == 0 else { throw .doesNotInflate }
        return output
    }

    /// Compresses a payload into one stream.
    package static func deflate(_ payload: ByteBuffer) -> ByteBuffer {
        var bound = compressBound(UInt(payload.readableBytes))
        var output = ByteBuffer()
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: Int(bound)) { target in
            payload.withUnsafeReadableBytes { source in
                let status = compress2(
                    target.bindMemory(to: UInt8.self).baseAddress,
                    &bound,
                    source.bindMemory(to: UInt8.self).baseAddress,
                    UInt(source.count),
                    Z_BEST_SPEED
                )
                // The only failures are memory and a target below compressBound.
                precondition(status == Z_OK, "zlib compresses into a buffer of compressBound bytes")
            }
            return Int(bound)
        }
        return output
    }

    /// Runs zlib until the stream ends, the input is used up or the output is beyond the limit.
    private static func run(
        _ stream: inout z_stream,
        over payload: ByteBuffer,
        into output: inout ByteBuffer,
        limit: Int,
        step: (inout z_stream) -> Int32
    ) -> Int32 {
        payload.withUnsafeReadableBytes { source in
            // zlib reads its input only; its C declaration lacks the const.
            stream.next_in = UnsafeMutablePointer(mutating: source.bindMemory(to: UInt8.self).baseAddress)
            stream.avail_in = UInt32(source.count)
            var status = Z_OK
            while status == Z_OK, output.readableBytes <= limit {
                output.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.chunkBytes) { target in
                    stream.next_out = target.bindMemory(to: UInt8.self).baseAddress
                    stream.avail_out = UInt32(target.count)
                    status = step(&stream)
                    return target.count - Int(stream.avail_out)
                }
            }
            return status
        }
    }
}
