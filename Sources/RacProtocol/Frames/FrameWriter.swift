/// Writes a frame straight into memory that was made ready for all of it.
///
/// For the few messages that a daemon writes for nearly every send; an ``ObjectWriter`` writes any message.
/// Inlined, the texts are some moves of words.
struct FrameWriter {
    private let start: UnsafeMutableRawPointer
    private(set) var count = FrameHeader.byteCount

    fileprivate init(_ start: UnsafeMutableRawPointer) {
        self.start = start
    }

    @inline(__always)
    mutating func write(_ text: StaticString) {
        self.write(UnsafeRawPointer(text.utf8Start), text.utf8CodeUnitCount)
    }

    @inline(__always)
    mutating func write(_ number: UInt64) {
        self.count += number.writeDigits(to: self.start + self.count)
    }

    @inline(__always)
    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        // An empty buffer may have no address.
        if let start = bytes.baseAddress { self.write(start, bytes.count) }
    }

    @inline(__always)
    private mutating func write(_ bytes: UnsafeRawPointer, _ count: Int) {
        (self.start + self.count).copyMemory(from: bytes, byteCount: count)
        self.count += count
    }
}

extension FrameBytes {
    /// Appends one frame of at most this many bytes, which the closure writes.
    ///
    /// - Parameters:
    ///   - bytes: The most bytes that the closure writes.
    ///   - following: The bytes of the frame that the caller appends afterwards.
    ///   - write: Writes the frame.
    @inline(__always)
    mutating func appendFrame(
        atMost bytes: Int,
        followedBy following: Int = 0,
        _ write: (inout FrameWriter) -> Void
    ) {
        self.append(atMost: bytes) { start in
            var writer = FrameWriter(start)
            write(&writer)
            let length = UInt32(truncatingIfNeeded: writer.count - FrameHeader.byteCount + following)
            start.storeBytes(of: length.bigEndian, as: UInt32.self)
            return writer.count
        }
    }
}
