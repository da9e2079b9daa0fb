import CEventFD
import Glibc
import NIOCore
import NIOPosix

/// Keeps an event loop awake while its state machine says so, by a descriptor that can always be read: as long as somebody
/// asks for what is there, the loop looks at all its sockets, timers and tasks without sleeping.
///
/// Isolation: its event loop.
final class BusyPolling: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// An eventfd gives this much at a time.
    private static let bytesOfRead = MemoryLayout<eventfd_t>.size

    private var machine = BusyPollStateMachine()
    private var context: ChannelHandlerContext?

    /// Makes one for an event loop, with which it ends.
    static func start(on loop: any EventLoop) async throws -> LoopReference<BusyPolling> {
        let channel = try await Self.makeChannel(on: loop)
        return try await loop.submit {
            let polling = BusyPolling()
            try channel.pipeline.syncOperations.addHandler(polling)
            return LoopReference(polling, on: loop)
        }.get()
    }

    /// It reads nothing before it is asked to.
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

    /// Can be read more often than a loop looks in a thousand years.
    private static func makeReadable() throws -> CInt {
        let descriptor = eventfd(0, CInt(EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "eventfd") }
        // The most that one holds, into an empty one: it always fits.
        eventfd_write(descriptor, .max - 1)
        return descriptor
    }

    var isAwake: Bool { self.machine.isPolling }

    func tickBegan() {
        self.machine.tickBegan(at: NIODeadline.now().uptimeNanoseconds)
    }

    /// This is the ticket of the newest commit that clients wait for; nil if there is none.
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
