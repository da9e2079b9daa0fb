#if TLS
import Glibc
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import RacProtocol

/// The way between a socket and the handler of a connection: nothing, or TLS.
struct ClientTransport: Sendable {
    /// The context of TLS; nil for plain bytes.
    private let context: NIOSSLContext?
    /// The name to send and to find in the certificate; nil for an IP address, which is that of the connection.
    private let hostName: String?

    /// Reads the files that a connection to the address needs; blocks its thread meanwhile.
    ///
    /// - Throws: ``ClientError`` with code `invalidCertificate`: the file, and the fault in it.
    private init(to address: DaemonAddress, _ tls: ClientTLS) throws(ClientError) {
        guard case .tls(let host, _) = address else {
            (self.context, self.hostName) = (nil, nil)
            return
        }
        self.context = try tls.makeContext()
        self.hostName = (try? SocketAddress(ipAddress: host, port: 0)) == nil ? host : nil
    }

    /// Reads the files that a connection to the address needs, apart from the event loop.
    static func make(
        to address: DaemonAddress,
        _ tls: ClientTLS,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<ClientTransport> {
        guard case .tls = address else {
            return eventLoop.makeCompletedFuture { try ClientTransport(to: address, tls) }
        }
        return NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { try ClientTransport(to: address, tls) }
    }

    /// Adds the handler of TLS to a new channel's pipeline, before all others; called on the channel's event loop.
    func join(_ channel: any NIOCore.Channel) throws {
        guard let context else { return }
        let handler = try NIOSSLClientHandler(context: context, serverHostname: self.hostName)
        try channel.pipeline.syncOperations.addHandler(handler)
        if let hostName { try channel.pipeline.syncOperations.addHandler(HostNameCheck(hostName)) }
    }
}

/// Looks for the name of the host in the daemon's certificate, before the hello leaves.
///
/// NIOSSL takes a certificate for the IP address of the connection, too. An attacker who answers for the name service could
/// have such a certificate.
private final class HostNameCheck: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let host: HostName

    init(_ host: String) {
        self.host = HostName(host)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.handshakeCompleted) = event as? TLSUserEvent, !self.isExpected(context) {
            context.fireErrorCaught(TLSFault.wrongName(TLSFault.names(context.channel)))
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func isExpected(_ context: ChannelHandlerContext) -> Bool {
        let certificate = (try? context.pipeline.syncOperations.nioSSL_peerCertificate()).flatMap(\.self)
        guard let names = certificate?._subjectAlternativeNames() else { return false }
        return names.contains { name in
            guard name.nameType == .dnsName else { return false }
            return String(validating: name.contents, as: UTF8.self).map(self.host.isMeant) ?? false
        }
    }
}

@available(*, unavailable)
extension HostNameCheck: Sendable {}

extension ClientTLS {
    /// Reads the files.
    fileprivate func makeContext() throws(ClientError) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
        configuration.shutdownTimeout = .seconds(1)
        if case .file(let file) = self.trust {
            configuration.trustRoots = .certificates(try Self.certificates(in: file))
        }
        if let identity {
            configuration.certificateChain = try Self.certificates(in: identity.certificateFile).map {
                .certificate($0)
            }
            configuration.privateKey = .privateKey(try Self.key(in: identity.keyFile))
        }
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            let files = self.identity.map { "the key in \($0.keyFile) does not belong to \($0.certificateFile)" }
            throw ClientError(.invalidCertificate, files ?? "TLS cannot be set up: \(error)", cause: error)
        }
    }

    private static func certificates(in file: String) throws(ClientError) -> [NIOSSLCertificate] {
        try Self.checkReadable(file)
        do {
            return try NIOSSLCertificate.fromPEMFile(file)
        } catch {
            let message = "\(file) is no PEM file with a certificate: it needs -----BEGIN CERTIFICATE-----"
            throw ClientError(.invalidCertificate, message, cause: error)
        }
    }

    private static func key(in file: String) throws(ClientError) -> NIOSSLPrivateKey {
        try Self.checkReadable(file)
        do {
            return try NIOSSLPrivateKey(file: file, format: .pem)
        } catch {
            let message = "\(file) is no PEM file with a private key that has no passphrase"
            throw ClientError(.invalidCertificate, message, cause: error)
        }
    }

    private static func checkReadable(_ file: String) throws(ClientError) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ClientError(.invalidCertificate, "cannot read \(file): \(String(cString: strerror(errno)))")
        }
        close(descriptor)
    }
}

extension TLSFault {
    /// The fault that stopped a handshake; nil for an error of another kind.
    init?(_ error: any Error, _ channel: any NIOCore.Channel) {
        switch error {
        case let error as NIOSSLExtraError
        where error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch:
            self = .wrongName(Self.names(channel))
        case NIOSSLError.handshakeFailed(let reason): self.init(words: "\(reason)", validity: Self.validity(channel))
        case let fault as TLSFault: self = fault
        // A daemon of TLS 1.3 judges the client's certificate when the client's handshake is over.
        case let reason as BoringSSLError: self.init(words: "\(reason)", validity: nil)
        default: return nil
        }
    }

    /// The names of hosts and the IP addresses in the daemon's certificate; of many the first ones.
    fileprivate static func names(_ channel: any NIOCore.Channel) -> [String] {
        guard let names = Self.certificate(channel)?._subjectAlternativeNames() else { return [] }
        return names.lazy.compactMap { name -> String? in
            switch name.nameType {
            case .dnsName: String(validating: name.contents.prefix(253), as: UTF8.self)
            case .ipAddress:
                (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: name.contents), port: 0))?.ipAddress
            default: nil
            }
        }.prefix(4).map(\.self)
    }

    private static func certificate(_ channel: any NIOCore.Channel) -> NIOSSLCertificate? {
        (try? channel.pipeline.syncOperations.nioSSL_peerCertificate()).flatMap(\.self)
    }

    private static func validity(_ channel: any NIOCore.Channel) -> Validity? {
        Self.certificate(channel).map { Validity(from: $0.notValidBefore, to: $0.notValidAfter, at: time(nil)) }
    }
}
#endif
