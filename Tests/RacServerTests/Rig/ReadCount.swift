import NIOCore

/// Counts the reads that the pipeline asks its channel for.
final class ReadCount: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        self.count += 1
        context.read()
    }
}
