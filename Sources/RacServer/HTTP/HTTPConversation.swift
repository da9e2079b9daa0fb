import DequeModule
import NIOCore
import NIOHTTP1
import RacAccess
import RacHost
import RacProtocol
import RacWeb

/// The requests of one connection: bytes in, one request at a time to the host, answers out.
///
/// The next request is parsed when the answer to the last one has left. So a client that pipelines has a few parsed requests
/// at most, and the bytes behind them count as kept for it.
///
/// Isolation: the connection's event loop.
final class HTTPConversation: Conversation {
    /// The longest head of a request, with its first line.
    static let maximumHeadBytes = 16 << 10

    /// The bytes that are parsed at a time while no body comes, so that few requests are parsed ahead.
    private static let bytesAtOnce = 2 << 10

    /// The price of parsing some bytes, or of an answer without the host.
    private static let stepUnits = 12

    /// The price of a part that the parser finds: hundreds of short chunks are among the bytes of a step.
    private static let partUnits = 2

    /// Writing 64 bytes of an answer costs a unit: an answer of the API is short, and a file is not.
    static func units(of answerBytes: Int) -> Int { answerBytes >> 6 }

    /// The bytes of chunks' sizes and trailers that a body may have in addition to its own.
    private static let maximumOverhead = 64 << 10

    /// The bytes of framing that each byte of a body excuses: those of the chunk around a single byte, with a short extension.
    private static let overheadOfByte = 16

    /// The longest body of a request whose body means nothing.
    static let maximumUnusedBytes = 1 << 10

    /// The longest body of a request whose client has not proved who it is.
    static let maximumSignInBytes = HandshakeStateMachine.maximumFrameBytes

    /// A request, or the reason why it is refused.
    ///
    /// Isolation: the connection's event loop.
    final class Incoming {
        let head: HTTPHead
        var request: WebRequest
        var problem: WebProblem?
        /// Whether the host knows who sent it.
        var isIdentified = false
        /// Whether its head was known, so that the parser sees nothing of it.
        var isKnown = false
        var isLast: Bool
        /// The bytes that were parsed for its body and are none of it, but those of chunks around earlier bytes of it.
        var overhead = 0

        init(_ head: HTTPHead) {
            self.head = head
            self.request = WebRequest(head.message)
            self.isLast = head.isLast
        }

        /// The bytes of its body that have come.
        var bodyBytes: Int { self.request.body.readableBytes }

        /// The bytes of its body, and about those of its head.
        var bytes: Int {
            self.head.message.headers.reduce(self.bodyBytes + self.head.message.uri.utf8.count) {
                $0 + $1.name.utf8.count + $1.value.utf8.count
            }
        }

        /// Forgets its body: the request is only refused now.
        func dropBody() {
            self.request.body = ByteBuffer()
        }
    }

    /// The request that is being answered.
    enum Stage {
        case none
        /// The host answers.
        case host(HostExchange)
        /// The body is long: it waits to be read apart from the loop, or is being read.
        case reading
        /// A file is read, or a refusal waits.
        case apart
    }

    let connection: ConnectionHandler
    let web: LoopWeb
    private var parser: HTTPParser?
    private var unread = ByteBuffer()
    private var headBytes = 0
    /// The parts that the parser has found in this step.
    private var partCount = 0
    /// Whether the parser stands between two requests.
    private var isBetween = true
    /// The head that was parsed last, if the next request may have it too, and its bytes.
    private var known: (head: HTTPHead, bytes: ByteBuffer)?
    /// The request whose body comes.
    var incoming: Incoming?
    private var queue: Deque<Incoming> = []
    var present: Incoming?
    var work = Stage.none
    /// The host's output that waits for a turn, because it takes a good part of one.
    var late: Deque<Outgoing> = []
    private var isGoingOn = false
    /// Whether the client waits in the line for its next turn.
    private var isQueued = false
    /// Whether the client sends nothing more.
    var isInputClosed = false
    private var owesContinue = false
    /// The header `Host` of an earlier request, which was in order.
    var knownHost: String?
    /// The proofs with which the host knows the connection.
    var proof: HTTPProof?
    var patience: HTTPPatienceStateMachine
    /// Whether the answer under way ends with the connection only.
    var endsWithConnection = false

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
    var isHeld: Bool { (self.isBusy || self.isQueued || !self.hasAnswered) && self.unread.readableBytes > 0 }

    /// The bytes that are kept for the client.
    var keptBytes: Int {
        var bytes = self.unread.readableBytes + (self.incoming?.bodyBytes ?? 0) + (self.present?.bodyBytes ?? 0)
        if case .host(let exchange) = self.work { bytes += exchange.keptBytes }
        for incoming in self.queue { bytes += incoming.bodyBytes }
        for output in self.late { bytes += output.count }
        return bytes
    }

    var isBusy: Bool {
        if case .none = self.work { !self.queue.isEmpty } else { true }
    }

    /// Whether no request follows the present one: a request that is not whole never will be.
    var isInputOver: Bool { self.isInputClosed && self.queue.isEmpty && self.unread.readableBytes == 0 }

    /// Whether a request has begun to come, or waits for its answer.
    var isOwed: Bool { self.isBusy || self.incoming != nil || self.headBytes > 0 }

    /// Whether the head of a request has begun to come.
    var isInHead: Bool { self.headBytes > 0 }
}

@available(*, unavailable)
extension HTTPConversation: Sendable {}

@available(*, unavailable)
extension HTTPConversation.Incoming: Sendable {}

// MARK: Bytes in

extension HTTPConversation {
    func received(_ bytes: ByteBuffer) {
        self.connection.loop.spent(Work.bytesRead(bytes.readableBytes), by: self.connection)
        self.connection.paced?.pace.received(bytes.readableBytes)
        self.unread.receive(bytes)
        if self.incoming == nil, !self.isInHead, !self.isBusy, self.hasAnswered { self.progressed() }
        self.goOn()
        self.connection.tellHeldBytes()
    }

    /// Parses bytes and begins requests, until one is under way or the client's units of this turn are spent.
    func goOn() {
        guard !self.isQueued else { return }
        self.goOn(self.connection.loop.roomToRead(for: self.connection))
    }

    /// The client, who waited in the line, gets this many units of the turn.
    func turnCame(_ room: Int) {
        self.isQueued = false
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
        guard !self.isQueued else { return }
        self.isQueued = true
        self.connection.loop.awaitsTurn(self.connection, bytes: bytes)
    }

    private func goOn(_ room: Int) {
        guard !self.isGoingOn else { return }
        self.isGoingOn = true
        var room = room
        while case .none = self.work, self.mayAnswer, !self.queue.isEmpty || self.unread.readableBytes > 0 {
            guard room > 0 else {
                self.awaitTurn(bytes: self.unread.readableBytes)
                break
            }
            if let next = self.queue.first {
                guard self.isWithinRate() else { break }
                self.queue.removeFirst()
                self.begin(next)
            } else {
                self.parse()
            }
            let units = Self.stepUnits + Self.partUnits * self.partCount
            self.partCount = 0
            self.connection.loop.spent(units, by: self.connection)
            room -= units
        }
        self.isGoingOn = false
        if !self.isBusy, self.mayAnswer { self.payContinue() }
        if self.isInputClosed, !self.isBusy, self.unread.readableBytes == 0 { self.connection.inputEnded() }
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
    func isFirstWithinRate(_ whole: Incoming) -> Bool {
        guard let paced = self.connection.paced else { return true }
        paced.pace.received(whole.bytes + self.unread.readableBytes)
        if self.isWithinRate() { return true }
        self.present = nil
        self.work = .none
        self.queue.prepend(whole)
        return false
    }

    /// Whether the earlier answers have left.
    var hasAnswered: Bool { self.connection.outlet?.waitingBytes == 0 }

    private var mayAnswer: Bool { self.connection.closing.isOpen && self.hasAnswered }

    private func parse() {
        if self.incoming != nil { self.identify() }
        guard case .none = self.work, self.queue.isEmpty else { return }
        if !self.takeKnownHead() { self.takeBytes() }
        if self.unread.readableBytes == 0 { self.unread = ByteBuffer() }
    }

    /// Takes a head that has the bytes of the last one, and need not be parsed.
    private func takeKnownHead() -> Bool {
        guard self.isBetween, !self.isOwed, let known else { return false }
        let count = known.bytes.readableBytes
        guard self.unread.getSlice(at: self.unread.readerIndex, length: count) == known.bytes else { return false }
        self.unread.moveReaderIndex(forwardBy: count)
        let incoming = Incoming(known.head)
        incoming.isKnown = true
        self.owesContinue = false
        self.incoming = incoming
        if known.head.length == 0 { self.receivedWhole() }
        return true
    }

    /// Keeps a head for the requests that repeat it, if the parsed bytes were a whole head and nothing else.
    private func knowHead(of bytes: ByteBuffer) {
        self.known = nil
        guard let only = self.incoming ?? self.queue.first, self.queue.count == (self.incoming == nil ? 1 : 0),
            only.problem == nil, only.bodyBytes == 0, only.head.isRepeatable
        else { return }
        // A copy, as that of a body.
        self.known = (only.head, ByteBuffer(bytes: bytes.readableBytesView))
    }

    private func takeBytes() {
        let piece = self.nextPiece
        guard let bytes = self.unread.readSlice(length: piece.count) else { return }
        if let incoming {
            guard !incoming.isKnown else { return self.received(body: bytes, of: incoming) }
            incoming.overhead += bytes.readableBytes
            self.parser?.parse(bytes)
            self.isBetween = piece.mayEnd && self.incoming == nil
        } else {
            let isStart = self.isBetween
            self.headBytes += bytes.readableBytes
            self.parser?.parse(bytes)
            self.isBetween = piece.mayEnd && self.incoming == nil && !self.queue.isEmpty
            if isStart { self.knowHead(of: bytes) }
        }
        if self.incoming == nil, self.headBytes > Self.maximumHeadBytes { self.refuse(Self.headTooLong) }
        if let incoming, incoming.overhead > Self.maximumOverhead {
            self.refuse(WebProblem(.badRequest, "bad-message", "a body has too many chunks, or too long trailers"))
        }
    }

    /// Takes bytes of a body behind a known head, which the parser has not seen.
    private func received(body bytes: ByteBuffer, of incoming: Incoming) {
        self.received(body: bytes)
        if incoming.bodyBytes == incoming.head.length { self.receivedWhole() }
    }

    /// The bytes that are parsed next: they belong to one request, as far as its length is known.
    ///
    /// Only a piece that may end a request has nothing of the next one.
    private var nextPiece: (count: Int, mayEnd: Bool) {
        let count = self.unread.readableBytes
        guard let incoming else {
            // The end of a head may be cut, and then the next piece has it, with the beginning of another head.
            let most = min(count, Self.bytesAtOnce)
            let head = self.unread.withUnsafeReadableBytes { Self.headCount(in: $0.prefix(most)) }
            return (head ?? most, head != nil)
        }
        guard let length = incoming.head.length else { return (min(count, Self.bytesAtOnce), false) }
        return (min(count, max(1, length - incoming.bodyBytes)), true)
    }

    /// The number of bytes up to the first empty line, which ends a head; nil if there is none.
    private static func headCount(in bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        var (isLineEmpty, count) = (false, 0)
        for byte in bytes {
            count += 1
            if byte == UInt8(ascii: "\n") {
                if isLineEmpty { return count }
                isLineEmpty = true
            } else if byte != UInt8(ascii: "\r") {
                isLineEmpty = false
            }
        }
        return nil
    }

    /// Ends the connection behind the answer to what cannot be read further.
    private func refuse(_ problem: WebProblem) {
        let refused = self.incoming ?? Incoming(Self.noHead)
        refused.problem = refused.problem ?? problem
        refused.isLast = true
        self.incoming = nil
        self.headBytes = 0
        self.unread = ByteBuffer()
        self.queue.append(refused)
    }

    /// Stands for a head that could not be read.
    static var noHead: HTTPHead {
        HTTPHead(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"), isLast: true)
    }

    /// Asks for the body that a client announced, when the earlier answers have left.
    private func payContinue() {
        guard self.owesContinue, self.queue.isEmpty, self.incoming != nil else { return }
        self.owesContinue = false
        self.connection.send(FrameBytes(copying: ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")))
    }

    /// The client sends nothing more: it gets the answers that are due, but no stream goes on for it.
    func inputClosed() {
        guard self.connection.closing.isOpen else { return self.connection.inputEnded() }
        self.isInputClosed = true
        if case .host(let exchange) = self.work, exchange.endsWithInput { return self.connection.end() }
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
        self.incoming?.dropBody()
        self.present?.dropBody()
        for incoming in self.queue { incoming.dropBody() }
    }
}

// MARK: Parts in

extension HTTPConversation: HTTPPartReceiver {
    func received(_ part: HTTPServerRequestPart) {
        self.partCount += 1
        switch part {
        case .head(let head): self.received(head)
        case .body(let bytes): self.received(body: bytes)
        case .end: self.receivedWhole()
        }
    }

    /// The request whose body came is whole.
    private func receivedWhole() {
        guard let whole = self.incoming else { return }
        self.incoming = nil
        self.headBytes = 0
        self.queue.append(whole)
    }

    func cannotParse(_ error: any Error) {
        switch error as? HTTPParserError {
        case .invalidMethod?:
            let text = "the methods are GET, HEAD, PUT, POST, DELETE and OPTIONS"
            self.refuse(WebProblem(.notImplemented, "bad-message", text))
        case .headerOverflow?: self.refuse(Self.headTooLong)
        case .paused?:
            // The preface of HTTP/2 pauses the parser.
            self.refuse(WebProblem(.badRequest, "bad-message", "racd speaks HTTP/1.1, and no HTTP/2"))
        case let fault:
            let words = fault.map { "\($0)" } ?? "\(error)"
            self.refuse(WebProblem(.badRequest, "bad-message", "the bytes are no request of HTTP/1.1: \(words)"))
        }
    }

    private func received(_ parsed: HTTPRequestHead) {
        self.owesContinue = false
        let message = parsed.plain
        let head = HTTPHead(message)
        let incoming = Incoming(head)
        let length = message.headers["content-length"].first.flatMap { Int($0) } ?? 0
        let isChunked = message.headers.contains(name: "transfer-encoding")
        let hasBody = length > 0 || isChunked
        do throws(WebProblem) {
            if self.headBytes > Self.maximumHeadBytes { throw Self.headTooLong }
            head.page = try self.judge(message)
            if hasBody {
                try WebRouter.checkBody(message)
                head.place = try WebRouter.place(message)
                head.maximumBody = self.maximumBody(message.method, head.place?.operation)
            }
        } catch {
            incoming.problem = error
        }
        head.length = isChunked ? nil : length
        if length > head.maximumBody { incoming.problem = incoming.problem ?? Self.tooLong(head.maximumBody) }
        self.incoming = incoming
        if hasBody, incoming.problem != nil { return self.refuse(WebProblem(.badRequest, "bad-message", "")) }
        let expectations = message.headers[canonicalForm: "expect"]
        guard let expectation = expectations.first else { return }
        guard expectations.count == 1, expectation.lowercased() == "100-continue" else {
            return self.refuse(WebProblem(.expectationFailed, "bad-message", "the daemon knows 100-continue only"))
        }
        self.owesContinue = hasBody && message.version == .http1_1
    }

    private static var headTooLong: WebProblem {
        let text = "the head of a request has at most \(Self.maximumHeadBytes) bytes, and 256 fields"
        return WebProblem(.requestHeaderFieldsTooLarge, "too-large", text)
    }

    private static func tooLong(_ limit: Int) -> WebProblem {
        WebProblem(.payloadTooLarge, "too-large", "the body of this request has at most \(limit) bytes")
    }

    private func maximumBody(_ method: HTTPMethod, _ operation: Endpoint.Operation?) -> Int {
        guard WebRouter.takesBody(method) else { return Self.maximumUnusedBytes }
        guard let operation else { return 0 }
        let isSignIn = [.signIn, .makeCode].contains(operation)
        return isSignIn ? Self.maximumSignInBytes : self.connection.loop.configuration.maximumFrameBytes
    }

    private func received(body bytes: ByteBuffer) {
        guard let incoming = self.incoming else { return }
        if !self.isOfStranger(incoming) { self.progressed() }
        incoming.overhead = max(0, incoming.overhead - (1 + Self.overheadOfByte) * bytes.readableBytes)
        let isTooLong = incoming.bodyBytes + bytes.readableBytes > incoming.head.maximumBody
        if isTooLong { return self.refuse(Self.tooLong(incoming.head.maximumBody)) }
        // A copy: the bytes would keep the whole buffer of their read, of which nothing is counted.
        incoming.request.body.writeImmutableBuffer(bytes)
    }
}
