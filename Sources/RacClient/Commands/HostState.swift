import NIOCore
import Rac
import RacProtocol

/// The state of a hosted command that the threads of its executions, the program and the event loop share.
///
/// Guards: `line` by its lock, for a few lines at a time; the rest guards itself.
final class HostState: Sendable {
    let isHosted = Property(false)
    /// Why the daemon refuses the hosting.
    let problem = Property<ClientError?>(nil)
    let end = ReplaySubject<Never, ClientError>(capacity: 1)
    let line: Guarded<HostingLine>
    let waker: Waker
    private let eventLoop: any EventLoop

    init(eventLoop: any EventLoop, maximumBytes: Int = ConnectionLimits().waitingBytes) {
        self.line = Guarded(HostingLine(maximumBytes: maximumBytes))
        self.waker = Waker(eventLoop: eventLoop)
        self.eventLoop = eventLoop
    }

    /// Has an event sent to the caller of a run; returns whether there was room.
    func tell(_ event: ExecutionEvent, of run: UInt64) -> Bool {
        let outcome = self.line.withLock { $0.append(event, of: run) }
        guard outcome != .full else { return false }
        // Events of the event loop itself go out at once; otherwise they would wait behind all events of a burst.
        if self.eventLoop.inEventLoop {
            self.waker.act()
        } else if outcome == .wake {
            self.waker.wake()
        }
        return true
    }
}
