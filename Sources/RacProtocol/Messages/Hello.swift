/// The first message of a client.
package struct Hello: Hashable, Sendable {
    /// The bytes that a session's name may have.
    package static let sessionBytes = 1...64

    package var version: Int64
    package var agent: String?
    /// The client's name for itself.
    package var name: String?
    package var token: String?
    package var session: String?
    package var deflate: Bool
    /// A second hello is refused with the id that came with it; the first needs none.
    package var id: RequestID?

    package init(
        version: Int64 = ProtocolVersion.current,
        agent: String? = nil,
        name: String? = nil,
        token: String? = nil,
        session: String? = nil,
        deflate: Bool = false
    ) {
        self.version = version
        self.agent = agent
        self.name = name
        self.token = token
        self.session = session
        self.deflate = deflate
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        guard let version = try envelope.integer(.version) else { throw envelope.missing(.version, "an integer") }
        self.version = version
        self.agent = try envelope.string(.agent)
        self.name = try envelope.string(.name)
        self.token = try envelope.string(.token)
        self.session = try envelope.string(.session)
        self.deflate = try envelope.flag(.deflate) ?? false
        self.id = try envelope.integer(.id).map(RequestID.init)
    }

    func write(to object: inout ObjectWriter) {
        object.write(operation: "hello")
        object.write(.id, self.id?.number)
        object.write(.version, self.version)
        object.write(.agent, self.agent)
        object.write(.name, self.name)
        object.write(.token, self.token)
        object.write(.session, self.session)
        object.write(.deflate, ifTrue: self.deflate)
    }
}

/// The version of the protocol in this code.
package enum ProtocolVersion {
    package static let current: Int64 = 1
}

/// The daemon's answer to `hello`.
package struct Welcome: Hashable, Sendable {
    package var server: String
    /// The daemon's start: numbers of terminals and watches, and sessions, are valid in one epoch.
    package var epoch: String
    /// The idle time of a connection, in milliseconds, after which the daemon pings.
    package var heartbeat: UInt64
    package var maximumFrameBytes: UInt64
    package var deflate: Bool

    package init(server: String, epoch: String, heartbeat: UInt64, maximumFrameBytes: UInt64, deflate: Bool) {
        self.server = server
        self.epoch = epoch
        self.heartbeat = heartbeat
        self.maximumFrameBytes = maximumFrameBytes
        self.deflate = deflate
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.server = try envelope.string(.server) ?? ""
        self.epoch = try envelope.string(.epoch) ?? ""
        self.heartbeat = try envelope.requiredCount(.heartbeat)
        self.maximumFrameBytes = try envelope.requiredCount(.maxFrame)
        self.deflate = try envelope.flag(.deflate) ?? false
    }

    func write(to object: inout ObjectWriter) {
        object.write(operation: "welcome")
        object.write(.version, ProtocolVersion.current)
        object.write(.server, self.server)
        object.write(.epoch, self.epoch)
        object.write(.heartbeat, self.heartbeat)
        object.write(.maxFrame, self.maximumFrameBytes)
        object.write(.deflate, self.deflate)
    }
}
