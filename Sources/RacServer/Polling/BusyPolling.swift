import Glibc
import NIOCore

/// Keeps an event loop spinning while its state machine says so.
///
/// It reads from a descriptor that can always be read. While a read is pending, the loop looks at all its sockets, timers
/// and tasks without sleeping.
///
/// Isolation: its event loop.
final class BusyPolling: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var machine = BusyPollStateMachine()
    private var context: ChannelHandlerContext?

    /// Starts on an event loop, and ends with it.
    static func start(on loop: any EventLoop) async throws -> LoopReference<BusyPolling> {
        let channel = try await ReadableDescriptor.open(on: loop)
        return try await loop.submit {
            let polling = BusyPolling()
            try channel.pipeline.syncOperations.addHandler(polling)
            return LoopReference(polling, on: loop)
        }.get()
    }

    var isAwake: Bool { self.machine.isPolling }

    func tickBegan() {
        self.machine.tickBegan(at: NIODeadline.now().uptimeNanoseconds)
    }

    /// The loop has handled everything that was at hand.
    ///
    /// - Parameters:
    ///   - commit: The ticket of the newest commit that clients wait for.
    ///   - hasTraffic: Whether a welcomed client took part.
    func tickEnded(commit: UInt64?, hasTraffic: Bool) {
        let now = NIODeadline.now().uptimeNanoseconds
        let begins = self.machine.tickEnded(at: now, commit: commit, hasTraffic: hasTraffic)
        if begins { self.context?.read() }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The store's thread may have been woken on this core.
        if self.machine.isForCommit { sched_yield() }
        if self.machine.polled(at: NIODeadline.now().uptimeNanoseconds) { context.read() }
    }
}

@available(*, unavailable)
extension BusyPolling: Sendable {}
