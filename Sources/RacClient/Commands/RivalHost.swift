import NIOCore
import RacProtocol

/// The other host of a command that this program wants to host.
///
/// The daemon reports the state of the command when the rival goes. A client that may not observe the command hears
/// nothing of it, so the place is asked for after pauses, too. All state is used on the client's event loop.
final class RivalHost {
    private let eventLoop: any EventLoop
    private let mayBeGone: () -> Void
    private var pause = GrowingPause(from: TimeAmount.milliseconds(100), upTo: .seconds(60))
    private var pausing: Scheduled<Void>?
    private var command: ObservedCommand?

    /// - Parameters:
    ///   - name: The command.
    ///   - engine: The client that wants to host it.
    ///   - mayBeGone: Called when it is time to ask the daemon for the place.
    init(of name: CommandName, _ engine: ClientEngine, _ mayBeGone: @escaping () -> Void) {
        self.eventLoop = engine.eventLoop
        self.mayBeGone = mayBeGone
        // The state of before the refusal comes inside this call, and is no news.
        self.command = engine.commands.observe(name, for: self, engine)
        self.askLater()
    }

    private func askLater() {
        self.pausing = self.eventLoop.assumeIsolated().scheduleTask(in: self.pause.grow()) { [weak self] in
            self?.askLater()
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
        // A rival that allows no execution looks as none does.
        if self.command != nil, !state.isEnabled, !state.isExecuting { self.mayBeGone() }
    }

    func failed(_ execution: ExecutionID, _ error: WireError) {}

    func refused(_ error: ClientError) {}

    func gone() {}
}
