import NIOCore
import NIOHTTP1
import RacConnection
import RacProtocol

/// A daemon's answer to one request of HTTP.
struct WebAnswer {
    /// A longer body is none of an answer that racctl asks for.
    private static let maximumBytes = 64 << 10

    let status: HTTPResponseStatus
    private let body: JSONTree?

    private init(_ status: HTTPResponseStatus, _ body: ByteBuffer) {
        self.status = status
        self.body = (try? JSONText(validating: body)).flatMap { try? JSONTree($0) }
    }

    /// The characters of a member of the body; nil if there is no such string.
    subscript(_ key: String) -> String? {
        guard case .object(let members) = self.body, case .string(let bytes) = members[Array(key.utf8)] else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Posts an empty body to a path of the context's daemon, over a connection of its own, with the context's proofs.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - page: The daemon's page.
    ///   - context: The daemon, the token and the time limits.
    /// - Throws: `ClientError` with code `unreachable`, `timedOut`, `connectionLost` or `insecure`; `HTTPParserError` if the
    ///   daemon speaks no HTTP.
    init(posting path: String, to page: PageAddress, in context: CommandContext) async throws {
        let address = context.connection.address
        let token = context.presentToken
        let timeout = TimeAmount(context.configuration.replyTimeout)
        let connection = try await Self.connection(to: address, in: context)
        let channel = connection.channel
        let mayBeRead = TokenExposure.isExposed(address, channel.remoteAddress)
        guard token == nil || !mayBeRead || context.configuration.allowsClearTextToken else {
            channel.close(promise: nil)
            throw ConnectionFault.wouldExposeToken.clientError(at: address)
        }
        var headers: HTTPHeaders = ["Host": page.host, "Connection": "close"]
        if let token { headers.add(name: "Authorization", value: "Bearer \(token.secret)") }
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: path, headers: headers)
        let due = NIODeadline.now() + timeout
        let timer = channel.eventLoop.scheduleTask(deadline: due) { channel.close(promise: nil) }
        defer { timer.cancel() }
        let answer = try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(contentsOf: [.head(head), .end(nil)])
            return try await Self.answer(inbound)
        }
        guard let answer else {
            let isLate = NIODeadline.now() >= due
            throw (isLate ? ConnectionFault.noWelcome(within: timeout) : .lost).clientError(at: address)
        }
        self = answer
    }

    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private static func connection(
        to address: DaemonAddress,
        in context: CommandContext
    ) async throws(ClientError) -> Connection {
        let timeout = TimeAmount(context.configuration.connectTimeout)
        do {
            return try await address.dial(
                on: context.connection.eventLoop,
                within: timeout,
                tls: context.configuration.tls
            ) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                }
            }.flatMapThrowing { try Connection(wrappingChannelSynchronously: $0) }.get()
        } catch {
            throw ClientError(connectingTo: address, within: timeout, error)
        }
    }

    /// Reads a whole answer; nil if the connection ends before.
    private static func answer(_ parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>) async throws -> Self? {
        var status = HTTPResponseStatus.ok
        var body = ByteBuffer()
        for try await part in parts {
            switch part {
            case .head(let head): status = head.status
            case .body(let bytes) where body.readableBytes + bytes.readableBytes <= Self.maximumBytes:
                body.writeImmutableBuffer(bytes)
            case .body: return nil
            case .end: return Self(status, body)
            }
        }
        return nil
    }
}
