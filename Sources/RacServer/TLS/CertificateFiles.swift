#if TLS
import Glibc
import Logging
import NIOCore
import NIOSSL
import RacAccess
import RacProtocol

/// The files of a listener's certificate, as they were read: good for new connections.
struct CertificateFiles {
    let context: NIOSSLContext
    private let configuration: TLSConfiguration
    private let listener: TLSListener
    private let chain: [NIOSSLCertificate]
    private let authorities: [NIOSSLCertificate]

    /// The trust in the authorities, for what their certificates stand for apart from the connections that show them.
    private(set) var clientAuthorities = ClientAuthorities()

    /// These files take the place of earlier ones; returns whether an authority of those is trusted no more.
    mutating func replaced(_ earlier: CertificateFiles) -> Bool {
        guard earlier.authorities.allSatisfy(self.authorities.contains) else { return earlier.endTrust() }
        self.clientAuthorities = earlier.clientAuthorities
        return false
    }

    /// Ends the trust in the authorities; returns whether there are any.
    func endTrust() -> Bool {
        self.clientAuthorities.end()
        return !self.authorities.isEmpty
    }

    /// Whether clients meet the certificates of other files as they meet these.
    func isAs(_ other: CertificateFiles) -> Bool {
        self.chain == other.chain && self.authorities == other.authorities
    }

    /// Makes the handler of a new connection.
    ///
    /// A client that resumes a session shows no certificate, and the library judges the one of its session no more. A context
    /// resumes only its own sessions. So each connection has one of its own where clients are asked for certificates.
    func makeLayer() throws -> TLSEntrance.Layer {
        guard !self.authorities.isEmpty else { return (NIOSSLServerHandler(context: self.context), nil) }
        let context = try NIOSSLContext(configuration: self.configuration)
        return (NIOSSLServerHandler(context: context), self.clientAuthorities)
    }

    /// The present state of the daemon's certificate.
    var validity: TLSFault.Validity { self.chain[0].validity }

    /// The end of the daemon's certificate, in seconds since 1970 UTC.
    var end: Int { self.chain[0].notValidAfter }

    /// The daemon's certificate in log entries: its file, and the facts by which an operator knows it again.
    var facts: Logger.Metadata {
        let digits = self.chain[0].serialNumber.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "0\(digits)" : digits
        }
        return self.file.merging(["serial": "\(digits.joined(separator: ":"))", "until": "\(self.endText)"]) { $1 }
    }

    private var endText: String { Timestamp.text(self.end) }

    private var file: Logger.Metadata { ["file": "\(self.listener.certificateFile)"] }

    /// Reads all files; blocks its thread meanwhile.
    ///
    /// - Throws: ``CertificateFault``: the file, and the fault in it.
    init(_ listener: TLSListener) throws(CertificateFault) {
        let chain = try Self.certificates(in: listener.certificateFile, .certificate)
        let key = try Self.key(in: listener.keyFile)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        // TLS 1.2 gets the suites with forward secrecy and authenticated encryption. TLS 1.3 has no others.
        configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
        configuration.shutdownTimeout = .seconds(1)
        let authorities = try listener.clients.authorityFile.map { (file) throws(CertificateFault) in
            try Self.certificates(in: file, .authority)
        }
        if let authorities {
            configuration.trustRoots = .certificates(authorities)
            configuration.certificateVerification =
                listener.requiresClientCertificate ? .noHostnameVerification : .optionalVerification
            configuration.sendCANameList = true
        }
        do {
            self.context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw CertificateFault(
                .key,
                "the key in \(listener.keyFile) does not belong to the first certificate in \(listener.certificateFile)"
            )
        }
        self.configuration = configuration
        self.listener = listener
        self.chain = chain
        self.authorities = authorities ?? []
    }

    /// Logs that clients will not trust the certificate yet.
    func warn(_ logger: Logger) {
        guard self.validity == .notYetValid else { return }
        logger.warning("\(Self.isEarly)", metadata: self.file)
    }

    private static let isEarly = "the certificate is not valid yet: clients will not trust it"
    private static let isOver = "the certificate has expired: clients will not trust it"

    /// Logs that the certificate ends, or has ended.
    func report(_ stage: CertificateEnd.Stage, _ logger: Logger) {
        switch stage {
        case .distant: break
        case .inTwoWeeks: logger.warning("the certificate ends within two weeks", metadata: self.facts)
        case .inADay: logger.warning("the certificate ends within a day", metadata: self.facts)
        case .over: logger.error("\(Self.isOver)", metadata: self.facts)
        }
    }

    /// The fault of the certificate's time, for people; nil if it has none.
    fileprivate var fault: String? {
        guard self.validity != .notYetValid else { return Self.isEarly }
        return switch CertificateEnd.Stage(of: self.end, at: time(nil)) {
        case .distant: nil
        case .inTwoWeeks, .inADay: "the certificate ends soon, at \(self.endText)"
        case .over: Self.isOver
        }
    }

    /// Logs that others can read the key.
    func warnOfKey(_ logger: Logger) {
        guard Self.othersCanRead(self.listener.keyFile) else { return }
        logger.warning(
            "others can read the private key: chmod o-r helps",
            metadata: ["file": "\(self.listener.keyFile)"]
        )
    }

    private static func certificates(
        in file: String,
        _ kind: CertificateFault.File
    ) throws(CertificateFault) -> [NIOSSLCertificate] {
        try Self.checkReadable(file, kind)
        guard let found = try? NIOSSLCertificate.fromPEMFile(file), !found.isEmpty else {
            throw CertificateFault(
                kind,
                "\(file) is no PEM file with a certificate: it needs -----BEGIN CERTIFICATE-----"
            )
        }
        return found
    }

    private static func key(in file: String) throws(CertificateFault) -> NIOSSLPrivateKey {
        try Self.checkReadable(file, .key)
        guard let key = try? NIOSSLPrivateKey(file: file, format: .pem) else {
            throw CertificateFault(.key, "\(file) is no PEM file with a private key that has no passphrase")
        }
        return key
    }

    private static func checkReadable(_ file: String, _ kind: CertificateFault.File) throws(CertificateFault) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CertificateFault(kind, "cannot read \(file): \(String(cString: strerror(errno)))")
        }
        close(descriptor)
    }

    private static func othersCanRead(_ file: String) -> Bool {
        var status = stat()
        return stat(file, &status) == 0 && status.st_mode & S_IROTH != 0
    }
}

extension TLSListener {
    /// Reads the files as a start of the daemon does; blocks its thread meanwhile.
    ///
    /// - Throws: ``CertificateFault``: the first file at fault.
    package func check() throws(CertificateFault) {
        _ = try CertificateFiles(self)
    }

    /// The fault of the certificate's time with which the daemon starts nevertheless; nil if there is none.
    package var warning: String? {
        (try? CertificateFiles(self))?.fault.map { "\(self.certificateFile): \($0)" }
    }
}
#endif
