import Logging
import NIOCore
import RacAccess
import RacHost
import RacProtocol
import RacWeb

extension ConnectionHandler {
    /// The client's first byte begins a request of HTTP.
    func beginHTTP(_ bytes: ByteBuffer, _ web: LoopWeb) {
        guard let context else { return }
        let side = HTTPSide(self, web)
        do {
            try side.begin(context)
        } catch {
            return self.close()
        }
        self.dialect = .http(side)
        self.followsOutput = true
        side.received(bytes)
    }

    /// The proofs of the client's identity, with a token.
    func credentials(token: TokenHash?) -> Credentials {
        var credentials = Credentials(token: token, certificate: self.certificateName)
        if case .unix(_, let user?) = self.peer { credentials.unixUser = user }
        return credentials
    }

    /// The proofs that outlast the connection, in a session of a page: a certificate counts in them as long as it is good.
    func lastingCredentials(token: TokenHash?) -> Credentials {
        var credentials = self.credentials(token: token)
        credentials.certificateTerm = self.certificateTerm
        return credentials
    }

    /// The proofs of the identity of a client that says hello.
    func credentials(of hello: Hello) -> Credentials {
        if hello.token == nil, case .webSocket(let side) = self.dialect { return side.credentials }
        return self.credentials(token: hello.token.map(TokenHash.init(of:)))
    }

    /// The host gets to know the client of a request.
    func introduce(_ introduction: Introduction) {
        self.handshake.introduced()
        self.beginsPace(of: introduction.credentials)
        self.announce(introduction)
    }

    /// The host forgets the client: the next request may be that of another one.
    ///
    /// No bytes wait for the client then, so no turn has the old number.
    func forgetPrincipal() {
        guard self.handshake.isWelcomed else { return }
        self.loop.submit(.closed, of: self)
        self.handshake = HandshakeStateMachine()
        self.loop.renumber(self)
        self.input = Self.newInput
        self.leavesAccount()
        self.receipt = FlowReceipt(threshold: FlowReceipt.writtenBytes)
        self.keptBytes = 0
        self.toldHeldBytes = 0
        self.toldWritable = true
    }

    /// A check of the client's token has cost this many units.
    func spent(_ units: Int) {
        if case .http = self.dialect { self.loop.spent(units, by: self) } else { self.input.spend(units) }
    }

    /// The log shows a request that was refused.
    func reported(_ problem: WebProblem) {
        self.loop.report("a request was refused", problem.refusal.error, of: self)
    }

    /// Earlier answers have left: the next request may be answered.
    func goOn(_ side: HTTPSide) {
        guard self.closing.isOpen else { return }
        side.goOn()
        self.resumeReading()
    }
}
