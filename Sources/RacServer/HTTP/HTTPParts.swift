import NIOCore
import NIOHTTP1

/// The parser of a connection's requests: two handlers behind the ``ConnectionHandler``, which gives them bytes.
///
/// They stand on the side of the pipeline that is away from the socket. So no byte of an answer passes them, and the connection
/// keeps its own way to the socket when it becomes a WebSocket.
///
/// Isolation: the connection's event loop.
struct HTTPParser {
    private let context: ChannelHandlerContext
    private let decoder: ByteToMessageHandler<HTTPRequestDecoder>
    private let parts: HTTPParts

    /// Adds the handlers to the pipeline of a connection.
    init(behind context: ChannelHandlerContext, _ receiver: any HTTPPartReceiver) throws {
        self.context = context
        self.decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes))
        self.parts = HTTPParts(receiver)
        try context.pipeline.syncOperations.addHandlers(self.decoder, self.parts)
    }

    /// Parses bytes, and returns the number of their parts, which the receiver has then.
    func parse(_ bytes: ByteBuffer) -> Int {
        self.parts.count = 0
        self.context.fireChannelRead(NIOAny(bytes))
        return self.parts.count
    }

    /// Removes the handlers.
    func remove() {
        self.parts.receiver = nil
        self.context.pipeline.syncOperations.removeHandler(self.decoder, promise: nil)
        self.context.pipeline.syncOperations.removeHandler(self.parts, promise: nil)
    }
}

/// Receives the parts of requests.
protocol HTTPPartReceiver: AnyObject {
    func received(_ part: HTTPServerRequestPart)
    /// The bytes are no request.
    func cannotParse(_ error: any Error)
}

/// The last handler of a pipeline, which passes the parts of requests on.
private final class HTTPParts: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart

    weak var receiver: (any HTTPPartReceiver)?
    /// The parts since the parser got bytes.
    var count = 0

    init(_ receiver: any HTTPPartReceiver) {
        self.receiver = receiver
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.count += 1
        self.receiver?.received(self.unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.receiver?.cannotParse(error)
    }
}

@available(*, unavailable)
extension HTTPParts: Sendable {}
