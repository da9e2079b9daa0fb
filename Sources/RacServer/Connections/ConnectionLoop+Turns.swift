import NIOCore

// MARK: Turns

extension ConnectionLoop {
    /// The way of a sweep: it judges the silence of clients only after their sockets have been read.
    enum Sweep {
        case none
        /// The sockets have to be read first.
        case asked
        case due
    }

    /// Begins the next turn when the sockets have been polled; not on a loop that ends.
    func awaitTurn() {
        guard !self.isTurnAwaited else { return }
        self.isTurnAwaited = true
        guard let poll = self.poll else {
            // A loop without sockets of the system has timers only.
            self.loop.assumeIsolated().scheduleTask(in: .microseconds(100)) { self.beginTurn() }
            return
        }
        poll.next { self.beginTurn() }
    }

    private func beginTurn() {
        self.isTurnAwaited = false
        self.polled()
        self.enterTick()
        if case .asked = self.sweep { self.sweep = .due }
        self.areLinesDue = true
        self.output.beginTurn()
        self.withGathered { buffer in
            while let id = self.output.next() { self.handlers[id]?.outputTurnCame(&buffer) }
        }
    }

    /// Reads the clients that wait in line, when all sockets that were ready have been read: the poll comes anywhere among them.
    func serveLines() {
        guard self.areLinesDue else { return }
        self.areLinesDue = false
        self.readInTurn()
        self.shakeHandsInTurn()
    }

    /// Begins a tick at the deadline; a deadline that has passed waits for the sockets to be polled, as all work does.
    func awaitDeadline(_ deadline: UInt64?) {
        guard let deadline else {
            self.deadline?.task.cancel()
            self.deadline = nil
            return
        }
        guard deadline > Self.uptime(of: self.loop) else { return self.awaitTurn() }
        guard deadline != self.deadline?.at else { return }
        self.deadline?.task.cancel()
        let at = NIODeadline.uptimeNanoseconds(deadline * 1_000_000)
        let task = self.loop.assumeIsolated().scheduleTask(deadline: at) {
            self.deadline = nil
            self.enterTick()
        }
        self.deadline = (deadline, task)
    }

    func scheduleSweep() {
        let interval = TimeAmount.milliseconds(self.configuration.sweepInterval)
        self.sweepTask = self.loop.assumeIsolated().scheduleTask(in: interval) {
            self.sweep = .asked
            self.awaitTurn()
            self.scheduleSweep()
        }
    }

    /// Judges the silence of clients: everything that had come before is read.
    func sweepIfDue() {
        guard case .due = self.sweep else { return }
        self.sweep = .none
        for handler in self.handlers.all { handler.ticked(at: self.now) }
        self.auditRepeats()
    }

    /// Cancels everything that is planned.
    func cancelTurns() {
        self.sweepTask?.cancel()
        self.deadline?.task.cancel()
    }
}
