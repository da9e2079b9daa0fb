import Glibc
import NIOCore
import RacHost
import RacProtocol
import RacStore

/// The host on its event loop.
///
/// A tick begins with the first event and ends when the loop has handled everything that was at hand. So a burst is
/// written once per connection and stored as one batch.
///
/// Isolation: the event loop that made it.
final class HostShell {
    let epoch: String

    let configuration: ServerConfiguration
    let turn: HostTurn
    let loop: any EventLoop
    let store: Store?

    /// Notifies the loop that a tick has begun; the loop ends it with `endTick(into:)`.
    ///
    /// It returns whether the tick begins a turn, because the sockets have been polled.
    ///
    /// Nil before the loops are connected and after the end: then nobody would end a tick, so none begins.
    var tickBegan: (() -> Bool)?

    /// The number of the host's own loop among those that have connections.
    var ownLoop = 0

    /// The ways to the loops that have connections, by their numbers.
    var loops: [(ConnectionOrders) -> Void] = []

    /// The orders of this tick for the connections of other loops, by the loops' numbers.
    var orders: [ConnectionOrders] = []

    var refresh: Scheduled<Void>?

    init(
        _ configuration: ServerConfiguration,
        channels: [StoredChannel],
        revisions: RevisionSource,
        store: Store?,
        loop: any EventLoop
    ) {
        self.configuration = configuration
        self.loop = loop
        self.store = store
        self.epoch = Self.newEpoch()
        let host = Host(
            channels: channels,
            revisions: revisions,
            isStored: store != nil,
            batches: configuration.batches,
            limits: configuration.limits,
            access: configuration.access,
            at: Self.time(on: loop)
        )
        let heldBytes = max(configuration.maximumHeldBytes, 2 * configuration.maximumFrameBytes)
        self.turn = HostTurn(host, heldBytes: heldBytes)
        self.refreshFigures()
    }

    /// Connects the shell with the loops that have connections, before any of them has one.
    ///
    /// - Parameters:
    ///   - loops: Sends orders to the connections of each loop, by the loops' numbers.
    ///   - ownLoop: The number of the shell's own loop.
    ///   - tickBegan: Notifies that loop that a tick has begun; it ends the tick with `endTick(into:)`.
    func connect(_ loops: [(ConnectionOrders) -> Void], ownLoop: Int, tickBegan: @escaping () -> Bool) {
        self.loops = loops
        self.ownLoop = ownLoop
        self.orders = loops.map { _ in [] }
        self.tickBegan = tickBegan
        self.scheduleRefresh()
    }

    static func time(on loop: any EventLoop) -> Time {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        return Time(
            uptime: loop.now.uptimeNanoseconds / 1_000_000,
            wall: Int64(wall.tv_sec) * 1000 + Int64(wall.tv_nsec) / 1_000_000
        )
    }

    private static func newEpoch() -> String {
        let number = UInt64.random(in: .min ... .max)
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    func peer(_ id: ConnectionID) -> Peer? { self.turn.peer(id) }

    /// Whether a message of a client has to wait.
    func mustWait(_ peer: Peer) -> Bool { self.turn.mustWait(peer) }

    /// Whether work is left for another turn.
    var wantsTurn: Bool { self.turn.wantsTurn }

    /// The time at which the next tick is due, in milliseconds of the loop's clock.
    var nextDeadline: UInt64? { self.turn.host.nextDeadline }

    /// The newest batch that is on its way to the disk and that clients wait for.
    var awaitedCommit: UInt64? { self.turn.awaited }
}

@available(*, unavailable)
extension HostShell: Sendable {}
