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
}
