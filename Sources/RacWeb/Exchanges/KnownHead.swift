package import NIOCore

/// A head that was in order, and its bytes: a request that repeats them need not be parsed and judged again.
package struct KnownHead {
    package let head: HTTPHead
    private let bytes: ByteBuffer

    /// Keeps the head of the only request that some bytes began; nil if those were more than the head, or it was refused.
    package init?(_ requests: [IncomingRequest], _ bytes: ByteBuffer) {
        guard let only = requests.first, requests.count == 1, only.problem == nil, only.bodyBytes == 0,
            only.head.isRepeatable
        else { return nil }
        self.head = only.head
        // A copy: the bytes would keep the whole buffer of their read.
        self.bytes = ByteBuffer(bytes: bytes.readableBytesView)
    }

    /// The number of bytes with which these bytes repeat the head; nil if they begin with anything else.
    package func count(in unread: ByteBuffer) -> Int? {
        let count = self.bytes.readableBytes
        return unread.getSlice(at: unread.readerIndex, length: count) == self.bytes ? count : nil
    }
}

@available(*, unavailable)
extension KnownHead: Sendable {}
