import CZlib
package import NIOCore

/// zlib streams (RFC 1950), one a frame.
package enum Deflate {
    /// Inflates a whole stream, and no further than the limit.
    package static func inflate(_ payload: ByteBuffer, limit: Int) throws(FrameError) -> ByteBuffer {
        try Inflation(of: payload, limit: limit).inflate()
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
}
