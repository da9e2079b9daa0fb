/// Decides how long a client of HTTP may keep the daemon waiting.
///
/// Semantics: protocol.md, "Limits".
package struct HTTPPatienceStateMachine: Sendable {
    /// The next step that a connection waits for.
    package enum Awaited: Equatable, Sendable {
        /// The client reads what was written; one that reads nothing for 2.5 heartbeats is closed.
        case reading
        /// The client closes its side behind the last answer; the connection is closed after the linger time.
        case farewell
        /// The next event of a stream; a comment keeps the stream alive at each heartbeat.
        case event
        /// The answer of the daemon, which may take any time.
        case daemon
        /// The next piece of a body; the request is refused after 2.5 heartbeats.
        case body
        /// The body of a stranger, as one to sign in.
        ///
        /// It has the time of a hello in all: single bytes must not keep a connection alive.
        case bodyOfStranger
        /// The rest of a head, which has the time of a hello in all.
        case head
        /// The next request; the connection ends after 3.75 heartbeats.
        ///
        /// A proxy keeps its connections for 60 s, and must be the one that ends them.
        case request
    }

    package enum OnTicked: Equatable, Sendable {
        case nothing
        /// A comment keeps the stream alive.
        case comment
        /// The request that has not come whole is refused, and the connection ends behind that.
        case refuse
        /// The connection ends.
        case end
        /// The connection is closed at once; whether its client has been silent.
        case close(isSilent: Bool)
    }

    private let heartbeat: UInt64
    private let helloTimeout: UInt64
    private let lingerTime: UInt64
    /// Since when the connection has waited, in milliseconds.
    private var since: UInt64

    /// - Parameters:
    ///   - heartbeat: The interval of heartbeats, in milliseconds.
    ///   - helloTimeout: The time in which a client has to show who it is, in milliseconds.
    ///   - lingerTime: The time that an ended connection stays, in milliseconds.
    ///   - now: The time, in milliseconds.
    package init(heartbeat: UInt64, helloTimeout: UInt64, lingerTime: UInt64, at now: UInt64) {
        self.heartbeat = heartbeat
        self.helloTimeout = helloTimeout
        self.lingerTime = lingerTime
        self.since = now
    }

    /// The awaited step has come, or a part of it.
    package mutating func progressed(at now: UInt64) {
        self.since = now
    }

    /// Time has passed; asked about once a second.
    package mutating func ticked(at now: UInt64, awaiting awaited: Awaited) -> OnTicked {
        guard let limit = self.limit(of: awaited), now - self.since >= limit else { return .nothing }
        switch awaited {
        case .reading: return .close(isSilent: true)
        case .farewell: return .close(isSilent: false)
        case .event:
            self.since = now
            return .comment
        case .daemon: return .nothing
        case .body, .bodyOfStranger, .head: return .refuse
        case .request: return .end
        }
    }

    private func limit(of awaited: Awaited) -> UInt64? {
        switch awaited {
        case .reading, .body: self.heartbeat * 5 / 2
        case .farewell: self.lingerTime
        case .event: self.heartbeat
        case .daemon: nil
        case .bodyOfStranger, .head: self.helloTimeout
        case .request: self.heartbeat * 15 / 4
        }
    }
}
