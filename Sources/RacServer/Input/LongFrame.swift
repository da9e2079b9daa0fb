package import NIOCore
package import RacProtocol

/// A frame that takes milliseconds to inflate or to scan, taken out of its connection's bytes.
///
/// It is a value, so any thread may read it.
///
/// Semantics: protocol.md, "Turns".
package struct LongFrame: Sendable {
    /// A plain payload beyond this is long: at worst its numbers take 2 ms to scan.
    package static let plainBytes = 256 << 10
    /// A compressed payload beyond this is long.
    package static let compressedBytes = 16 << 10
    /// A compressed payload that inflates to more than this is long.
    package static let inflatedBytes = 64 << 10

    private let frame: FrameReader.Frame
    private let maximumBytes: Int

    init(_ frame: FrameReader.Frame, maximumBytes: Int) {
        self.frame = frame
        self.maximumBytes = maximumBytes
    }

    /// Inflates the frame, if it is compressed.
    package func payload() throws(FrameError) -> ByteBuffer {
        guard self.frame.isCompressed else { return self.frame.payload }
        return try Deflate.inflate(self.frame.payload, limit: self.maximumBytes)
    }

    /// Inflates and decodes the frame.
    func words() throws(FrameError) -> ClientWords { ClientWords(try self.payload()) }
}
