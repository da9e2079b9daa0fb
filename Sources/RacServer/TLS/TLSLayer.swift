#if TLS
import NIOCore
import NIOSSL
import RacProtocol

/// The handler of TLS in a connection's pipeline.
///
/// Isolation: the connection's event loop.
struct TLSLayer {
    /// The context of the handler.
    let context: ChannelHandlerContext
    private let handler: NIOSSLServerHandler

    /// Finds the handler in the pipeline of another handler; nil if there is none.
    init?(_ other: ChannelHandlerContext) {
        guard let context = try? other.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self),
            let handler = context.handler as? NIOSSLServerHandler
        else { return nil }
        self.context = context
        self.handler = handler
    }

    /// Encrypts bytes and sends them on, at once.
    ///
    /// The way from handler to handler costs a fiftieth of a write for many connections.
    func writeAndFlush(_ bytes: ByteBuffer) {
        self.handler.write(context: self.context, data: NIOAny(bytes), promise: nil)
        self.handler.flush(context: self.context)
    }

    /// Whether the client hung up without the goodbye of TLS.
    static func isUncleanShutdown(_ error: any Error) -> Bool {
        if case NIOSSLError.uncleanShutdown = error { true } else { false }
    }

    /// The name in the client's certificate, which an authority of the listener has signed; nil without a certificate.
    var clientName: String? { self.certificate?.clientName }

    /// The end of that certificate, in milliseconds since 1970 UTC.
    var clientCertificateEnd: Int64? { self.certificate.map { Int64($0.notValidAfter) * 1000 } }

    /// The fault that stopped the handshake; nil for an error of another kind.
    func fault(of error: any Error) -> TLSFault? {
        guard case NIOSSLError.handshakeFailed(let reason) = error else { return nil }
        return TLSFault(words: "\(reason)", validity: self.certificate?.validity)
    }

    private var certificate: NIOSSLCertificate? { self.handler.peerCertificate }
}
#endif
