import Dispatch
import Glibc
import Synchronization

/// The signals that racd obeys while it serves.
struct Signals {
    /// The order that a signal stands for.
    enum Order {
        case shutDown
        case hangUp
    }

    /// Signals without a meaning for a daemon, which end or stop a process by default.
    ///
    /// A terminal with `tostop` would stop a daemon in its background at a line of the log.
    private static let harmless = [SIGUSR1, SIGUSR2, SIGALRM, SIGTTIN, SIGTTOU]

    /// Whether a SIGHUP has come before the daemon obeyed it.
    private static let hasHungUp = Atomic(false)

    /// Keeps signals from ending a daemon before it obeys them; to be called once, first in the process.
    ///
    /// A SIGHUP is kept until then: a program that renews certificates may send it right behind a start. A mask would not keep
    /// it, because Dispatch unblocks all signals of the main thread.
    static func prepare() {
        // The first access makes the flag, which a handler of signals may not do.
        self.hasHungUp.store(false, ordering: .relaxed)
        if !Self.isIgnored(SIGHUP) { signal(SIGHUP) { _ in Signals.hasHungUp.store(true, ordering: .relaxed) } }
        for number in Self.harmless { signal(number, SIG_IGN) }
    }

    /// Whether the parent has had a signal ignored, as nohup does with SIGHUP, and a script with SIGINT of its jobs.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// The orders in the sequence of their signals; one consumer takes them.
    let orders: AsyncStream<Order>
    private let sources: [any DispatchSourceSignal]

    /// From here on SIGTERM and SIGINT shut racd down instead of ending the process.
    init() async {
        let (orders, continuation) = AsyncStream.makeStream(of: Order.self)
        self.orders = orders
        var meanings = [(SIGTERM, Order.shutDown), (SIGHUP, .hangUp)]
        if !Self.isIgnored(SIGINT) { meanings.append((SIGINT, .shutDown)) }
        self.sources = meanings.map { number, order in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(order) }
            return source
        }
        // Until its registration a source leaves the signal to the system.
        for source in self.sources {
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.activate()
            }
        }
        if Self.hasHungUp.load(ordering: .relaxed) { continuation.yield(.hangUp) }
    }

    /// Ends the sources.
    func cancel() {
        for source in self.sources { source.cancel() }
    }
}
