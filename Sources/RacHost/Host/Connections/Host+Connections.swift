import RacAccess
import RacProtocol

extension Host {
    /// A client has said `hello`.
    ///
    /// - Parameters:
    ///   - id: The shell's number of the connection.
    ///   - introduction: The client. An earlier connection with its session loses the session and ends.
    /// - Returns: The connection, which all further events name. The host ends it at once if the client is refused.
    package func connected(_ id: ConnectionID, _ introduction: Introduction) -> HostedConnection {
        let admission = self.access?.admits(introduction.credentials, at: self.time.wall)
        let present = self.sessions.session(named: introduction.session)
        let refusal = self.refusal(of: present, admission, introduction.credentials)
        // A client that is refused gets a session without a name, so that it takes over none.
        let session = refusal == nil ? present : Session(name: nil)
        if let older = session.connection.flatMap({ self.connections[$0] }) {
            self.evict(older, because: WireError(.alreadyBound, "another connection has taken over this session"))
            self.beginEnd(of: older, appliesWills: false)
            _ = self.disconnected(older)
        }
        let connection = HostedConnection(
            id: id,
            session: session,
            client: self.client(introduction, of: id, admission?.rights.principal),
            limits: self.limits,
            credentials: introduction.credentials,
            rights: admission?.rights
        )
        self.work.spend(Work.message)
        self.sessions.wake(session, for: id)
        self.connections[id] = connection
        if let transport = introduction.transport { self.transports[transport, default: 0] += 1 }
        session.owner = session.owner ?? admission?.rights.principal
        self.expiring[id] = admission?.expiresAt
        if let refusal {
            self.evict(connection, because: refusal)
        } else if let rights = admission?.rights {
            self.belongings.connected(id, rights.principal)
        }
        return connection
    }

    /// The error for a client that the rules or a bound refuse, or whose session is another principal's; nil if it may go on.
    private func refusal(
        of session: Session,
        _ admission: AccessPolicy.Admission?,
        _ credentials: Credentials
    ) -> WireError? {
        guard self.access != nil else { return nil }
        guard let admission else { return self.unauthenticated(credentials) }
        if let owner = session.owner, owner != admission.rights.principal {
            return WireError(.forbidden, "the session is that of another principal")
        }
        return self.objection(toConnecting: admission.rights, replacing: session.connection)
    }

    private func client(
        _ introduction: Introduction,
        of id: ConnectionID,
        _ principal: PrincipalName?
    ) -> ConnectedClient {
        ConnectedClient(
            connection: id.number,
            name: introduction.name.map(self.beginning),
            agent: introduction.agent.map(self.beginning),
            peer: introduction.peer,
            transport: introduction.transport,
            principal: principal?.text,
            since: self.time.wall
        )
    }

    /// The connection that has the client's session, or had it last; nil if the rules refuse the client, who takes none over.
    package func predecessor(of introduction: Introduction) -> ConnectionID? {
        guard introduction.session != nil else { return nil }
        let session = self.sessions.session(named: introduction.session)
        let admission = self.access?.admits(introduction.credentials, at: self.time.wall)
        return self.refusal(of: session, admission, introduction.credentials) == nil ? session.connection : nil
    }

    /// The number of bindings, watches and observed commands, which have one limit.
    func subscriptionCount(of connection: HostedConnection) -> Int {
        connection.bindings.count + self.watches.count(of: connection.id)
            + (self.commands.user(connection.id)?.observed.count ?? 0)
    }

    /// The longest prefix of whole characters that fits the limit.
    private func beginning(of name: String) -> String {
        guard name.utf8.count > self.limits.agentBytes else { return name }
        var beginning = String.UnicodeScalarView()
        var bytes = 0
        for scalar in name.unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= self.limits.agentBytes else { break }
            beginning.append(scalar)
        }
        return String(beginning)
    }

    /// The socket takes more again, or takes no more for now.
    package func setWritable(_ connection: HostedConnection, _ isWritable: Bool) {
        connection.isWritable = isWritable
        if isWritable { self.tick.list(connection) }
    }

    /// The shell has written this number of bytes, which makes room for more.
    package func wrote(_ bytes: Int, to connection: HostedConnection) {
        connection.unwrittenBytes -= bytes
        if connection.hasRoom, !connection.lagging.isEmpty { self.tick.list(connection) }
    }
}
