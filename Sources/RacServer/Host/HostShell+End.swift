import NIOCore

// MARK: The end

extension HostShell {
    /// Takes no more from clients, after all loops of connections have stopped.
    ///
    /// With this tick the messages that were taken are answered and handed to the store.
    func stopListening() {
        self.loop.assertInEventLoop()
        self.enterTick()
        self.turn.stop()
    }

    /// Cancels all tasks and forgets the connections' loops, which refer to this shell.
    func stop() {
        self.loop.assertInEventLoop()
        self.refresh?.cancel()
        self.loops = []
        self.tickBegan = nil
        self.orders = []
    }
}
