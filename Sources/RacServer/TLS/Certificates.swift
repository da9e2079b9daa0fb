#if TLS
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// The certificates of all addresses with TLS.
///
/// Guards: a lock guards the files of the addresses, which event loops look up for each new connection.
final class Certificates: Sendable {
    /// Changed files are taken after two looks.
    private static let interval = Duration.seconds(2)

    private let sources: Mutex<[ListenAddress: CertificateSource]>

    /// Reads the files of all addresses.
    ///
    /// - Throws: ``ServerError``: the file and its fault, or the address that has no certificate.
    init(_ configuration: ServerConfiguration, _ logger: Logger) throws(ServerError) {
        var sources: [ListenAddress: CertificateSource] = [:]
        for address in configuration.addresses where address.hasTLS {
            guard let listener = configuration.tls[address] else {
                throw ServerError("\(address) has no certificate: name it with --tls-cert and --tls-key")
            }
            if case .either = address, !address.isLocal {
                throw ServerError("\(address) can be reached from other machines: its TLS cannot be left to the client")
            }
            if let known = sources.values.first(where: { $0.listener == listener }) {
                sources[address] = known
            } else {
                do throws(CertificateFault) {
                    sources[address] = try CertificateSource(listener, logger)
                } catch {
                    throw ServerError(error.description)
                }
            }
        }
        self.sources = Mutex(sources)
    }

    /// Makes the transport of a new connection to an address.
    func transport(_ address: ListenAddress) -> [any ChannelHandler] {
        guard let source = self.sources.withLock({ $0[address] }) else { return [] }
        let makesTLS = { NIOSSLServerHandler(context: try source.current.makeContext()) }
        switch address {
        case .tls: return [TLSEntrance(allowsPlain: false, makesTLS)]
        case .either: return [TLSEntrance(allowsPlain: true, makesTLS)]
        case .tcp, .unix: return []
        }
    }

    /// Looks at the files again and again, apart from the loops, until the task is cancelled.
    func lookRepeatedly(_ logger: Logger) async {
        guard !self.sources.withLock(\.isEmpty) else { return }
        while (try? await Task.sleep(for: Self.interval)) != nil { self.look(isAsked: false, logger) }
    }

    /// Reads the files each time that the operator asks for it.
    func look(eachTimeOf asked: AsyncStream<Void>, _ logger: Logger) async {
        for await _ in asked { self.look(isAsked: true, logger) }
    }

    private func look(isAsked: Bool, _ logger: Logger) {
        let sources = self.sources.withLock { Dictionary($0.values.map { ($0.listener, $0) }) { one, _ in one } }
        for source in sources.values { source.look(isAsked: isAsked, logger) }
    }

    /// Takes other files for addresses that have TLS; blocks its thread meanwhile.
    ///
    /// Files that do not fit leave those before in place.
    func take(_ listeners: [ListenAddress: TLSListener], _ logger: Logger) {
        for (address, listener) in listeners {
            let known = self.sources.withLock { $0 }
            guard let present = known[address], present.listener != listener else { continue }
            do throws(CertificateFault) {
                let same = known.values.first { $0.listener == listener }
                let source = if let same { same } else { try CertificateSource(listener, logger) }
                self.sources.withLock { $0[address] = source }
                logger.info("took a certificate", metadata: ["file": "\(listener.certificateFile)"])
            } catch {
                logger.warning(
                    "a new certificate does not fit: the earlier one stays",
                    metadata: ["reason": "\(error)"]
                )
            }
        }
    }
}
#endif
