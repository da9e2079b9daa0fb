import Expectations
import Foundation
import Logging
import RacAccess
import RacTesting
import Testing

@testable import RacServer

/// The files of a certificate, which an operator has read again.
@Suite struct CertificateSourceTests {
    private let authority: TestAuthority
    private let files: TestAuthority.Files
    private let source: CertificateSource
    private let log = Log<String>()
    private let logger: Logger

    init() throws {
        self.authority = try TestAuthority()
        self.files = try self.authority.sign("racd")
        self.logger = Logger(label: "test", factory: { [log] _ in LogLines(log) })
        let listener = TLSListener(certificateFile: self.files.certificate, keyFile: self.files.key)
        self.source = try CertificateSource(listener, self.logger)
    }

    private func put(_ new: TestAuthority.Files) throws {
        for (path, other) in [(self.files.certificate, new.certificate), (self.files.key, new.key)] {
            try Data(contentsOf: URL(filePath: other)).write(to: URL(filePath: path))
        }
        self.source.look(isAsked: true, self.logger)
    }

    @Test("A certificate is reported when it is another one, not at each reading")
    func told() throws {
        self.source.look(isAsked: true, self.logger)
        expect(self.log.entries == [])
        try self.put(self.authority.sign("new"))
        let facts = "file=\(self.files.certificate) serial=02 until=2049-01-01T00:00:00Z"
        expect(self.log.entries == ["info: took a certificate \(facts)"])
    }

    @Test("A certificate that has ended at the start is an error, and is reported once")
    func ended() throws {
        let files = try self.authority.sign("old", time: .past)
        let source = try CertificateSource(
            TLSListener(certificateFile: files.certificate, keyFile: files.key),
            self.logger
        )
        for _ in 0..<2 { source.look(isAsked: true, self.logger) }
        let words = "error: the certificate has expired: clients will not trust it"
        expect(
            self.log.entries == ["\(words) file=\(files.certificate) serial=02 until=2021-01-01T00:00:00Z"]
        )
    }

    @Test("An expired certificate does not take the place of a good one")
    func expired() throws {
        let before = self.source.current.context
        try self.put(self.authority.sign("old", time: .past))
        let words = "warning: a new certificate has expired: the earlier one stays"
        expect(self.log.entries == ["\(words) file=\(self.files.certificate)"])
        #expect(self.source.current.context === before)
    }

    @Test("A certificate that is not valid yet does not take the place of a good one, and is reported once")
    func notYetValid() throws {
        let before = self.source.current.context
        try self.put(self.authority.sign("later", time: .future))
        self.source.look(isAsked: false, self.logger)
        let words = "warning: a new certificate is not valid yet: the earlier one stays until it is"
        expect(self.log.entries == ["\(words) file=\(self.files.certificate)"])
        #expect(self.source.current.context === before)
    }

    @Test("A key that does not fit is reported once, and tried again at each look")
    func doesNotFit() throws {
        let (before, key) = (self.source.current.context, try Data(contentsOf: URL(filePath: self.files.key)))
        try Data("no key".utf8).write(to: URL(filePath: self.files.key))
        for _ in 0..<4 { self.source.look(isAsked: false, self.logger) }
        #expect(self.log.entries.count == 1 && self.log.entries[0].hasPrefix("warning: a new certificate does not fit"))
        #expect(self.source.current.context === before)
        try key.write(to: URL(filePath: self.files.key))
        for _ in 0..<2 { self.source.look(isAsked: false, self.logger) }
        #expect(self.source.current.context !== before)
        expect(self.log.entries.count == 2)
        expect(self.log.entries.last?.hasPrefix("info: the files of the certificate fit again file=") == true)
    }

    @Test("The trust in the authorities of clients lasts while each of them is in the file")
    func authorities() throws {
        let file = self.authority.path("clients.crt")
        func write(_ authorities: [TestAuthority]) throws {
            let texts = try authorities.map { try Data(contentsOf: URL(filePath: $0.file)) }
            try Data(texts.joined()).write(to: URL(filePath: file))
        }
        try write([self.authority])
        let source = try CertificateSource(
            TLSListener(
                certificateFile: self.files.certificate,
                keyFile: self.files.key,
                clients: .optional(authorityFile: file)
            ),
            self.logger
        )
        let trust = try #require(try source.current.makeLayer().clientAuthorities)
        try write([try TestAuthority(), self.authority])
        #expect(!source.look(isAsked: true, self.logger))
        #expect(trust.areTrusted)
        try write([try TestAuthority()])
        #expect(source.look(isAsked: true, self.logger))
        #expect(!trust.areTrusted)
        expect(try source.current.makeLayer().clientAuthorities?.areTrusted == true)
    }

    @Test("Files that a reading of the configuration names are tried again until they can be taken")
    func awaited() throws {
        let address = ListenAddress.tls(host: "127.0.0.1", port: 0)
        var configuration = ServerConfiguration(name: "racd/test", storage: .memory)
        configuration.addresses = [address]
        configuration.tls[address] = self.source.listener
        let certificates = try Certificates(configuration, self.logger)
        let later = TLSListener(
            certificateFile: self.authority.path("later.crt"),
            keyFile: self.authority.path("later.key")
        )
        _ = certificates.take([address: later], self.logger)
        for _ in 0..<3 { _ = certificates.look(isAsked: false, self.logger) }
        #expect(self.log.entries.count == 1 && self.log.entries[0].contains("cannot read \(later.certificateFile)"))
        _ = try self.authority.sign("later")
        _ = certificates.look(isAsked: false, self.logger)
        expect(self.log.entries.last?.hasPrefix("info: took a certificate file=\(later.certificateFile)") == true)
    }

    @Test("Other rights of a file are a change, so that it is read again")
    func rights() throws {
        let path = self.files.key
        let before = try #require(CertificateRenewal.File(path))
        // The system's time of a change is that of its last tick.
        for _ in 0..<1000 where CertificateRenewal.File(path) == before {
            try #require(chmod(path, 0o640) == 0)
            usleep(1000)
        }
        #expect(CertificateRenewal.File(path) != before)
    }
}
