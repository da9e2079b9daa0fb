import Expectations
import NIOSSL
import RacTesting
import Testing

@testable import RacServer

@Suite struct CertificateNameTests {
    private func certificate(_ subject: String, _ extensions: String) throws -> NIOSSLCertificate {
        let files = try TestAuthority().sign("client", subject: subject, extensions: extensions)
        defer { withExtendedLifetime(files) {} }
        return try #require(try NIOSSLCertificate.fromPEMFile(files.certificate).first)
    }

    @Test(
        "A certificate stands for its first URI, else its first DNS name, else its last common name",
        arguments: [
            (
                "/CN=c", "subjectAltName=DNS:d.example,URI:spiffe://lab/kiosk-7,URI:spiffe://lab/other",
                "spiffe://lab/kiosk-7"
            ),
            ("/CN=c", "subjectAltName=email:a@b.example,DNS:d.example,DNS:e.example", "d.example"),
            ("/CN=c", "subjectAltName=IP:127.0.0.1", "c"),
            ("/C=DE/O=Lab/CN=kiosk 7", "basicConstraints=CA:FALSE", "kiosk 7"),
            ("/CN=first/CN=last", "basicConstraints=CA:FALSE", "last"),
            ("/CN=Küche", "basicConstraints=CA:FALSE", "Küche"),
            ("/O=Lab", "basicConstraints=CA:FALSE", nil),
        ] as [(String, String, String?)]
    )
    func names(subject: String, extensions: String, name: String?) throws {
        expect(try self.certificate(subject, extensions).clientName == name)
    }

    @Test("A name with a control character, or that is no UTF-8, is none")
    func texts() {
        expect(String(certificate: Array("kiosk\0.example".utf8)) == nil)
        expect(String(certificate: Array("kiosk\n".utf8)) == nil)
        expect(String(certificate: [0xFF, 0xFE]) == nil)
        expect(String(certificate: [UInt8]()) == nil)
    }

    @Test("Bytes that are cut or changed give no name or another one, and never a crash")
    func mutations() throws {
        let der = try self.certificate("/C=DE/CN=kiosk-7", "basicConstraints=CA:FALSE").toDERBytes()
        expect(CertificateSubject(der: der)?.commonName == "kiosk-7")
        for end in 0..<der.count { _ = CertificateSubject(der: Array(der[..<end])) }
        var random = SeededRandom.ofThisRun
        for _ in 0..<2_000 {
            var changed = der
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            _ = CertificateSubject(der: changed)
        }
        #expect(CertificateSubject(der: [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
        #expect(CertificateSubject(der: [0x30, 0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
    }
}
