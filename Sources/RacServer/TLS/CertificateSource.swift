#if TLS
import Glibc
import Logging
import NIOSSL
import RacProtocol
import Synchronization

/// The certificate of a listener, read again when its files change.
///
/// Connections keep the certificate with which they began. Files that do not fit, and a certificate that has expired or is not
/// valid yet, leave an earlier one in place that is better.
///
/// Guards: one lock the files, of which event loops take, and another one a whole look at them.
final class CertificateSource: Sendable {
    let listener: TLSListener
    private let files: Mutex<CertificateFiles>
    /// The changes of the files, and the end of the certificate that is in place.
    private struct Watch {
        var renewal: CertificateRenewal
        var end: CertificateEnd
    }
    private let watch: Mutex<Watch>

    /// Reads the files for the first time.
    ///
    /// - Throws: ``CertificateFault``: the file, and the fault in it.
    init(_ listener: TLSListener, _ logger: Logger) throws(CertificateFault) {
        self.listener = listener
        // The look comes first: a change while the files are read is then seen later.
        let renewal = CertificateRenewal(Self.stamp(of: listener))
        let files = try CertificateFiles(listener)
        self.files = Mutex(files)
        self.watch = Mutex(Watch(renewal: renewal, end: CertificateEnd(files.end)))
        files.warn(logger)
        self.reportEnd(logger)
    }

    /// The files for the next connection.
    var current: CertificateFiles { self.files.withLock { $0 } }

    /// Takes the place of the files of another listener; returns whether an authority of those is trusted no more.
    func replaced(_ earlier: CertificateSource) -> Bool {
        let earlier = earlier.current
        return self.files.withLock { $0.replaced(earlier) }
    }

    /// Ends the trust in the authorities; returns whether there are any.
    func endTrust() -> Bool { self.current.endTrust() }

    /// The certificate in place, in log entries.
    var facts: Logger.Metadata { self.files.withLock(\.facts) }

    /// Looks at the files, and takes them if they have changed or somebody asks for it; blocks its thread meanwhile.
    ///
    /// - Returns: Whether an authority of clients is trusted no more.
    @discardableResult
    func look(isAsked: Bool, _ logger: Logger) -> Bool {
        // Of two looks at a time the later one reads the newer files, so it is the last to take any.
        let isTrustLost = self.watch.withLock { self.look(isAsked: isAsked, &$0.renewal, &$0.end, logger) }
        self.reportEnd(logger)
        return isTrustLost
    }

    private func reportEnd(_ logger: Logger) {
        guard let stage = self.watch.withLock({ $0.end.looked(at: time(nil)) }) else { return }
        self.files.withLock { $0 }.report(stage, logger)
    }

    private func look(
        isAsked: Bool,
        _ renewal: inout CertificateRenewal,
        _ end: inout CertificateEnd,
        _ logger: Logger
    ) -> Bool {
        guard renewal.looked(Self.stamp(of: self.listener), isAsked: isAsked) == .read else { return false }
        let name: Logger.Metadata = ["file": "\(self.listener.certificateFile)"]
        do throws(CertificateFault) {
            var files = try CertificateFiles(self.listener)
            let earlier = self.current
            if earlier.validity == .valid {
                switch files.validity {
                case .valid: break
                case .expired:
                    renewal.refuse()
                    logger.warning("a new certificate has expired: the earlier one stays", metadata: name)
                    return false
                case .notYetValid:
                    let words = "a new certificate is not valid yet: the earlier one stays until it is"
                    guard renewal.postpone(because: words) || isAsked else { return false }
                    logger.warning("\(words)", metadata: name)
                    return false
                }
            }
            let wasRefused = renewal.settle()
            let isTrustLost = files.replaced(earlier)
            self.files.withLock { [files] in $0 = files }
            if !files.isAs(earlier) {
                logger.info("took a certificate", metadata: files.facts)
                end = CertificateEnd(files.end)
            } else if wasRefused {
                logger.info("the files of the certificate fit again", metadata: files.facts)
            }
            files.warn(logger)
            // The operator's reading has looked at the rights of all files.
            if !isAsked { files.warnOfKey(logger) }
            return isTrustLost
        } catch {
            // The system may have had no descriptor for the file.
            guard renewal.postpone(because: "\(error)") || isAsked else { return false }
            logger.warning("a new certificate does not fit: the earlier one stays", metadata: ["reason": "\(error)"])
            return false
        }
    }

    private static func stamp(of listener: TLSListener) -> CertificateRenewal.Stamp {
        let files = [listener.certificateFile, listener.keyFile] + [listener.clients.authorityFile].compactMap(\.self)
        return CertificateRenewal.Stamp(files: files.map(CertificateRenewal.File.init))
    }
}

extension CertificateRenewal.File {
    /// The file at a path now; nil if there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(
            device: UInt64(status.st_dev),
            number: UInt64(status.st_ino),
            bytes: Int64(status.st_size),
            seconds: status.st_ctim.tv_sec,
            nanoseconds: status.st_ctim.tv_nsec
        )
    }
}
#endif
