#if TLS
import Logging
import NIOCore
import NIOSSL

/// The certificates of all addresses with TLS.
struct Certificates: Sendable {
    /// Changed files are taken after two looks.
    private static let interval = Duration.seconds(2)

    private let sources: [TLSListener: CertificateSource]
    private let listeners: [ListenAddress: TLSListener]

    /// Reads the files of all addresses.
    ///
    /// - Throws: ``ServerError``: the file and its fault, or the address that has no certificate.
    init(_ configuration: ServerConfiguration, _ logger: Logger) throws(ServerError) {
        var sources: [TLSListener: CertificateSource] = [:]
        for address in configuration.addresses where address.hasTLS {
            guard let listener = configuration.tls[address] else {
                throw ServerError("\(address) has no certificate: name it with --tls-cert and --tls-key")
            }
            if case .either = address, !address.isLocal {
                throw ServerError("\(address) can be reached from other machines: its TLS cannot be left to the client")
            }
            if sources[listener] == nil { sources[listener] = try CertificateSource(listener, logger) }
        }
        self.sources = sources
        self.listeners = configuration.tls
    }

    /// Makes the transport of a new connection to an address.
    func transport(_ address: ListenAddress) -> [any ChannelHandler] {
        guard let source = self.listeners[address].flatMap({ self.sources[$0] }) else { return [] }
        let makesTLS = { NIOSSLServerHandler(context: source.current) }
        switch address {
        case .tls: return [TLSEntrance(allowsPlain: false, makesTLS)]
        case .either: return [TLSEntrance(allowsPlain: true, makesTLS)]
        case .tcp, .unix: return []
        }
    }

    /// Looks at the files again and again, apart from the loops, until the task is cancelled.
    func lookRepeatedly(_ logger: Logger) async {
        guard !self.sources.isEmpty else { return }
        while (try? await Task.sleep(for: Self.interval)) != nil { self.look(isAsked: false, logger) }
    }

    /// Reads the files each time that the operator asks for it.
    func look(eachTimeOf asked: AsyncStream<Void>, _ logger: Logger) async {
        for await _ in asked { self.look(isAsked: true, logger) }
    }

    private func look(isAsked: Bool, _ logger: Logger) {
        for source in self.sources.values { source.look(isAsked: isAsked, logger) }
    }
}
#endif
