import NIOCore

// MARK: Inflating

extension ConnectionLoop {
    /// The number of bytes that may be inflated now for a client that has a compressed frame; if none, its turn comes.
    func roomToInflate(for handler: ConnectionHandler) -> Int {
        let room = self.inflation.asks(handler.id)
        if room == 0 { self.enterTick() }
        return room
    }

    func inflated(_ bytes: Int, for handler: ConnectionHandler, isWhole: Bool) {
        self.inflation.inflated(bytes, for: handler.id, isWhole: isWhole)
        if !isWhole { self.enterTick() }
    }

    func inflatesNoMore(for handler: ConnectionHandler) {
        self.inflation.leaves(handler.id)
    }

    /// Schedules the next turn if a connection waits for it; not on a loop that ends.
    ///
    /// A task without a delay would run before the loop looks at its sockets again, so other clients would not have a turn.
    func scheduleTurn() {
        guard self.inflation.isWaiting, !self.isTurnScheduled, !self.isStopping else { return }
        self.isTurnScheduled = true
        self.loop.assumeIsolated().scheduleTask(in: .microseconds(100)) {
            self.isTurnScheduled = false
            self.enterTick()
            self.inflation.beginTurn()
            while let id = self.inflation.next() { self.handlers[id]?.turnCame() }
        }
    }
}
