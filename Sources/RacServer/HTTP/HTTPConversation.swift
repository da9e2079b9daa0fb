import DequeModule
import NIOCore
import NIOHTTP1
import RacAccess
import RacHost
import RacProtocol
import RacWeb

/// The requests of one connection: bytes in, one request at a time to the host, answers out.
///
/// An ``HTTPExchangeStateMachine`` decides what is parsed and answered next, and this does it.
///
/// Isolation: the connection's event loop.
final class HTTPConversation: Conversation {
    /// The price of parsing some bytes, or of an answer without the host.
    private static let stepUnits = 12

    /// The price of a part that the parser finds: hundreds of short chunks are among the bytes of a step.
    private static let partUnits = 2

    /// Writing 64 bytes of an answer costs a unit: an answer of the API is short, and a file is not.
    static func units(of answerBytes: Int) -> Int { answerBytes >> 6 }

    /// The longest body of a request whose body means nothing.
    static let maximumUnusedBytes = 1 << 10

    /// The longest body of a request whose client has not proved who it is.
    static let maximumSignInBytes = HandshakeStateMachine.maximumFrameBytes

    let connection: ConnectionHandler
    let web: LoopWeb
    private var parser: HTTPParser?
    var exchange = HTTPExchangeStateMachine()
    private(set) var unread = ByteBuffer()
    /// The head that was parsed last, if the next request may have it too.
    private var known: KnownHead?
    /// The host's output that waits for a turn, because it takes a good part of one.
    var late: Deque<Outgoing> = []
    /// Whether the client waits in the line for its next turn.
    private var isInLine = false
    /// The header `Host` of an earlier request, which was in order.
    var knownHost: String?
    /// The proofs with which the host knows the connection.
    var proof: HTTPProof?
    var patience: HTTPPatienceStateMachine

    init(_ connection: ConnectionHandler, _ web: LoopWeb) {
        self.connection = connection
        self.web = web
        self.patience = HTTPPatienceStateMachine(
            heartbeat: connection.loop.configuration.heartbeat,
            helloTimeout: connection.loop.configuration.helloTimeout,
            lingerTime: ConnectionHandler.lingerTime,
            at: connection.loop.now
        )
        // The pipeline of a channel that is closed takes no handlers, and no more bytes come.
        self.parser = connection.context.flatMap { try? HTTPParser(behind: $0, self) }
    }

    var transport: Transport { .http }

    /// Whether bytes wait for the answer under way, or for an earlier one to leave.
    var isHeld: Bool { (self.exchange.isBusy || self.isInLine || !self.hasAnswered) && self.unread.readableBytes > 0 }

    /// The bytes that are kept for the client.
    var keptBytes: Int {
        self.late.reduce(self.unread.readableBytes + self.exchange.keptBytes) { $0 + $1.count }
    }
}

@available(*, unavailable)
extension HTTPConversation: Sendable {}

// MARK: Bytes in

extension HTTPConversation {
    func received(_ bytes: ByteBuffer) {
        self.connection.loop.spent(Work.bytesRead(bytes.readableBytes), by: self.connection)
        self.connection.paced?.pace.received(bytes.readableBytes)
        self.unread.receive(bytes)
        if !self.exchange.isOwed, self.hasAnswered { self.progressed() }
        self.goOn()
        self.connection.tellHeldBytes()
    }

    /// Parses bytes and begins requests, until one is under way or the client's units of this turn are spent.
    func goOn() {
        guard !self.isInLine else { return }
        self.goOn(self.connection.loop.roomToRead(for: self.connection))
    }

    /// The client, who waited in the line, gets this many units of the turn.
    func turnCame(_ room: Int) {
        self.isInLine = false
        if room > 0, !self.late.isEmpty {
            self.takeLate()
            self.connection.tellWritable()
        }
        if let next = self.late.first { self.awaitTurn(bytes: next.count) } else { self.goOn(room) }
        self.connection.tellHeldBytes()
        self.connection.resumeReading()
    }

    /// Puts the client into the line for its next turn.
    func awaitTurn(bytes: Int) {
        guard !self.isInLine else { return }
        self.isInLine = true
        self.connection.loop.awaitsTurn(self.connection, bytes: bytes)
    }

    private func goOn(_ room: Int) {
        var room = room
        while let units = self.take(self.exchange.next(self.unread, mayAnswer: self.mayAnswer, room: room)) {
            self.connection.loop.spent(units, by: self.connection)
            room -= units
        }
    }

    /// Takes a step, and returns its units; nil if none follows for now.
    private func take(_ step: HTTPExchangeStateMachine.Step) -> Int? {
        switch step {
        case .identify(let request): self.identify(request)
        case .readHead: return self.readHead()
        case .parse(let piece): return self.parse(piece)
        case .takeBody(let count):
            if let bytes = self.takeUnread(count) { self.received(.body(bytes)) }
            return Self.stepUnits
        case .begin(let request):
            guard self.isWithinRate() else {
                self.exchange.postpone()
                return nil
            }
            self.begin(request)
            return Self.stepUnits
        case .askForBody: self.connection.send(FrameBytes(copying: ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")))
        case .awaitTurn:
            self.awaitTurn(bytes: self.unread.readableBytes)
            return nil
        case .endInput:
            self.connection.inputEnded()
            return nil
        case .wait: return nil
        }
        return 0
    }

    private func readHead() -> Int {
        guard let known, let count = known.count(in: self.unread) else {
            return self.parse(self.exchange.parseHead(of: self.unread))
        }
        _ = self.takeUnread(count)
        self.exchange.knownHeadCame(IncomingRequest(known.head))
        return Self.stepUnits
    }

    private func parse(_ piece: HTTPExchangeStateMachine.Piece) -> Int {
        guard let bytes = self.takeUnread(piece.count) else { return Self.stepUnits }
        let parts = self.parser?.parse(bytes) ?? 0
        if piece.beginsRequest { self.known = KnownHead(self.exchange.requests, bytes) }
        self.exchange.parsed(piece)
        return Self.stepUnits + Self.partUnits * parts
    }

    private func takeUnread(_ count: Int) -> ByteBuffer? {
        defer { if self.unread.readableBytes == 0 { self.unread = ByteBuffer() } }
        return self.unread.readSlice(length: count)
    }

    /// Whether the next request may begin now, which counts then; the client rests if it is over its rate.
    private func isWithinRate() -> Bool {
        guard let paced = self.connection.paced else { return true }
        if let end = paced.pace.rests(at: self.connection.loop.now) {
            self.connection.rest(paced, until: end)
            return false
        }
        paced.pace.tookMessage(left: self.unread.readableBytes)
        return true
    }

    /// Whether the first request of a client may go on now; if not, it waits until it may.
    func isFirstWithinRate(_ whole: IncomingRequest) -> Bool {
        guard let paced = self.connection.paced else { return true }
        paced.pace.received(whole.bytes + self.unread.readableBytes)
        if self.isWithinRate() { return true }
        self.exchange.postpone()
        return false
    }

    /// Whether the earlier answers have left.
    var hasAnswered: Bool { self.connection.outlet?.waitingBytes == 0 }

    private var mayAnswer: Bool { self.connection.closing.isOpen && self.hasAnswered }

    /// The client sends nothing more: it gets the answers that are due, but no stream goes on for it.
    func inputClosed() {
        guard self.connection.closing.isOpen else { return self.connection.inputEnded() }
        if self.exchange.inputClosed() { return self.connection.end() }
        self.goOn()
    }

    /// Earlier answers have left: the next request may be answered.
    func outputLeft() {
        guard self.connection.closing.isOpen else { return }
        self.goOn()
        self.connection.resumeReading()
    }

    func restEnded() {
        self.connection.loop.enterTick()
        self.outputLeft()
    }

    func spent(_ units: Int) { self.connection.loop.spent(units, by: self.connection) }

    // A message is one request, which is answered before the next one.
    func took(_ bytes: Int) {}
    var hasMessages: Bool { false }
    var waitsWithFew: Bool { false }

    /// Leaves the pipeline: the connection goes on as a WebSocket.
    ///
    /// - Returns: The bytes that have not been parsed, which are not parsed any more.
    func leave() -> ByteBuffer {
        self.parser?.remove()
        self.parser = nil
        defer { self.unread = ByteBuffer() }
        return self.unread
    }

    /// Forgets what the client has sent, but the head of a request that gets the reason of the end.
    func dismiss() {
        self.unread = ByteBuffer()
        for request in self.exchange.requests { request.dropBody() }
    }
}

// MARK: Parts in

extension HTTPConversation: HTTPPartReceiver {
    func received(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head): self.received(head)
        case .body(let bytes):
            if self.exchange.awaited(isStranger: !self.connection.isWelcomed) == .body { self.progressed() }
            self.exchange.bodyCame(bytes)
        case .end: self.exchange.requestEnded()
        }
    }

    func cannotParse(_ error: any Error) {
        switch error as? HTTPParserError {
        case .invalidMethod?:
            let text = "the methods are GET, HEAD, PUT, POST, DELETE and OPTIONS"
            self.exchange.refuse(WebProblem(.notImplemented, "bad-message", text))
        case .headerOverflow?: self.exchange.refuse(.headTooLong)
        case .paused?:
            // The preface of HTTP/2 pauses the parser.
            self.exchange.refuse(WebProblem(.badRequest, "bad-message", "racd speaks HTTP/1.1, and no HTTP/2"))
        case let fault:
            let words = fault.map { "\($0)" } ?? "\(error)"
            self.exchange.refuse(
                WebProblem(.badRequest, "bad-message", "the bytes are no request of HTTP/1.1: \(words)")
            )
        }
    }

    private func received(_ parsed: HTTPRequestHead) {
        let message = parsed.plain
        let head = HTTPHead(message)
        let request = IncomingRequest(head)
        let length = message.headers["content-length"].first.flatMap { Int($0) } ?? 0
        let isChunked = message.headers.contains(name: "transfer-encoding")
        let hasBody = length > 0 || isChunked
        let expectations = message.headers[canonicalForm: "expect"]
        do throws(WebProblem) {
            if !self.exchange.isHeadWithinLimit { throw .headTooLong }
            head.page = try self.judge(message)
            if hasBody {
                try WebRouter.checkBody(message)
                head.place = try WebRouter.place(message)
                head.maximumBody = self.maximumBody(message.method, head.place?.operation)
                head.isForHost = head.maximumBody > Self.maximumSignInBytes
            }
        } catch {
            request.problem = error
        }
        head.length = isChunked ? nil : length
        if length > head.maximumBody { request.problem = request.problem ?? .bodyTooLong(head.maximumBody) }
        let isAwaited = hasBody && message.version == .http1_1 && !expectations.isEmpty
        self.exchange.headCame(request, isAwaited: isAwaited)
        if hasBody, let problem = request.problem { return self.exchange.refuse(problem) }
        guard expectations.isEmpty || expectations.count == 1 && expectations[0].lowercased() == "100-continue" else {
            return self.exchange.refuse(
                WebProblem(.expectationFailed, "bad-message", "the daemon knows 100-continue only")
            )
        }
    }

    private func maximumBody(_ method: HTTPMethod, _ operation: Endpoint.Operation?) -> Int {
        guard WebRouter.takesBody(method) else { return Self.maximumUnusedBytes }
        guard let operation else { return 0 }
        let isSignIn = [.signIn, .makeCode].contains(operation)
        return isSignIn ? Self.maximumSignInBytes : self.connection.loop.configuration.maximumFrameBytes
    }
}
