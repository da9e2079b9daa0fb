import CoreMetrics
import RacConnection

/// The counters of one client, in the program's metrics system.
struct ClientMetrics: Sendable {
    private let connections: Counter
    private let losses: Counter
    private let sends: Counter
    private let refusals: Counter
    private let values: Counter

    init(_ factory: any MetricsFactory, of client: String?, at daemon: DaemonAddress) {
        var dimensions = [("daemon", "\(daemon)")]
        if let client { dimensions.append(("client", client)) }
        func counter(_ name: String) -> Counter {
            Counter(label: "rac.client.\(name)", dimensions: dimensions, factory: factory)
        }
        self.connections = counter("connections")
        self.losses = counter("losses")
        self.sends = counter("sends")
        self.refusals = counter("refusals")
        self.values = counter("values")
    }

    /// The daemon has welcomed a connection, the first or another one.
    func connected() { self.connections.increment() }

    /// A welcomed connection was lost.
    func lost() { self.losses.increment() }

    /// A send of a property or terminal went out, perhaps again.
    func sent() { self.sends.increment() }

    /// A send was refused.
    func refused() { self.refusals.increment() }

    /// A value came for a property or terminal.
    func received() { self.values.increment() }
}
