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

    /// Logs the faults that clients will meet.
    func warn(_ logger: Logger) {
        let file: Logger.Metadata = ["file": "\(self.listener.certificateFile)"]
        switch self.validity {
        case .valid: break
        case .expired: logger.warning("the certificate has expired: clients will not trust it", metadata: file)
        case .notYetValid: logger.warning("the certificate is not valid yet: clients will not trust it", metadata: file)
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
}
#endif
