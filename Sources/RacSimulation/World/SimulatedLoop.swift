import DequeModule
import Dispatch
import NIOCore

/// The event loop of all programs of a history: its tasks stand on the schedule.
///
/// A history runs on one thread and hands nothing to another one: hence `@unchecked Sendable`.
final class SimulatedLoop: EventLoop, @unchecked Sendable {
    private struct Alarm {
        let ring: () -> Void
        let cancel: () -> Void
    }

    private weak var world: World?
    private var line: Deque<() -> Void> = []
    private var alarms: [UInt64: Alarm] = [:]
    private var lastAlarm: UInt64 = 0

    init(_ world: World) {
        self.world = world
    }

    var inEventLoop: Bool { true }
    var now: NIODeadline { self.world?.deadline ?? .distantFuture }

    func execute(_ task: @escaping @Sendable () -> Void) {
        self.line.append(task)
    }

    func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        let promise = self.makePromise(of: T.self)
        self.lastAlarm += 1
        let number = self.lastAlarm
        self.alarms[number] = Alarm(
            ring: {
                do {
                    promise.assumeIsolated().succeed(try task())
                } catch {
                    promise.fail(error)
                }
            },
            cancel: { promise.fail(EventLoopError.cancelled) }
        )
        self.world?.agenda.add(.alarm(number), at: (deadline.uptimeNanoseconds + 999) / 1_000)
        return Scheduled(promise: promise) { self.alarms[number] = nil }
    }

    func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        self.scheduleTask(deadline: self.now + delay, task)
    }

    func preconditionInEventLoop(file: StaticString, line: UInt) {}

    func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        self.shutDown()
        callback(nil)
    }
}

extension SimulatedLoop {
    /// Runs the tasks that are due now, and the tasks that they add.
    func drain() {
        while let task = self.line.popFirst() { task() }
    }

    /// A scheduled task is due; returns whether it was not cancelled.
    func ring(_ number: UInt64) -> Bool {
        guard let alarm = self.alarms.removeValue(forKey: number) else { return false }
        alarm.ring()
        return true
    }

    /// The history is over: no scheduled task runs any more.
    func shutDown() {
        self.drain()
        let alarms = self.alarms.values
        self.alarms = [:]
        for alarm in alarms { alarm.cancel() }
        self.drain()
    }
}

/// Runs the tasks of programs in their order on the loop of the history.
final class SimulatedTaskExecutor: TaskExecutor {
    private let loop: SimulatedLoop

    init(_ loop: SimulatedLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
