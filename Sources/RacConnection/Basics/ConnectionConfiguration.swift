/// How a connection is made and how long it waits.
package struct ConnectionConfiguration: Sendable {
    /// The program's name for the daemon, such as `racctl/1.0`.
    package var agent: String?
    /// The client's name for itself, which distinguishes it from others of the program.
    package var name: String?
    /// The program's name for its session, so that its next connection goes on where this one was lost.
    package var session: String?
    /// The trust in a daemon with TLS.
    package var tls = ClientTLS()
    /// The token for a closed daemon.
    package var token: AccessToken?
    /// Whether the token may travel in clear text to another machine.
    package var allowsClearTextToken = false
    /// The time for the connection, and then for the welcome.
    package var connectTimeout: Duration = .seconds(10)
    /// The time for the answer to a request.
    package var replyTimeout: Duration = .seconds(10)
    /// The time for the daemon to end the connection after `bye`.
    package var byeTimeout: Duration = .seconds(1)
    package var limits = ConnectionLimits()

    package init() {}
}
