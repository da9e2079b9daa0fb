import NIOCore
import RacHost
import RacProtocol

// MARK: Ticks

extension HostShell {
    /// Begins a tick unless one is under way; the loop ends it when it has handled everything that was at hand.
    func enterTick() {
        guard !self.turn.isUnderWay, let tickBegan = self.tickBegan else { return }
        self.turn.begin(at: Self.time(on: self.loop))
        tickBegan()
    }

    /// Ends the tick; the connections of this loop are given their part at once.
    func endTick(into here: some ConnectionsHere) {
        self.turn.end(into: TickOutput(shell: self, here: here))
        if self.turn.host.wantsTick { self.goOn() }
        self.scheduleDeadline()
    }

    /// Schedules another tick for work that did not fit this one.
    ///
    /// A task without a delay would run before the loop looks at its sockets again, so other clients would not have a turn.
    private func goOn() {
        self.loop.assumeIsolated().scheduleTask(in: .microseconds(100)) { self.enterTick() }
    }
}

// MARK: Times

extension HostShell {
    private func scheduleDeadline() {
        let next = self.turn.host.nextDeadline
        guard next != self.deadline?.at else { return }
        self.deadline?.task.cancel()
        self.deadline = next.map { next in
            let at = NIODeadline.uptimeNanoseconds(next * 1_000_000)
            let task = self.loop.assumeIsolated().scheduleTask(deadline: at) {
                self.deadline = nil
                self.enterTick()
            }
            return (next, task)
        }
    }

    func scheduleRefresh() {
        let interval = TimeAmount.milliseconds(self.configuration.sweepInterval)
        self.refresh = self.loop.assumeIsolated().scheduleTask(in: interval) {
            self.enterTick()
            self.refreshFigures()
            self.scheduleRefresh()
        }
    }

    /// Sets the values of the daemon's own channels.
    func refreshFigures() {
        self.turn.host.refreshFigures([
            (name: "version", value: .string(self.configuration.name)),
            (name: "epoch", value: .string(self.epoch)),
        ])
    }
}
