import Expectations
import Foundation
import NIOCore
import NIOHTTP1
import RacProtocol
import RacWeb
import Testing

/// The table of ``HTTPExchangeStateMachine`` in docs/architecture.md, cell by cell, and what it leaves out.
@Suite struct HTTPExchangeTests {
    /// A machine, and what its connection would know.
    private struct Rig: ~Copyable {
        var exchange = HTTPExchangeStateMachine()
        var unread = ByteBuffer()
        var mayAnswer = true
        var room = 100

        mutating func next() -> HTTPExchangeStateMachine.Step {
            self.exchange.next(self.unread, mayAnswer: self.mayAnswer, room: self.room)
        }

        /// The bytes that are parsed next; nil if none are.
        mutating func nextPiece() -> HTTPExchangeStateMachine.Piece? {
            switch self.next() {
            case .readHead: self.exchange.parseHead(of: self.unread)
            case .parse(let piece): piece
            default: nil
            }
        }

        /// Parses all unread bytes, in which the parser finds something.
        mutating func parse(_ bytes: String, _ find: (inout HTTPExchangeStateMachine) -> Void = { _ in }) {
            self.unread = ByteBuffer(string: bytes)
            guard let piece = self.nextPiece() else { return }
            self.unread.moveReaderIndex(forwardBy: piece.count)
            find(&self.exchange)
            self.exchange.parsed(piece)
        }

        /// A request comes whole, and its answer begins.
        mutating func begin() -> IncomingRequest? {
            self.parse("GET\n\n") {
                $0.headCame(HTTPExchangeTests.request(length: 0), isAwaited: false)
                $0.requestEnded()
            }
            guard case .begin(let request) = self.next() else { return nil }
            return request
        }
    }

    private static func request(length: Int?, isForHost: Bool = false) -> IncomingRequest {
        let head = HTTPHead(HTTPRequestHead(version: .http1_1, method: .PUT, uri: "/v1/channels/a"))
        head.length = length
        head.maximumBody = 1 << 20
        head.isForHost = isForHost
        return IncomingRequest(head)
    }

    private static func headCame(
        _ request: @autoclosure @escaping () -> IncomingRequest,
        isAwaited: Bool = false
    ) -> (inout Rig) -> Void {
        { $0.parse("PUT\n\n") { $0.headCame(request(), isAwaited: isAwaited) } }
    }

    /// The rows of the table.
    private static var states: [(name: String, reach: (inout Rig) -> Void)] {
        [
            ("nothing", { _ in }),
            ("a part of a head", { $0.parse("GE") }),
            ("a head of somebody unknown, with a body", Self.headCame(Self.request(length: 9, isForHost: true))),
            ("a part of a body", Self.headCame(Self.request(length: 9))),
            ("a part of a body in chunks", Self.headCame(Self.request(length: nil))),
            ("a head with `Expect`", Self.headCame(Self.request(length: 9), isAwaited: true)),
            (
                "a head that was known, with a body",
                {
                    $0.parse("PUT")
                    $0.exchange.knownHeadCame(Self.request(length: 9))
                }
            ),
            (
                "a whole request",
                {
                    $0.parse("GET\n\n") {
                        $0.headCame(Self.request(length: 0), isAwaited: false)
                        $0.requestEnded()
                    }
                }
            ),
            ("a request that is answered", { _ = $0.begin() }),
            (
                "a request that the host answers",
                {
                    _ = $0.begin()
                    _ = $0.exchange.asks(Self.exchange)
                }
            ),
            ("bytes that are no request", { $0.parse("?") { $0.refuse(.headTooLong) } }),
        ]
    }

    /// The columns of the table.
    private static var events: [(name: String, happen: (inout Rig) -> Void)] {
        [
            ("bytes come", { $0.unread = ByteBuffer(string: "abcd") }),
            ("no bytes come", { $0.unread = ByteBuffer() }),
            (
                "the turn is over",
                {
                    $0.unread = ByteBuffer(string: "abcd")
                    $0.room = 0
                }
            ),
            (
                "an answer has not left",
                {
                    $0.unread = ByteBuffer(string: "abcd")
                    $0.mayAnswer = false
                }
            ),
            (
                "the input ends",
                {
                    $0.unread = ByteBuffer()
                    _ = $0.exchange.inputClosed()
                }
            ),
        ]
    }

    private static let exchange = HostExchange(.ping, .value(isWish: false, unless: nil))

    private static func word(_ step: HTTPExchangeStateMachine.Step) -> String {
        switch step {
        case .identify: "identify"
        case .readHead: "read head"
        case .parse: "parse"
        case .takeBody: "take body"
        case .begin: "begin"
        case .askForBody: "ask for body"
        case .awaitTurn: "await turn"
        case .endInput: "end input"
        case .wait: "wait"
        }
    }

    /// The rows of the table in the document, without its lines of dashes.
    private static func rows() throws -> [[String]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: folder.appending(path: "../docs/architecture.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "## An exchange of HTTP").last)
        let lines = section.split(separator: "\n").drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return lines.filter { !$0.contains("---") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("Each cell of the table in architecture.md is true")
    func table() throws {
        let rows = try Self.rows()
        expect(rows.first.map { Array($0.dropFirst()) } == Self.events.map(\.name))
        expect(rows.dropFirst().compactMap(\.first) == Self.states.map(\.name))
        for (row, state) in zip(rows.dropFirst(), Self.states) {
            for (cell, event) in zip(row.dropFirst(), Self.events) {
                var rig = Rig()
                state.reach(&rig)
                event.happen(&rig)
                expect(Self.word(rig.next()) == cell, "\(state.name), \(event.name)")
            }
        }
    }

    // MARK: Pieces

    @Test("A head is parsed to its end, and a body to its length")
    func pieces() {
        var rig = Rig()
        rig.unread = ByteBuffer(string: "PUT / HTTP/1.1\r\nHost: a\r\n\r\n12345GET /")
        guard let head = rig.nextPiece() else { return #expect(Bool(false)) }
        #expect(head.count == 27 && head.beginsRequest && head.mayEnd)
        rig.unread.moveReaderIndex(forwardBy: head.count)
        rig.exchange.headCame(Self.request(length: 5), isAwaited: false)
        rig.exchange.parsed(head)
        guard let body = rig.nextPiece() else { return #expect(Bool(false)) }
        #expect(body.count == 5 && !body.beginsRequest && body.mayEnd)
    }

    @Test("Behind a body in chunks no request begins at a place that is known")
    func behindChunks() {
        var rig = Rig()
        Self.headCame(Self.request(length: nil))(&rig)
        rig.parse("1\na\n0\n\n") {
            $0.bodyCame(ByteBuffer(string: "a"))
            $0.requestEnded()
        }
        guard case .begin = rig.next() else { return #expect(Bool(false)) }
        rig.exchange.answered()
        rig.unread = ByteBuffer(string: "GET\n\n")
        guard let piece = rig.nextPiece() else { return #expect(Bool(false)) }
        #expect(!piece.beginsRequest && piece.mayEnd)
    }

    // MARK: Refusals

    /// The status with which the next request is refused.
    private static func refusal(_ rig: inout Rig) -> HTTPResponseStatus? {
        guard case .begin(let request) = rig.next(), request.isLast else { return nil }
        return request.problem?.status
    }

    @Test("A head may have 16 KiB")
    func longHead() {
        var rig = Rig()
        let piece = String(repeating: "x", count: 2_048)
        for _ in 0..<8 { rig.parse(piece) }
        expect(rig.exchange.isHeadWithinLimit == true)
        rig.parse("x")
        expect(Self.refusal(&rig) == .requestHeaderFieldsTooLarge)
    }

    @Test("A body may have the bytes that its request allows")
    func longBody() {
        let request = Self.request(length: nil)
        var rig = Rig()
        Self.headCame(request)(&rig)
        rig.parse("x") { $0.bodyCame(ByteBuffer(repeating: 0, count: request.head.maximumBody)) }
        expect(request.problem?.status == nil)
        rig.parse("x") { $0.bodyCame(ByteBuffer(repeating: 0, count: 1)) }
        expect(Self.refusal(&rig) == .payloadTooLarge)
    }

    @Test("The framing of a body may have 64 KiB, and 16 bytes for each byte of the body", arguments: [16, 17])
    func framing(bytesAround: Int) {
        let (request, chunk) = (Self.request(length: nil), String(repeating: "x", count: bytesAround + 1))
        var rig = Rig()
        Self.headCame(request)(&rig)
        for _ in 0..<(64 << 10) { rig.parse(chunk) { $0.bodyCame(ByteBuffer(string: "x")) } }
        #expect(request.problem == nil)
        rig.parse(chunk)
        #expect((request.problem == nil) == (bytesAround == 16))
    }

    @Test("Requests behind bytes that cannot be read do not count")
    func behindRefusal() {
        let (refused, next) = (Self.request(length: 9), Self.request(length: 0))
        var rig = Rig()
        Self.headCame(refused)(&rig)
        rig.parse("x") {
            $0.refuse(WebProblem(.badRequest, "bad-message", "first"))
            $0.refuse(.headTooLong)
            $0.headCame(next, isAwaited: false)
            $0.requestEnded()
        }
        expect(refused.problem?.refusal.error.message == "first")
        let requests = rig.exchange.requests
        #expect(requests.count == 1 && requests.first === refused)
    }

    // MARK: Answers

    @Test("Requests that came together are answered one by one, in order")
    func order() {
        let requests = (0..<3).map { _ in Self.request(length: 0) }
        var rig = Rig()
        rig.parse("GET\n\n") {
            for request in requests {
                $0.headCame(request, isAwaited: false)
                $0.requestEnded()
            }
        }
        for request in requests {
            guard case .begin(let next) = rig.next() else { return #expect(Bool(false)) }
            let present = rig.exchange.present
            #expect(next === request && present === request)
            expect(Self.word(rig.next()) == "wait")
            rig.exchange.answered()
        }
        expect(Self.word(rig.next()) == "wait")
    }

    @Test("A request over the rate stays the next one")
    func postponed() {
        var rig = Rig()
        let request = rig.begin()
        rig.exchange.postpone()
        guard case .begin(let again) = rig.next() else { return #expect(Bool(false)) }
        #expect(again === request)
    }

    @Test("A client that sends nothing more gives up a stream, and no other answer")
    func givenUp() {
        for (form, isGivenUp) in [(AnswerForm.events, true), (.value(isWish: false, unless: nil), false)] {
            let exchange = HostExchange(.ping, form)
            var early = Rig()
            var late = Rig()
            _ = (early.begin(), late.begin())
            expect(early.exchange.inputClosed() == false)
            expect(early.exchange.asks(exchange) == !isGivenUp)
            expect(late.exchange.asks(exchange) == true)
            expect(late.exchange.inputClosed() == isGivenUp)
        }
    }

    @Test("The end of a connection is the answer to the request that has waited longest")
    func interrupted() {
        for state in Self.states {
            var rig = Rig()
            state.reach(&rig)
            let oldest = rig.exchange.requests.first
            let request = rig.exchange.interrupt()
            let present = rig.exchange.present
            #expect(request.isLast && present === request && (oldest == nil || oldest === request))
            rig.exchange.answered()
            rig.unread = ByteBuffer(string: "x")
            expect(Self.word(rig.next()) == "wait")
        }
    }

    @Test("The connection awaits the daemon while a request is answered, and otherwise the client")
    func awaited() {
        let expected: [HTTPPatienceStateMachine.Awaited] = [
            .request, .head, .body, .bodyOfStranger, .bodyOfStranger, .bodyOfStranger, .bodyOfStranger, .daemon,
            .daemon,
            .daemon, .daemon,
        ]
        for (state, awaited) in zip(Self.states, expected) {
            var rig = Rig()
            state.reach(&rig)
            expect(rig.exchange.awaited(isStranger: true) == awaited, "\(state.name)")
            expect(rig.exchange.isOwed == (awaited != .request))
        }
    }
}
