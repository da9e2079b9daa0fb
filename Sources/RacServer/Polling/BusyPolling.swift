import CEventFD
import Glibc
import NIOCore
import NIOPosix

/// Keeps an event loop spinning while its state machine says so.
///
/// It reads from a descriptor that can always be read. While a read is pending, the loop looks at all its sockets, timers
/// and tasks without sleeping.
///
/// Isolation: its event loop.
final class BusyPolling: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The length of one read from an eventfd.
    private static let bytesOfRead = MemoryLayout<eventfd_t>.size

    private var machine = BusyPollStateMachine()
    private var context: ChannelHandlerContext?

    /// Starts on an event loop, and ends with it.
    static func start(on loop: any EventLoop) async throws -> LoopReference<BusyPolling> {
        let channel = try await Self.makeChannel(on: loop)
        return try await loop.submit {
            let polling = BusyPolling()
            try channel.pipeline.syncOperations.addHandler(polling)
            return LoopReference(polling, on: loop)
        }.get()
    }

    /// Makes a channel over the descriptor, which reads only on demand.
    private static func makeChannel(on loop: any EventLoop) async throws -> any Channel {
        let descriptor = try Self.makeReadable()
        do {
            return try await NIOPipeBootstrap(group: loop)
                .channelOption(.autoRead, value: false)
                .channelOption(.maxMessagesPerRead, value: 1)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.bytesOfRead))
                .takingOwnershipOfDescriptor(input: descriptor).get()
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Makes a descriptor that can be read more often than a loop looks in a thousand years.
    private static func makeReadable() throws -> CInt {
        let descriptor = eventfd(0, CInt(EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "eventfd") }
        // The largest count that an eventfd holds; it fits, since this one is empty.
        eventfd_write(descriptor, .max - 1)
        return descriptor
    }

    var isAwake: Bool { self.machine.isPolling }

    func tickBegan() {
        self.machine.tickBegan(at: NIODeadline.now().uptimeNanoseconds)
    }

    /// The loop has handled everything; `commit` is the ticket of the newest commit that clients wait for.
    func tickEnded(commit: UInt64? = nil) {
        let begins = self.machine.tickEnded(at: NIODeadline.now().uptimeNanoseconds, commit: commit)
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
