import NIOCore
import NIOHTTP1
import RacAccess
import RacHost
import RacProtocol
import RacWeb

// MARK: Whose request

extension HTTPConversation {
    /// Judges the page that sent a request.
    func judge(_ head: HTTPRequestHead) throws(WebProblem) -> WebRules.Page {
        // A program asks under one name, mostly without an origin.
        let hosts = head.headers["host"]
        let isOfProgram = ["origin", WebRules.siteHeader].allSatisfy { !head.headers.contains(name: $0) }
        if hosts.count == 1, hosts.first == self.knownHost, isOfProgram { return .own }
        let channel = self.connection.context?.channel
        let local = channel?.localAddress?.ipAddress
        let page = try self.web.rules.judge(head, local: local, isTLS: self.connection.tls.isOpen)
        try page.admit(head)
        self.knownHost = hosts.first
        return page
    }

    /// Makes the host know who sends a body, so that its bytes are counted.
    func identify(_ incoming: IncomingRequest) {
        do {
            try self.identified(incoming)
        } catch {
            self.answer(error, to: self.exchange.interrupt())
        }
    }

    /// Makes the host know who sent a request.
    ///
    /// Requests of one connection may bring different proofs: then the host gets another client.
    private func identified(_ incoming: IncomingRequest) throws(WebProblem) {
        defer { incoming.isIdentified = true }
        var proof = try incoming.head.proofs(self.web.sessions.cookie, isTLS: self.connection.tls.isOpen)
        let session = self.session(proof)
        if session == nil { proof.session = nil }
        guard self.proof != proof || !self.connection.isWelcomed else { return }
        self.connection.forgetClient()
        let shown = session ?? self.connection.credentials(token: proof.token)
        guard let credentials = self.admitted(shown, try incoming.request.token()) else { throw self.unknown(proof) }
        self.proof = proof
        let agent = incoming.head.message.headers["user-agent"].first
        self.connection.beginsPace(of: credentials)
        self.connection.announce(
            Introduction(agent: agent, peer: self.connection.peer, transport: .http, credentials: credentials)
        )
    }

    /// The proofs with the claims of a JWT; nil if the rules do not accept the client.
    private func admitted(_ shown: Credentials, _ token: String?) -> Credentials? {
        var credentials = shown
        let loop = self.connection.loop
        guard let reason = loop.refusal(of: &credentials, token, self.connection) else { return credentials }
        guard token != nil else { return nil }
        loop.report("a request was refused", reason, of: self.connection)
        return nil
    }

    private func unknown(_ proof: HTTPProof) -> WebProblem {
        let asking = "this racd asks who you are: send a token, or sign in"
        let named = self.connection.tls.certificateName.map {
            "the certificate '\($0)' is no principal's, and \(asking)"
        }
        return WebProblem(.unauthorized, "unauthenticated", proof.token == nil ? named ?? asking : Self.refusal)
    }

    private static let refusal = LoggedReason.unknownToken.text

    private func credentials(_ proof: HTTPProof) -> Credentials {
        self.session(proof) ?? self.connection.credentials(token: proof.token)
    }

    /// The proofs with which the session of a cookie began; nil if there is no such session.
    private func session(_ proof: HTTPProof) -> Credentials? {
        guard let secret = proof.session else { return nil }
        return self.web.sessions.credentials(of: secret, at: self.connection.loop.now)
    }
}

// MARK: What a request asks for

extension HTTPConversation {
    /// Answers a whole request, or begins to.
    func begin(_ incoming: IncomingRequest) {
        if incoming.problem == nil, incoming.bodyBytes > LongFrame.plainBytes {
            self.exchange.readsApart()
            return self.connection.loop.awaitsReadingApart(self.connection)
        }
        do throws(WebProblem) {
            if let problem = incoming.problem { throw problem }
            try self.carryOut(incoming, try incoming.head.route(of: incoming.request))
        } catch {
            self.answer(error, to: incoming)
        }
    }

    /// Reads the long body of the present request apart, unless it waits no more.
    func readApart() {
        guard case .reading(let present) = self.exchange.work, self.connection.closing.isOpen else { return }
        let routing = present.head.routing(of: present.request)
        self.connection.loop.readApart(of: self.connection) {
            Result { () throws(WebProblem) in try routing.route() }
        } then: {
            self.wasRead($0)
        }
    }

    /// The long body has been read.
    private func wasRead(_ route: Result<WebRoute, WebProblem>) {
        // A request that has not begun by the end of the connection gets the reason of that.
        guard case .reading(let present) = self.exchange.work, self.connection.closing.isOpen,
            !self.connection.loop.isStopping
        else { return }
        do throws(WebProblem) {
            let route = try route.get()
            present.head.leads(route)
            try self.carryOut(present, route)
        } catch {
            self.answer(error, to: present)
        }
        self.goOnReading()
    }

    /// Work apart from the loop is over: the next request may begin.
    private func goOnReading() {
        self.goOn()
        self.connection.tellHeldBytes()
        self.connection.resumeReading()
    }

    private func carryOut(_ incoming: IncomingRequest, _ route: WebRoute) throws(WebProblem) {
        switch route {
        case .host(let request, let form):
            try incoming.head.page.admit(form)
            try self.ask(request, form, incoming)
        case .file(let segments): try self.answerFile(segments, incoming)
        case .document: self.answer(WebResponse(json: SplitText(OpenAPI.document)))
        case .webSocket: try self.beginWebSocket(incoming)
        case .sessionState: try self.answerSessionState(incoming.request)
        case .signIn: try self.signIn(incoming)
        case .signOut: self.signOut(incoming)
        case .makeCode: try self.makeCode(incoming.request)
        case .options(let methods): self.answer(WebResponse(.noContent, [WebResponse.allow(methods)]))
        }
    }

    private func ask(_ request: Request, _ form: AnswerForm, _ whole: IncomingRequest) throws(WebProblem) {
        let exchange = HostExchange(request, form)
        if !whole.isIdentified {
            // A request of an earlier client with a bounded rate has counted for that one.
            let hasCounted = self.connection.paced != nil
            try self.identified(whole)
            if !hasCounted, !self.isFirstWithinRate(whole) { return }
        }
        guard self.exchange.asks(exchange) else { return self.connection.end() }
        let bytes = whole.bodyBytes + whole.head.message.uri.utf8.count + ClientWords.overhead
        whole.dropBody()
        self.connection.loop.submit(
            ClientWords(.request(RequestID(0), request), bytes: bytes),
            of: self.connection
        )
    }

    private func answerFile(_ segments: [String], _ incoming: IncomingRequest) throws(WebProblem) {
        let missing = WebProblem(noPath: "there is no such page")
        guard EmbeddedFiles.isInside(segments) else { throw missing }
        let head = incoming.head.message
        guard let folder = self.web.folder else {
            guard let place = WebPlace(segments, EmbeddedFiles.file) else { throw missing }
            return self.answer(place.answer(to: head))
        }
        self.exchange.waitsApart()
        self.connection.loop.readApart {
            WebPlace(segments) { WebFile($0, in: folder) }
        } then: { [weak self] place in
            guard let self, case .apart = self.exchange.work else { return }
            // A folder need not have the files of rac.js.
            let found = place ?? WebPlace(segments, EmbeddedFiles.file)
            self.answer(found?.answer(to: head) ?? WebResponse(missing))
            self.goOnReading()
        }
    }

    private func beginWebSocket(_ incoming: IncomingRequest) throws(WebProblem) {
        let head = incoming.head.message
        // Pages cannot send the header, and an error before the upgrade is invisible to a page.
        let headers = try WebSocketHandshake.answer(to: head)
        let proof = try self.proof(of: incoming.request)
        let writer = ResponseWriter(to: head, incoming.head.page, isLast: false)
        let response = WebResponse(.switchingProtocols, headers.map { ($0.name, $0.value) })
        let answer = self.bytes(of: response, .switched, by: writer)
        let shown = self.credentials(proof)
        let credentials = self.admitted(shown, try incoming.request.token()) ?? shown
        let unread = self.leave()
        let (connection, loop) = (self.connection, self.connection.loop)
        connection.forgetClient()
        let conversation = WebSocketConversation(connection, credentials)
        connection.conversation = conversation
        connection.heartbeat = HeartbeatStateMachine(interval: loop.configuration.helloTimeout, at: loop.now)
        connection.send(answer)
        if unread.readableBytes > 0 { conversation.received(unread) }
    }
}

// MARK: Sessions

extension HTTPConversation {
    private func answerSessionState(_ request: WebRequest) throws(WebProblem) {
        let token = try request.token()
        let credentials = self.admitted(self.credentials(try self.proof(of: request)), token)
        // The answer would show somebody who guesses tokens at once whether one is right.
        guard credentials != nil || token == nil else {
            throw WebProblem(.unauthorized, "unauthenticated", Self.refusal)
        }
        let principal = credentials.flatMap { self.connection.loop.principal(of: $0) }
        let isClosed = self.connection.loop.access != nil
        var body = ByteBuffer(string: #"{"closed":\#(isClosed),"admitted":\#(credentials != nil)"#)
        if let principal {
            body.writeString(#","principal":"#)
            body.writeJSONString(principal)
        }
        body.writeString("}\n")
        self.answer(WebResponse(json: SplitText(body), [("Cache-Control", "no-store")]))
    }

    /// Begins a session for the token of the request, or for its one-time code.
    private func signIn(_ incoming: IncomingRequest) throws(WebProblem) {
        let request = incoming.request
        let proof: SignIn? = if let token = try request.token() { .token(token) } else { try SignIn(request.body) }
        let credentials: Credentials
        switch proof {
        case .token(let token): credentials = try self.credentials(ofToken: token)
        case .code(let code): credentials = try self.credentials(ofCode: code)
        case nil:
            let text = "sign in with a token: Authorization: Bearer TOKEN, or {\"token\":\"TOKEN\"}"
            throw WebProblem(.unauthorized, "unauthenticated", text)
        }
        let loop = self.connection.loop
        let secret = self.web.sessions.begin(credentials, of: loop.principal(of: credentials), at: loop.now)
        self.answer(self.cookie(secret, lifetime: WebSessions.lifetime / 1000, to: incoming))
    }

    private func credentials(ofToken token: String) throws(WebProblem) -> Credentials {
        let shown = self.connection.lastingCredentials(token: TokenHash(of: token))
        guard let credentials = self.admitted(shown, token) else {
            throw WebProblem(.unauthorized, "unauthenticated", Self.refusal)
        }
        return credentials
    }

    private func credentials(ofCode code: String) throws(WebProblem) -> Credentials {
        let shown = self.web.sessions.use(code: code, at: self.connection.loop.now)
        guard let credentials = shown.flatMap({ self.admitted($0, nil) }) else {
            let text = "the code is not known, was used, or its time is over; 'racctl ui' makes another one"
            throw WebProblem(.unauthorized, "unauthenticated", text)
        }
        self.connection.loop.auditCode("a page signed in by a one-time code", credentials, of: self.connection)
        return credentials
    }

    /// Makes a one-time code for a program, with which a page signs in as the program's principal.
    ///
    /// The page of an open daemon needs none. The cookie of a session is no proof here, so a script in a page cannot make further sessions of its own.
    private func makeCode(_ request: WebRequest) throws(WebProblem) {
        let loop = self.connection.loop
        guard loop.access != nil else { return self.answer(WebResponse(.noContent)) }
        let token = try request.token()
        let shown = self.connection.lastingCredentials(token: token.map(TokenHash.init(of:)))
        guard let credentials = self.admitted(shown, token), let principal = loop.principal(of: credentials),
            principal != PrincipalName.anonymous.text
        else {
            let text = token == nil ? "a code is for a program that shows who it is: send a token" : Self.refusal
            throw WebProblem(.unauthorized, "unauthenticated", text)
        }
        guard let code = self.web.sessions.makeCode(for: credentials, of: principal, at: loop.now) else {
            let text = "a principal gets \(SignInCodes.maximumOfPrincipal) codes a minute, and there are enough now"
            throw WebProblem(.tooManyRequests, "limit", text, retryAfter: SignInCodes.lifetime / 1000)
        }
        loop.auditCode("a one-time code was made", credentials, of: self.connection)
        let body = #"{"code":"\#(code)","seconds":\#(SignInCodes.lifetime / 1000)}"#
        self.answer(WebResponse(json: SplitText("\(body)\n"), [("Cache-Control", "no-store")]))
    }

    private func signOut(_ incoming: IncomingRequest) {
        let sessions = self.web.sessions
        if let secret = sessions.cookie.secret(in: incoming.request, isTLS: self.connection.tls.isOpen) {
            sessions.end(secret)
        }
        self.answer(self.cookie("", lifetime: 0, to: incoming))
    }

    private func cookie(_ secret: String, lifetime: UInt64, to incoming: IncomingRequest) -> WebResponse {
        let cookie = self.web.sessions.cookie.header(
            secret,
            lifetime: lifetime,
            isTLS: self.connection.tls.isOpen,
            for: incoming.request,
            of: incoming.head.page
        )
        return WebResponse(.noContent, [cookie, ("Cache-Control", "no-store")])
    }

    private func proof(of request: WebRequest) throws(WebProblem) -> HTTPProof {
        try HTTPProof(request, self.web.sessions.cookie, isTLS: self.connection.tls.isOpen)
    }
}
