import NIOCore

extension HostShell {
    /// Connects the host with the loops of connections, its own among them, before any of them has a connection.
    func connect(_ loops: [LoopReference<ConnectionLoop>]) {
        guard let ownLoop = loops.firstIndex(where: { $0.loop === self.loop }) else {
            preconditionFailure("the host's loop has connections, too")
        }
        let (own, loop) = (loops[ownLoop], self.loop)
        self.connect(
            loops.map { other in { orders in other.tell(from: loop) { $0.obey(orders) } } },
            ownLoop: ownLoop,
            tickBegan: { own.value.tickBegan() }
        )
    }
}
