#if !TLS
import Logging
import NIOCore
import RacProtocol

/// Stands for the certificates of a build without the trait TLS, which no address may need.
struct Certificates: Sendable {
    /// - Throws: ``ServerError``: the address that needs TLS.
    init(_ configuration: ServerConfiguration, _ logger: Logger) throws(ServerError) {
        for address in configuration.addresses where address.hasTLS {
            throw ServerError("\(address) needs TLS, and this build has none: enable the trait TLS of the package rac")
        }
    }

    /// Makes the transport of a new connection to an address: none, but for plain bytes.
    func transport(_ address: ListenAddress) -> [any ChannelHandler] { [] }

    /// Takes nothing, since no address has TLS.
    func take(_ listeners: [ListenAddress: TLSListener], _ logger: Logger) -> Bool { false }

    /// Returns at once, since there are no files.
    func lookRepeatedly(_ logger: Logger, _ onTrustLost: @Sendable () async -> Void) async {}

    /// Does nothing each time that the operator asks for it.
    func look(eachTimeOf asked: AsyncStream<Void>, _ logger: Logger, _ onTrustLost: @Sendable () async -> Void) async {
        for await _ in asked {}
    }
}

extension TLSListener {
    /// Finds no fault: the start of the daemon refuses every address with TLS.
    package func check() throws(CertificateFault) {}

    /// Finds none: no certificate is read.
    package var warning: String? { nil }
}

/// Stands for the handler of TLS, of which no pipeline has one.
struct TLSLayer {
    let context: ChannelHandlerContext

    init?(_ other: ChannelHandlerContext) { nil }

    func writeAndFlush(_ bytes: ByteBuffer) {}

    static func isUncleanShutdown(_ error: any Error) -> Bool { false }

    var clientName: String? { nil }

    var clientCertificateEnd: Int64? { nil }

    func fault(of error: any Error) -> TLSFault? { nil }
}
#endif
