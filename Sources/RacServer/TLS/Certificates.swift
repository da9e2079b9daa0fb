#if TLS
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// The certificates of all addresses with TLS.
///
/// Guards: a lock guards the files of the addresses, which event loops look up for each new connection. Another one guards
/// the files that wait to be taken, while they are read.
final class Certificates: Sendable {
    /// Changed files are taken after two looks.
    private static let interval = Duration.seconds(2)

    private let sources: Mutex<[ListenAddress: CertificateSource]>

    /// Files of a reading of the configuration that could not be taken yet.
    private struct Awaited {
        let listener: TLSListener
        /// The fault that the log has.
        var obstacle: String?
    }

    private let awaited = Mutex<[ListenAddress: Awaited]>([:])

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
        let makesTLS = { try source.current.makeLayer() }
        switch address {
        case .tls: return [TLSEntrance(allowsPlain: false, makesTLS)]
        case .either: return [TLSEntrance(allowsPlain: true, makesTLS)]
        case .tcp, .unix: return []
        }
    }

    /// Looks at the files again and again, apart from the loops, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - logger: Receives what has become of the files.
    ///   - onTrustLost: Called when an authority of clients is trusted no more.
    func lookRepeatedly(_ logger: Logger, _ onTrustLost: @Sendable () async -> Void) async {
        guard !self.sources.withLock(\.isEmpty) else { return }
        while (try? await Task.sleep(for: Self.interval)) != nil {
            if self.look(isAsked: false, logger) { await onTrustLost() }
        }
    }

    /// Reads the files each time that the operator asks for it.
    func look(eachTimeOf asked: AsyncStream<Void>, _ logger: Logger, _ onTrustLost: @Sendable () async -> Void) async {
        for await _ in asked where self.look(isAsked: true, logger) { await onTrustLost() }
    }

    /// Looks at all files once; blocks its thread meanwhile.
    ///
    /// - Returns: Whether an authority of clients is trusted no more.
    func look(isAsked: Bool, _ logger: Logger) -> Bool {
        let isTrustLost = self.takeAwaited(isAsked: isAsked, logger)
        let sources = self.sources.withLock { Dictionary($0.values.map { ($0.listener, $0) }) { one, _ in one } }
        return sources.values.reduce(isTrustLost) { $1.look(isAsked: isAsked, logger) || $0 }
    }

    /// Takes other files for addresses that have TLS; blocks its thread meanwhile.
    ///
    /// Files that do not fit leave those before in place, and are tried again at each look.
    ///
    /// - Returns: Whether an authority of clients is trusted no more.
    func take(_ listeners: [ListenAddress: TLSListener], _ logger: Logger) -> Bool {
        self.awaited.withLock { awaited in
            awaited = self.sources.withLock { sources in
                listeners.filter { address, listener in sources[address].map { $0.listener != listener } ?? false }
            }.mapValues { Awaited(listener: $0) }
        }
        return self.takeAwaited(isAsked: true, logger)
    }

    private func takeAwaited(isAsked: Bool, _ logger: Logger) -> Bool {
        self.awaited.withLock { awaited in
            var isTrustLost = false
            for (address, next) in awaited {
                do throws(CertificateFault) {
                    isTrustLost = try self.take(next.listener, at: address, logger) || isTrustLost
                    awaited[address] = nil
                } catch {
                    guard isAsked || next.obstacle != "\(error)" else { continue }
                    awaited[address]?.obstacle = "\(error)"
                    logger.warning(
                        "a new certificate does not fit: the earlier one stays",
                        metadata: ["reason": "\(error)"]
                    )
                }
            }
            return isTrustLost
        }
    }

    private func take(
        _ listener: TLSListener,
        at address: ListenAddress,
        _ logger: Logger
    ) throws(CertificateFault) -> Bool {
        let known = self.sources.withLock { $0 }
        let same = known.values.first { $0.listener == listener }
        let source = if let same { same } else { try CertificateSource(listener, logger) }
        self.sources.withLock { $0[address] = source }
        logger.info("took a certificate", metadata: source.facts)
        // Other addresses may keep the earlier files.
        guard let earlier = known[address], !self.sources.withLock({ $0.values.contains { $0 === earlier } }) else {
            return false
        }
        return same == nil ? source.replaced(earlier) : earlier.endTrust()
    }
}
#endif
