import RacAccess

/// The TLS of one connection, from the way in to the client's certificate.
struct ConnectionTLS {
    /// The way in, until the handshake is over or the client has chosen plain bytes; nil from then on.
    private(set) var entrance: TLSEntrance?

    /// The handler of TLS in the pipeline, when the handshake is over.
    private(set) var layer: TLSLayer?

    /// The name in the client's certificate, which an authority of the listener has signed; nil without a certificate.
    private(set) var certificateName: String?

    /// The time for which that certificate stands for the client in what outlasts the connection.
    private(set) var certificateTerm: CertificateTerm?

    private var hasFailed = false

    init(_ entrance: TLSEntrance? = nil) {
        self.entrance = entrance
    }

    /// Whether the client speaks TLS; known when the handshake is over.
    var isOpen: Bool { self.layer != nil }

    /// The handshake is over.
    ///
    /// - Returns: The way in, which opens when the connection knows of that.
    mutating func opened(_ layer: TLSLayer?) -> TLSEntrance? {
        self.layer = layer
        self.certificateName = layer?.clientName
        if let end = layer?.clientCertificateEnd, let authorities = self.entrance?.clientAuthorities {
            self.certificateTerm = CertificateTerm(end: end, authorities: authorities)
        }
        defer { self.entrance = nil }
        return self.entrance
    }

    /// The client has chosen plain bytes.
    mutating func leave() {
        self.entrance = nil
    }

    /// The handshake or the layer fails; whether it is for the first time.
    mutating func fails() -> Bool {
        defer { self.hasFailed = true }
        return !self.hasFailed
    }

    /// The connection is closed.
    mutating func close() {
        self.entrance = nil
        self.layer = nil
    }
}
