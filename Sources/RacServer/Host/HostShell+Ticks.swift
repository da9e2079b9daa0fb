import NIOCore
import RacAccess
import RacHost
import RacProtocol
import RacStore

// MARK: Ticks

extension HostShell {
    /// Begins a tick unless one is under way; the loop ends it when it has handled everything that was at hand.
    func enterTick() {
        guard !self.turn.isUnderWay, let tickBegan = self.tickBegan else { return }
        self.turn.begin(at: Self.time(on: self.loop), beginsTurn: tickBegan())
    }

    /// Ends the tick; the connections of this loop are given their part at once.
    func endTick(into here: some ConnectionsHere) {
        while let peer = self.turn.nextInLine() { self.turn.takeQueued(from: peer, self) }
        self.turn.end(into: TickOutput(shell: self, here: here))
    }
}

// MARK: Times

extension HostShell {
    func scheduleRefresh() {
        let interval = TimeAmount.milliseconds(self.configuration.sweepInterval)
        self.refresh = self.loop.assumeIsolated().scheduleTask(in: interval) {
            self.enterTick()
            self.refreshFigures()
            self.store?.checkFiles()
            self.turn.host.endExpired()
            self.scheduleRefresh()
        }
    }

    /// Takes other rules: the host judges its connections anew in its next turns.
    func take(_ access: AccessPolicy?) {
        self.enterTick()
        self.turn.host.take(access)
    }

    /// Has the host judge its connections anew by the same rules.
    func judgeAnew() {
        self.take(self.turn.host.access)
    }

    /// Sets the values of the daemon's own channels.
    func refreshFigures() {
        self.turn.host.refreshFigures([
            (name: "version", value: .string(self.configuration.name)),
            (name: "epoch", value: .string(self.epoch)),
            (name: "memory/connections", value: .integer(self.turn.heldByteCount)),
        ])
    }
}
