import NIOCore

/// A program's end of a connection: its pipeline writes to the network of the history.
///
/// Like the loop, it stays on the thread of its history: hence `@unchecked Sendable`.
final class SimulatedChannel: NIOCore.Channel, @unchecked Sendable {
    let eventLoop: any EventLoop
    let allocator = ByteBufferAllocator()
    let localAddress: SocketAddress? = nil
    let remoteAddress: SocketAddress? = nil
    let parent: (any NIOCore.Channel)? = nil
    private(set) lazy var pipeline = ChannelPipeline(channel: self)
    private(set) var isActive = false
    private var isOpen = true
    private weak var program: SimulatedProgram?
    private let closePromise: EventLoopPromise<Void>
    /// Nil after the attempt to connect has succeeded or failed.
    private var dialing: EventLoopPromise<any NIOCore.Channel>?
    private var unflushed = ByteBuffer()

    init(_ program: SimulatedProgram, on loop: SimulatedLoop, _ dialing: EventLoopPromise<any NIOCore.Channel>) {
        self.program = program
        self.eventLoop = loop
        self.dialing = dialing
        self.closePromise = loop.makePromise()
    }

    var closeFuture: EventLoopFuture<Void> { self.closePromise.futureResult }
    var isWritable: Bool { true }
    var _channelCore: any ChannelCore { self }

    func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> EventLoopFuture<Void> {
        self.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }

    func getOption<Option: ChannelOption>(_ option: Option) -> EventLoopFuture<Option.Value> {
        self.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
    }
}

// MARK: What the network does

extension SimulatedChannel {
    /// The connection is open.
    func opened() {
        guard self.isOpen, let dialing = self.dialing else { return }
        self.dialing = nil
        self.isActive = true
        dialing.succeed(self)
        self.pipeline.syncOperations.fireChannelActive()
    }

    func read(_ bytes: ByteBuffer) {
        guard self.isActive else { return }
        self.pipeline.syncOperations.fireChannelRead(NIOAny(bytes))
        self.pipeline.syncOperations.fireChannelReadComplete()
    }

    /// The connection has closed, or was never made.
    func lost() {
        self.close0(error: ChannelError.eof, mode: .all, promise: nil)
    }
}

// MARK: What the pipeline does

extension SimulatedChannel: ChannelCore {
    func localAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func remoteAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }

    func register0(promise: EventLoopPromise<Void>?) { promise?.fail(ChannelError.operationUnsupported) }
    func registerAlreadyConfigured0(promise: EventLoopPromise<Void>?) { self.register0(promise: promise) }
    func bind0(to: SocketAddress, promise: EventLoopPromise<Void>?) { self.register0(promise: promise) }
    func connect0(to: SocketAddress, promise: EventLoopPromise<Void>?) { self.register0(promise: promise) }
    func triggerUserOutboundEvent0(_ event: Any, promise: EventLoopPromise<Void>?) { self.register0(promise: promise) }

    func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) {
        self.unflushed.writeImmutableBuffer(self.unwrapData(data, as: ByteBuffer.self))
        promise?.succeed(())
    }

    func flush0() {
        guard self.isActive, self.unflushed.readableBytes > 0 else { return }
        let bytes = self.unflushed
        self.unflushed = ByteBuffer()
        self.program?.says(bytes, over: self)
    }

    func read0() {}

    func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard self.isOpen else { return promise?.fail(ChannelError.alreadyClosed) ?? () }
        self.isOpen = false
        let wasActive = self.isActive
        self.isActive = false
        self.program?.closed(self)
        promise?.succeed(())
        self.dialing?.fail(error)
        self.dialing = nil
        if wasActive { self.pipeline.syncOperations.fireChannelInactive() }
        self.eventLoop.execute {
            self.removeHandlers(pipeline: self.pipeline)
            self.closePromise.succeed(())
        }
    }

    func channelRead0(_ data: NIOAny) {}
    func errorCaught0(error: any Error) {}
}
