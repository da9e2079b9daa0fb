import Dispatch
import Glibc

/// The signals that racd obeys while it serves.
struct Signals {
    /// The order that a signal stands for.
    enum Order {
        case shutDown
        case reload
    }

    /// The orders in the sequence of their signals; one consumer takes them.
    let orders: AsyncStream<Order>
    private let sources: [any DispatchSourceSignal]

    /// From here on SIGTERM and SIGINT shut racd down instead of ending the process.
    ///
    /// - Parameter reloading: Whether SIGHUP reloads the configuration; else it shuts racd down, too.
    init(reloading: Bool) async {
        let (orders, continuation) = AsyncStream.makeStream(of: Order.self)
        self.orders = orders
        let meanings = [(SIGTERM, Order.shutDown), (SIGINT, .shutDown), (SIGHUP, reloading ? .reload : .shutDown)]
        self.sources = meanings.map { number, order in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(order) }
            return source
        }
        // Until its registration a source leaves the signal to the system, which ends the process.
        for source in self.sources {
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.activate()
            }
        }
    }

    /// Ends the sources.
    func cancel() {
        for source in self.sources { source.cancel() }
    }
}
