/// How a connection is made and how long it waits.
package struct ConnectionConfiguration: Sendable {
    /// What the daemon is told about this program, such as `racctl/1.0`.
    package var agent: String?
    /// What this program calls its session, so that its next connection goes on where this one was lost.
    package var session: String?
    /// How long to wait for the connection, and then for the welcome.
    package var connectTimeout: Duration = .seconds(10)
    /// How long to wait for the answer to a request.
    package var replyTimeout: Duration = .seconds(10)
    /// How long to wait for the daemon to end the connection after `bye`.
    package var byeTimeout: Duration = .seconds(1)
    package var limits = ConnectionLimits()

    package init() {}
}
