import NIOCore

extension FrameBytes {
    /// Calls the closure with the payload of each frame, in order, and with whether it is compressed.
    ///
    /// The bytes are those of this memory: they must not leave the closure.
    package func forEachPayload(_ body: (_ payload: UnsafeRawBufferPointer, _ isCompressed: Bool) -> Void) {
        self.withUnsafeBytes { bytes in
            var start = 0
            while start + FrameHeader.byteCount <= bytes.count {
                let header = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
                start += FrameHeader.byteCount
                let end = start + Int(header & FrameHeader.lengthMask)
                body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), header & FrameHeader.compressedBit != 0)
                start = end
            }
        }
    }

    /// Appends one frame with this payload.
    mutating func append(payload: UnsafeRawBufferPointer, isCompressed: Bool) {
        self.append(atMost: FrameHeader.byteCount + payload.count) { start in
            let length = UInt32(truncatingIfNeeded: payload.count)
            let header = isCompressed ? length | FrameHeader.compressedBit : length
            start.storeBytes(of: header.bigEndian, as: UInt32.self)
            if let source = payload.baseAddress {
                (start + FrameHeader.byteCount).copyMemory(from: source, byteCount: payload.count)
            }
            return FrameHeader.byteCount + payload.count
        }
    }

    /// Compresses each payload of at least this many bytes; shorter ones stay as they are.
    package func deflated(from threshold: Int) -> FrameBytes {
        guard self.count >= threshold else { return self }
        var result = FrameBytes()
        self.forEachPayload { payload, isCompressed in
            guard payload.count >= threshold, !isCompressed else {
                return result.append(payload: payload, isCompressed: isCompressed)
            }
            Deflate.deflate(ByteBuffer(bytes: payload)).withUnsafeReadableBytes {
                result.append(payload: $0, isCompressed: true)
            }
        }
        return result
    }
}
