package import NIOCore

extension ByteBuffer {
    /// Takes bytes behind those that have not been read.
    ///
    /// A buffer that grows keeps the bytes that were read, too, so they are dropped when they are the greater part.
    package mutating func receive(_ bytes: ByteBuffer) {
        guard self.readableBytes > 0 else { return self = bytes }
        if self.readerIndex >= self.readableBytes { self.discardReadBytes() }
        self.writeImmutableBuffer(bytes)
    }
}
