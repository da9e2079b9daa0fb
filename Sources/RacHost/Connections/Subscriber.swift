/// Something of a connection that gets frames without asking for each.
///
/// Guarded by the host's isolation.
class Subscriber {
    let connection: HostedConnection

    /// Whether it is among those that wait for their turn.
    var isLagging = false

    /// Whether it has ended: what is left to say is said, nothing new comes.
    var isOver = false

    init(connection: HostedConnection) {
        self.connection = connection
    }

    enum OnServed {
        case served
        /// There is more for which there was no room, or no time.
        case unserved
        /// The rest waits for this time.
        case waits(UInt64)
    }

    /// Gives the connection what waits.
    func serve(at time: Time) -> OnServed { .served }

    /// The time for which it waited has come.
    func wake() {
        self.connection.lag(self)
    }
}
