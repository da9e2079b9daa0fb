import NIOCore
import RacProtocol

/// The other host of a command that this program wants to host.
///
/// The state of the command tells that the rival has gone, unless the rival allowed no execution, or this client may not
/// observe the command. So a pause that grows is over now and then, too. All state is used on the client's event loop.
final class RivalHost {
    private let eventLoop: any EventLoop
    private let mayBeGone: () -> Void
    private var pause: GrowingPause<TimeAmount>
    private var pausing: Scheduled<Void>?
    private var command: ObservedCommand?
    /// Whether the command's state has shown that it has a host.
    private var wasSeen = false

    /// - Parameters:
    ///   - name: The command.
    ///   - engine: The client that wants to host it.
    ///   - mayBeGone: Called when it is time to ask the daemon for the place.
    init(of name: CommandName, _ engine: ClientEngine, _ mayBeGone: @escaping () -> Void) {
        self.eventLoop = engine.eventLoop
        self.mayBeGone = mayBeGone
        self.pause = GrowingPause(from: .milliseconds(100), upTo: TimeAmount(engine.configuration.longestPause))
        self.command = engine.commands.observe(name, for: self, engine)
    }

    /// The daemon has refused the place.
    func isThere() {
        self.pausing?.cancel()
        self.pausing = self.eventLoop.assumeIsolated().scheduleTask(in: self.pause.grow()) { [weak self] in
            self?.mayBeGone()
        }
    }

    /// Nobody waits for the place any more.
    func leave() {
        self.pausing?.cancel()
        let command = self.command
        self.command = nil
        command?.remove(self)
    }
}

@available(*, unavailable)
extension RivalHost: Sendable {}

extension RivalHost: CommandView {
    func changed(to state: CommandState, isConcurrent: Bool?) {
        let wasSeen = self.wasSeen
        self.wasSeen = state.isEnabled || state.isExecuting
        if wasSeen, !self.wasSeen { self.mayBeGone() }
    }

    func failed(_ execution: ExecutionID, _ error: WireError) {}

    /// The pause alone tells it then.
    func failed(_ error: ClientError) {}
}
