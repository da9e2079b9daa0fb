import NIOCore
import NIOEmbedded
import NIOHTTP1
import RacProtocol
import RacWeb

/// Bytes of a client of HTTP, on a connection that answers each request at once.
///
/// Requests and their order do not change with the pieces that the bytes come in. A head that is known instead of parsed does not
/// change them either. The connection never parses behind a request that waits for its answer.
enum ExchangeTarget {
    static func run(_ input: [UInt8]) throws {
        let whole = try Self.answer([input[...]], knowsHeads: false)
        let pieces = input.indices.map { input[$0...$0] }
        for (answered, how) in [
            (try Self.answer(pieces, knowsHeads: false), "byte by byte"),
            (try Self.answer([input[...]], knowsHeads: true), "with known heads"),
            (try Self.answer(pieces, knowsHeads: true), "byte by byte, with known heads"),
        ] where answered != whole {
            throw Finding("in one piece: \(whole), \(how): \(answered)")
        }
    }

    private struct Answered: Equatable {
        let head: HTTPRequestHead
        let body: ByteBuffer
        let status: HTTPResponseStatus?
    }

    private static func answer(_ pieces: [ArraySlice<UInt8>], knowsHeads: Bool) throws -> [Answered] {
        let connection = try Connection(knowsHeads: knowsHeads)
        defer { _ = try? connection.parser.finish() }
        for piece in pieces where !connection.isEnded { try connection.received(piece) }
        return connection.answered
    }

    private final class Connection {
        let parser: EmbeddedChannel
        private let knowsHeads: Bool
        private var exchange = HTTPExchangeStateMachine()
        private var unread = ByteBuffer()
        private var known: KnownHead?
        private(set) var answered: [Answered] = []
        private(set) var isEnded = false

        init(knowsHeads: Bool) throws {
            self.knowsHeads = knowsHeads
            self.parser = EmbeddedChannel(
                handler: ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes))
            )
        }

        func received(_ bytes: ArraySlice<UInt8>) throws {
            self.unread.writeBytes(bytes)
            // Each step takes a byte, a request or an interest in one.
            for _ in 0..<3 * self.unread.readableBytes + 3 where !self.isEnded {
                switch self.exchange.next(self.unread, mayAnswer: true, room: 1) {
                case .identify(let request): request.isIdentified = true
                case .readHead: try self.readHead()
                case .parse(let piece): try self.parse(piece)
                case .takeBody(let count): self.exchange.bodyCame(try self.take(count))
                case .begin(let request): self.answer(request)
                case .askForBody: break
                case .awaitTurn, .endInput: throw Finding("a client with room that may send more is to wait")
                case .wait: return
                }
            }
            guard self.isEnded else { throw Finding("the steps do not end") }
        }

        private func take(_ count: Int) throws -> ByteBuffer {
            guard count > 0, let bytes = self.unread.readSlice(length: count) else {
                throw Finding("\(count) of \(self.unread.readableBytes) bytes are to be taken")
            }
            return bytes
        }

        private func readHead() throws {
            guard let known, let count = known.count(in: self.unread) else {
                return try self.parse(self.exchange.parseHead(of: self.unread))
            }
            _ = try self.take(count)
            self.exchange.knownHeadCame(IncomingRequest(known.head))
        }

        private func parse(_ piece: HTTPExchangeStateMachine.Piece) throws {
            guard self.exchange.present == nil else { throw Finding("bytes are parsed behind a request that waits") }
            let bytes = try self.take(piece.count)
            do {
                try self.parser.writeInbound(bytes)
            } catch {
                self.found()
                self.exchange.refuse(WebProblem(.badRequest, "bad-message", ""))
            }
            self.found()
            if piece.beginsRequest, self.knowsHeads { self.known = KnownHead(self.exchange.requests, bytes) }
            self.exchange.parsed(piece)
        }

        private func found() {
            while let part = try? self.parser.readInbound(as: HTTPServerRequestPart.self) {
                switch part {
                case .head(let head): self.exchange.headCame(Self.request(head), isAwaited: false)
                case .body(let bytes): self.exchange.bodyCame(bytes)
                case .end: self.exchange.requestEnded()
                }
            }
        }

        private static func request(_ message: HTTPRequestHead) -> IncomingRequest {
            let head = HTTPHead(message)
            let isChunked = message.headers.contains(name: "transfer-encoding")
            head.length = isChunked ? nil : message.headers["content-length"].first.flatMap { Int($0) } ?? 0
            head.maximumBody = 64
            head.isForHost = message.method == .PUT
            return IncomingRequest(head)
        }

        private func answer(_ request: IncomingRequest) {
            // A body that is refused comes as far as it was read.
            let body = request.problem == nil ? request.request.body : ByteBuffer()
            self.answered.append(
                Answered(head: request.head.message, body: body, status: request.problem?.status)
            )
            self.exchange.answered()
            self.isEnded = request.isLast
        }
    }
}
