package import RacAccess
package import RacProtocol

/// The words of a client about itself, and the place from which it connects.
package struct Introduction: Sendable {
    /// The client's name for its session.
    package var session: String?
    /// The client's name for itself; the host keeps the beginning.
    package var name: String?
    /// The client's name for its program; the host keeps the beginning.
    package var agent: String?
    package var peer: PeerAddress?
    package var transport: Transport?
    /// The client's proofs of who it is.
    package var credentials: Credentials

    package init(
        session: String? = nil,
        name: String? = nil,
        agent: String? = nil,
        peer: PeerAddress? = nil,
        transport: Transport? = nil,
        credentials: Credentials = Credentials()
    ) {
        self.session = session
        self.name = name
        self.agent = agent
        self.peer = peer
        self.transport = transport
        self.credentials = credentials
    }

    package init(_ hello: Hello, peer: PeerAddress?, transport: Transport, credentials: Credentials) {
        self.init(
            session: hello.session,
            name: hello.name,
            agent: hello.agent,
            peer: peer,
            transport: transport,
            credentials: credentials
        )
    }
}
