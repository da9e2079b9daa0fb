import NIOCore

/// The way to what lives on an event loop: a plain call from that loop, a task from another.
///
/// What is told on one loop happens in the order in which it was told.
struct LoopReference<Target: AnyObject>: Sendable {
    let loop: any EventLoop
    private let target: NIOLoopBound<Target>

    /// To be made on that loop.
    init(_ target: Target, on loop: any EventLoop) {
        self.loop = loop
        self.target = NIOLoopBound(target, eventLoop: loop)
    }

    /// What it leads to, on its loop.
    var value: Target { self.target.value }

    func tell(from loop: any EventLoop, _ body: @escaping @Sendable (Target) -> Void) {
        if loop === self.loop { body(self.value) } else { self.loop.execute { body(self.value) } }
    }

    /// Calls the closure on the loop and waits for what it returns.
    func ask<Answer: Sendable>(_ body: @escaping @Sendable (Target) -> Answer) async throws -> Answer {
        try await self.loop.submit { body(self.value) }.get()
    }
}
