/// A part of a connection that gets frames without a request for each.
///
/// Guarded by the host's isolation.
class Subscriber {
    let connection: HostedConnection

    /// Whether the connection lists it among its lagging subscribers.
    var isLagging = false

    /// Whether it has ended: pending frames are sent, and no new ones are added.
    var isOver = false

    /// Whether an answer to the client waits for room.
    var owesAnswer: Bool { false }

    init(connection: HostedConnection) {
        self.connection = connection
    }

    enum OnServed {
        case served
        /// Frames are left, because the connection had no room or its share of the tick was used up.
        case unserved
        /// Frames are left, and are due at this time.
        case waits(UInt64)
    }

    /// Sends the connection the waiting frames.
    func serve(at time: Time) -> OnServed { .served }

    /// The deadline has come.
    func wake() {
        self.connection.lag(self)
    }
}
