public import CoreMetrics
public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a client connects, how long it waits, and how much it keeps.
public struct ClientConfiguration: Sendable {
    /// The program's name in the daemon's logs, such as `kiosk/2.1`.
    public var agent: String?
    /// The client's name for itself, such as `hall`: `racctl who` shows by it which of several kiosks it is.
    public var name: String?
    /// The name of the client's session, 1 to 64 bytes in UTF-8; nil: a new one for each client.
    ///
    /// A program that is started anew under the same name takes its lost connection over, and no will of that one is
    /// applied. Two programs that run at a time must not have the same name: the first one ends with `alreadyBound`. In a
    /// closed daemon a session belongs to its principal, and another one that names it ends with `forbidden`.
    /// Semantics: protocol.md, "Taking over".
    public var session: String?
    /// The trust in a daemon whose address begins with `racs://`, and the client's certificate for it.
    public var tls: ClientTLS
    /// The time for one attempt to connect, and then for the daemon's welcome.
    public var connectTimeout: Duration
    /// The time for the daemon's answer to a call, reconnections included.
    public var replyTimeout: Duration
    /// The time that closing gives to open work, and then to the daemon's goodbye.
    public var closeTimeout: Duration
    /// The longest pause between two attempts to connect.
    public var longestPause: Duration
    /// Values of one paired terminal that wait for the daemon's answer, at least 1.
    ///
    /// The oldest stay. One more is refused with `limit`, or makes its sender wait.
    public var maximumWaitingSends: Int
    /// The token for a closed daemon; nil: none.
    public var token: TokenSource?
    /// Whether the token may travel in clear text to another machine, whose address begins with `rac://`.
    ///
    /// Others on the way could read it. Unless a tunnel keeps it secret, take an address with `racs://`.
    public var allowsClearTextToken: Bool
    /// Where the client says what it does; nil: nowhere.
    public var logger: Logger?
    /// Where the client counts, such as `MetricsSystem.factory`; nil: nowhere.
    ///
    /// The counters are `rac.client.connections`, `losses`, `sends`, `refusals` and `values`. Their dimensions are the
    /// daemon's address and the client's ``name``. Sends and values are those of properties and terminals. A send that goes
    /// out again after a lost connection counts again; a value that a new binding begins with does not count.
    public var metrics: (any MetricsFactory)?

    /// Writes values that are no numbers, strings or booleans, nor arrays or optionals of such; set it up beforehand.
    ///
    /// By default a date is an ISO 8601 text to the millisecond, so a `Date()` is not equal to the same one that is read.
    public var encoder: JSONEncoder
    /// Reads these values.
    public var decoder: JSONDecoder

    /// Makes a configuration, by default with the values that suit most programs.
    ///
    /// - Parameters:
    ///   - agent: The program's name in the daemon's logs.
    ///   - name: The client's name for itself.
    ///   - session: The name of the client's session; nil: a new one.
    ///   - tls: The trust in a daemon whose address begins with `racs://`, and the client's certificate for it.
    ///   - connectTimeout: The time for one attempt to connect, and then for the daemon's welcome.
    ///   - replyTimeout: The time for the daemon's answer to a call.
    ///   - closeTimeout: The time that closing gives to open work, and then to the daemon's goodbye.
    ///   - longestPause: The longest pause between two attempts to connect.
    ///   - maximumWaitingSends: Values of one paired terminal that wait for the daemon.
    ///   - token: The token for a closed daemon; nil: none.
    ///   - allowsClearTextToken: Whether the token may travel in clear text to another machine.
    ///   - logger: Where the client says what it does; nil: nowhere.
    ///   - metrics: Where the client counts; nil: nowhere.
    ///   - encoder: Writes values; the default writes ISO 8601 dates, keys in order, and slashes as they are.
    ///   - decoder: Reads values; the default reads ISO 8601 dates.
    public init(
        agent: String? = nil,
        name: String? = nil,
        session: String? = nil,
        tls: ClientTLS = ClientTLS(),
        connectTimeout: Duration = .seconds(10),
        replyTimeout: Duration = .seconds(10),
        closeTimeout: Duration = .seconds(1),
        longestPause: Duration = .seconds(30),
        maximumWaitingSends: Int = 1024,
        token: TokenSource? = nil,
        allowsClearTextToken: Bool = false,
        logger: Logger? = nil,
        metrics: (any MetricsFactory)? = nil,
        encoder: JSONEncoder = .standardOfRac,
        decoder: JSONDecoder = .standardOfRac
    ) {
        self.agent = agent
        self.name = name
        self.session = session
        self.tls = tls
        self.connectTimeout = connectTimeout
        self.replyTimeout = replyTimeout
        self.closeTimeout = closeTimeout
        self.longestPause = longestPause
        self.maximumWaitingSends = maximumWaitingSends
        self.token = token
        self.allowsClearTextToken = allowsClearTextToken
        self.logger = logger
        self.metrics = metrics
        self.encoder = encoder
        self.decoder = decoder
    }

    var ofConnections: ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        configuration.agent = self.agent
        configuration.name = self.name
        configuration.tls = self.tls
        configuration.connectTimeout = self.connectTimeout
        configuration.replyTimeout = self.replyTimeout
        configuration.byeTimeout = self.closeTimeout
        configuration.allowsClearTextToken = self.allowsClearTextToken
        return configuration
    }
}
