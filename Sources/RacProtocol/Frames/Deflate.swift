import CZlib
package import NIOCore

/// zlib streams (RFC 1950), one a frame.
package enum Deflate {
    /// Inflates a whole stream, and no further than the limit.
    package static func inflate(_ payload: ByteBuffer, limit: Int) throws(FrameError) -> ByteBuffer {
        try Inflation(of: payload, limit: limit).inflate()
    }

    /// Compresses a payload into one stream.
    ///
    /// The level is zlib's, from 1, the fastest, to 9.
    package static func deflate(_ payload: ByteBuffer, level: Int32 = 1) -> ByteBuffer {
        var bound = compressBound(UInt(payload.readableBytes))
        var output = ByteBuffer()
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: Int(bound)) { target in
            payload.withUnsafeReadableBytes { source in
                let status = compress2(
                    target.bindMemory(to: UInt8.self).baseAddress,
                    &bound,
                    source.bindMemory(to: UInt8.self).baseAddress,
                    UInt(source.count),
                    level
                )
                // The only failures are memory and a target below compressBound.
                precondition(status == Z_OK, "zlib compresses into a buffer of compressBound bytes")
            }
            return Int(bound)
        }
        return output
    }
}

extension Deflate {
    /// Compresses bytes for HTTP (RFC 1952): the stream in its other wrapping, as short as zlib makes it.
    package static func gzip(_ bytes: ByteBuffer) -> ByteBuffer {
        let stream = self.deflate(bytes, level: Z_BEST_COMPRESSION)
        var output = ByteBuffer(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
        // Two bytes of zlib's header, and four of its checksum.
        output.writeBytes(stream.readableBytesView.dropFirst(2).dropLast(4))
        let sum = bytes.withUnsafeReadableBytes { bytes in
            crc32(0, bytes.bindMemory(to: UInt8.self).baseAddress, UInt32(truncatingIfNeeded: bytes.count))
        }
        output.writeInteger(UInt32(truncatingIfNeeded: sum), endianness: .little)
        output.writeInteger(UInt32(truncatingIfNeeded: bytes.readableBytes), endianness: .little)
        return output
    }
}
