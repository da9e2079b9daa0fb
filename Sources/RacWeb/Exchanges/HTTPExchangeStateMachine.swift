package import NIOCore
import NIOHTTP1

/// Decides what comes next in the exchange with one client of HTTP: its requests are answered one at a time, in order.
///
/// The next request is parsed when the answer to the last one has left. So a client that pipelines has a few parsed requests
/// at most, and the bytes behind them count as kept for it.
///
/// The connection takes the ``next(_:mayAnswer:room:)`` step, and reports what came of it.
///
/// Semantics: docs/web.md, and RFC 9112, "Pipelining".
package struct HTTPExchangeStateMachine: ~Copyable {
    /// The longest head of a request, with its first line.
    package static let maximumHeadBytes = 16 << 10

    /// The bytes that are parsed at a time while no body comes, so that few requests are parsed ahead.
    private static let bytesAtOnce = 2 << 10

    /// The bytes of framing, such as chunks' sizes and trailers, that a body may have in any case.
    private static let framingBytes = 64 << 10

    /// The bytes of framing that each byte of a body allows: a chunk around a single byte, with a short extension.
    private static let framingOfByte = 16

    /// A step of the connection.
    package enum Step {
        /// The host has to know who sends the body of a request before more of it is kept.
        case identify(IncomingRequest)
        /// A request begins: its head is known, or ``parseHead(of:)`` has the bytes to parse.
        case readHead
        /// The parser gets bytes; ``parsed(_:)`` follows.
        case parse(Piece)
        /// Bytes are the body of a request whose head was not parsed.
        case takeBody(bytes: Int)
        /// A whole request is answered.
        case begin(IncomingRequest)
        /// The client gets `100 Continue`.
        case askForBody
        /// The client waits for its next turn.
        case awaitTurn
        /// The client has sent all, and gets what is due.
        case endInput
        /// Something has to happen first.
        case wait
    }

    /// Bytes for the parser, which belong to one request as far as its length is known.
    package struct Piece: Equatable, Sendable {
        package let count: Int
        /// Whether the parser has seen nothing of a request yet.
        package let beginsRequest: Bool
        /// Whether nothing of another request is in it, if a request ends in it.
        package let mayEnd: Bool
    }

    /// The work on the answer to one request.
    package enum Work {
        case none
        /// The request is judged, and answered at once if the host has no part in it.
        case begun(IncomingRequest)
        /// The body is long: it waits to be read apart from the loop, or is being read.
        case reading(IncomingRequest)
        /// A file is read, or a refusal waits.
        case apart(IncomingRequest)
        /// The host answers.
        case host(IncomingRequest, HostExchange)
    }

    /// The next thing that the client sends.
    private enum Input {
        /// A request, of which nothing was parsed.
        case request
        /// The rest of a head; the end of a body in chunks may have brought the first bytes of it, which do not count.
        case head(bytes: Int)
        case body(Body)
        /// Nothing that could be read.
        case nothing
    }

    private struct Body {
        let request: IncomingRequest
        /// Whether the parser has seen the head, and so gets the body.
        let isParsed: Bool
        /// Whether the client waits to be asked for it.
        var isAwaited: Bool
        /// The bytes that were parsed for it and are none of it, but those that its earlier bytes allow.
        var framing = 0
    }

    private var input = Input.request
    /// The requests that came whole.
    private var whole: [IncomingRequest] = []
    package private(set) var work = Work.none
    /// Whether the client sends nothing more.
    private var isInputClosed = false

    package init() {}

    /// The next step; it is another one each time, until it is to wait, to end or for a turn.
    ///
    /// - Parameters:
    ///   - unread: The bytes that have come and were not parsed.
    ///   - mayAnswer: Whether the earlier answers have left, and the connection is open.
    ///   - room: The units of the turn that the client has left.
    /// - Returns: The step.
    package mutating func next(_ unread: ByteBuffer, mayAnswer: Bool, room: Int) -> Step {
        guard case .none = self.work else { return .wait }
        if mayAnswer {
            let hasMore = !self.whole.isEmpty || unread.readableBytes > 0
            if hasMore, room > 0 { return self.goOn(unread) }
            if self.whole.isEmpty, case .body(var body) = self.input, body.isAwaited {
                body.isAwaited = false
                self.input = .body(body)
                return .askForBody
            }
            if hasMore { return .awaitTurn }
        }
        return self.isInputOver(unread) ? .endInput : .wait
    }

    private mutating func goOn(_ unread: ByteBuffer) -> Step {
        if let first = self.whole.first {
            self.whole.removeFirst()
            self.work = .begun(first)
            return .begin(first)
        }
        switch self.input {
        case .request: return .readHead
        case .head: return .parse(self.parseHead(of: unread))
        case .body(let body):
            if body.request.head.isForHost, !body.request.isIdentified { return .identify(body.request) }
            return self.takeBody(body, unread.readableBytes)
        case .nothing: return .wait
        }
    }

    /// The parser gets the bytes up to the end of a head.
    ///
    /// If that end is cut, the next piece has it with the head behind.
    package mutating func parseHead(of unread: ByteBuffer) -> Piece {
        let most = min(unread.readableBytes, Self.bytesAtOnce)
        let head = unread.withUnsafeReadableBytes { Self.headCount(in: $0.prefix(most)) }
        let earlier: Int? = if case .head(let bytes) = self.input { bytes } else { nil }
        let piece = Piece(count: head ?? most, beginsRequest: earlier == nil, mayEnd: head != nil)
        self.input = .head(bytes: (earlier ?? 0) + piece.count)
        return piece
    }

    private mutating func takeBody(_ body: Body, _ count: Int) -> Step {
        let length = body.request.head.length
        let rest = length.map { max(1, $0 - body.request.bodyBytes) } ?? Self.bytesAtOnce
        guard body.isParsed else { return .takeBody(bytes: min(count, rest)) }
        let piece = Piece(count: min(count, rest), beginsRequest: false, mayEnd: length != nil)
        var body = body
        body.framing += piece.count
        self.input = .body(body)
        return .parse(piece)
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
}

// MARK: The client

extension HTTPExchangeStateMachine {
    /// Whether the bytes of the head that comes are within the limit.
    package var isHeadWithinLimit: Bool {
        if case .head(let bytes) = self.input { bytes <= Self.maximumHeadBytes } else { true }
    }

    /// The parser has found a head.
    ///
    /// - Parameters:
    ///   - request: The request, without its body.
    ///   - isAwaited: Whether the client waits to be asked for the body.
    package mutating func headCame(_ request: IncomingRequest, isAwaited: Bool) {
        if case .nothing = self.input { return }
        self.input = .body(Body(request: request, isParsed: true, isAwaited: isAwaited))
    }

    /// A head is known, and the parser sees nothing of the request.
    package mutating func knownHeadCame(_ request: IncomingRequest) {
        self.input = .body(Body(request: request, isParsed: false, isAwaited: false))
        self.endIfWhole()
    }

    /// A part of a body has come; one that the body has no room for is refused.
    package mutating func bodyCame(_ bytes: ByteBuffer) {
        guard case .body(var body) = self.input else { return }
        let request = body.request
        guard request.bodyBytes + bytes.readableBytes <= request.head.maximumBody else {
            return self.refuse(.bodyTooLong(request.head.maximumBody))
        }
        // A copy: the bytes would keep the whole buffer of their read, of which nothing is counted.
        request.request.body.writeImmutableBuffer(bytes)
        guard body.isParsed else { return self.endIfWhole() }
        body.framing = max(0, body.framing - (1 + Self.framingOfByte) * bytes.readableBytes)
        self.input = .body(body)
    }

    /// Ends a request that the parser does not see, if its body is whole.
    private mutating func endIfWhole() {
        guard case .body(let body) = self.input, body.request.bodyBytes == body.request.head.length else { return }
        self.whole.append(body.request)
        self.input = .request
    }

    /// The parser has found the end of a request.
    package mutating func requestEnded() {
        guard case .body(let body) = self.input else { return }
        self.whole.append(body.request)
        self.input = .head(bytes: 0)
    }

    /// All that the parser has found in a piece was reported.
    package mutating func parsed(_ piece: Piece) {
        switch self.input {
        case .head where piece.mayEnd && !self.whole.isEmpty: self.input = .request
        case .head where !self.isHeadWithinLimit: self.refuse(.headTooLong)
        case .body(let body) where body.framing > Self.framingBytes: self.refuse(.framingTooLong)
        case .request, .head, .body, .nothing: break
        }
    }

    /// Nothing behind the request that comes can be read: it is answered with the problem.
    package mutating func refuse(_ problem: WebProblem) {
        if case .nothing = self.input { return }
        let refused = self.incoming ?? .unreadable
        refused.problem = refused.problem ?? problem
        refused.isLast = true
        self.input = .nothing
        self.whole.append(refused)
    }

    /// The client sends nothing more; whether it has given up the answer that it waits for.
    package mutating func inputClosed() -> Bool {
        self.isInputClosed = true
        if case .host(_, let exchange) = self.work { return exchange.endsWithInput }
        return false
    }
}

// MARK: The answer

extension HTTPExchangeStateMachine {
    /// The client is over its rate: the request that was begun waits.
    package mutating func postpone() {
        guard case .begun(let request) = self.work else { return }
        self.work = .none
        self.whole.insert(request, at: 0)
    }

    /// The long body of the request that was begun waits to be read.
    package mutating func readsApart() {
        if case .begun(let request) = self.work { self.work = .reading(request) }
    }

    /// The answer to the present request comes from another thread, or after a pause.
    package mutating func waitsApart() {
        if let present { self.work = .apart(present) }
    }

    /// The host is asked; whether the client still wants the answer.
    package mutating func asks(_ exchange: HostExchange) -> Bool {
        // A stream would go on for ever: the end of the client's side, which cancels it, has come already.
        guard let present, !(self.isInputClosed && exchange.endsWithInput) else { return false }
        self.work = .host(present, exchange)
        return true
    }

    /// The parts of the answer that follow from the host's word; nil if the host is not asked.
    package mutating func answer(_ say: (inout HostExchange) -> [HostExchange.Part]) -> [HostExchange.Part]? {
        guard case .host(let present, var exchange) = self.work else { return nil }
        // The exchange is changed in place: nothing else refers to it.
        self.work = .apart(present)
        defer { self.work = .host(present, exchange) }
        return say(&exchange)
    }

    /// The request that waits longest is answered now, and nothing behind it.
    package mutating func interrupt() -> IncomingRequest {
        let request = self.present ?? self.whole.first ?? self.incoming ?? .unreadable
        self.work = .begun(request)
        self.whole = []
        self.input = .nothing
        request.isLast = true
        return request
    }

    /// The present request is answered.
    package mutating func answered() {
        self.work = .none
    }
}

// MARK: What is true

extension HTTPExchangeStateMachine {
    /// The request that is being answered.
    package var present: IncomingRequest? {
        switch self.work {
        case .none: nil
        case .begun(let request), .reading(let request), .apart(let request), .host(let request, _): request
        }
    }

    /// The request whose body comes.
    private var incoming: IncomingRequest? {
        if case .body(let body) = self.input { body.request } else { nil }
    }

    /// All requests that are kept.
    package var requests: [IncomingRequest] {
        [self.present, self.incoming].compactMap(\.self) + self.whole
    }

    /// The bytes that are kept for the client's requests and their answers.
    package var keptBytes: Int {
        var bytes = (self.present?.bodyBytes ?? 0) + (self.incoming?.bodyBytes ?? 0)
        for request in self.whole { bytes += request.bodyBytes }
        if case .host(_, let exchange) = self.work { bytes += exchange.keptBytes }
        return bytes
    }

    /// Whether a request is being answered, or waits for that.
    package var isBusy: Bool {
        if case .none = self.work { !self.whole.isEmpty } else { true }
    }

    /// Whether a stream of events has begun.
    package var isStreaming: Bool {
        if case .host(_, let exchange) = self.work { exchange.isStreaming } else { false }
    }

    /// Whether a request has begun to come, or waits for its answer.
    package var isOwed: Bool { self.awaited(isStranger: false) != .request }

    /// Whether no request follows the present one: a request that is not whole never will be.
    package func isInputOver(_ unread: ByteBuffer) -> Bool {
        self.isInputClosed && self.whole.isEmpty && unread.readableBytes == 0
    }

    /// The step that the client or the daemon has to take next.
    ///
    /// - Parameter isStranger: Whether the client has not shown who it is.
    /// - Returns: The step, whose time ``HTTPPatienceStateMachine`` bounds.
    package func awaited(isStranger: Bool) -> HTTPPatienceStateMachine.Awaited {
        switch self.work {
        case .host(_, let exchange): return exchange.isStreaming ? .event : .daemon
        case .begun, .reading, .apart: return .daemon
        case .none: break
        }
        switch self.input {
        case .body(let body): return isStranger && !body.request.head.isForHost ? .bodyOfStranger : .body
        case .head(1...): return .head
        case .request, .head, .nothing: return self.whole.isEmpty ? .request : .daemon
        }
    }
}

extension WebProblem {
    /// The head of a request is longer than it may be.
    package static var headTooLong: WebProblem {
        let text =
            "the head of a request has at most \(HTTPExchangeStateMachine.maximumHeadBytes) bytes, and 256 fields"
        return WebProblem(.requestHeaderFieldsTooLarge, "too-large", text)
    }

    /// The body of a request is longer than it may be.
    package static func bodyTooLong(_ limit: Int) -> WebProblem {
        WebProblem(.payloadTooLarge, "too-large", "the body of this request has at most \(limit) bytes")
    }

    fileprivate static var framingTooLong: WebProblem {
        WebProblem(.badRequest, "bad-message", "a body has too many chunks, or too long trailers")
    }
}
