#if TLS
import NIOSSL

/// A certificate that signs itself, for `localhost`, and its key: both are known to everybody, and prove nothing.
enum FuzzCertificate {
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBlTCCATugAwIBAgIUVYh0ODgqkKX9qtDkW23xuMOnTX8wCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNTAyNTM0MFoYDzIxMjYxMTAx
        MDI1MzQwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAAQLeOV+uLHBYo+xk8sD/ySVaeyvonHPHs0b4IoEyR24MK7Z8cfgTZzu
        qTgAjmIIAB5Tiy9ZYSt3iorb59qd5nPXo2kwZzAdBgNVHQ4EFgQUJjJeaKDdJNTA
        Ubk3l3h6OriO6YMwHwYDVR0jBBgwFoAUJjJeaKDdJNTAUbk3l3h6OriO6YMwDwYD
        VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
        SAAwRQIgHUIAgvdDpPLaUjZgRmV1PngaWohq2vjHRCpyiC36H0gCIQDs3JhnOYTX
        PYx1TjFAGVATBK0PDohPuL/xZFCS5dhyuw==
        -----END CERTIFICATE-----
        """

    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7sUUK6GwHB6iRgrA
        mdSa3xYqaMeQuSIpNNUlSoIUaNehRANCAAQLeOV+uLHBYo+xk8sD/ySVaeyvonHP
        Hs0b4IoEyR24MK7Z8cfgTZzuqTgAjmIIAB5Tiy9ZYSt3iorb59qd5nPX
        -----END PRIVATE KEY-----
        """

    static func server() throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(self.certificate.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(self.key.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        return try NIOSSLContext(configuration: configuration)
    }

    static func client() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        return try NIOSSLContext(configuration: configuration)
    }
}
#endif
