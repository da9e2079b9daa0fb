public import Logging

/// How a client connects, how long it waits, and how much it keeps.
public struct ClientConfiguration: Sendable {
    /// The program's name in the daemon's logs, such as `kiosk/2.1`.
    public var agent: String?
    /// The client's name for itself, such as `hall`: `racctl who` tells by it which of several kiosks it is.
    public var name: String?
    /// The time for one attempt to connect, and then for the daemon's welcome.
    public var connectTimeout = Duration.seconds(10)
    /// The time for the daemon's answer to a call, reconnections included.
    public var replyTimeout = Duration.seconds(10)
    /// The time that closing gives to open work, and then to the daemon's goodbye.
    public var closeTimeout = Duration.seconds(1)
    /// The longest pause between two attempts to connect.
    public var longestPause = Duration.seconds(30)
    /// Values of one paired terminal that wait for the daemon, at least 1; one more is refused with `limit`, or makes its
    /// sender wait.
    public var maximumWaitingSends = 1024
    /// Where the client says what it does; nil: nowhere.
    public var logger: Logger?

    /// Makes a configuration with the values that suit most programs.
    public init() {}

    var ofConnections: ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        configuration.agent = self.agent
        configuration.name = self.name
        configuration.connectTimeout = self.connectTimeout
        configuration.replyTimeout = self.replyTimeout
        configuration.byeTimeout = self.closeTimeout
        return configuration
    }
}
