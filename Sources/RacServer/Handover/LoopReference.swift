import NIOCore

/// Leads to an object of an event loop: by a plain call from that loop, by a task from another one.
///
/// Calls from one loop run in the order in which they were made.
struct LoopReference<Target: AnyObject>: Sendable {
    let loop: any EventLoop
    private let target: NIOLoopBound<Target>

    /// Makes the reference; only on that loop.
    init(_ target: Target, on loop: any EventLoop) {
        self.loop = loop
        self.target = NIOLoopBound(target, eventLoop: loop)
    }

    /// The object; only on its loop.
    var value: Target { self.target.value }

    func tell(from loop: any EventLoop, _ body: @escaping @Sendable (Target) -> Void) {
        if loop === self.loop { body(self.value) } else { self.loop.execute { body(self.value) } }
    }

    /// Calls the closure on the loop and returns its answer.
    func ask<Answer: Sendable>(_ body: @escaping @Sendable (Target) -> Answer) async throws -> Answer {
        try await self.loop.submit { body(self.value) }.get()
    }
}
