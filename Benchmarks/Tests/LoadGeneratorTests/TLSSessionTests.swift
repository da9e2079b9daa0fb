import Foundation
import LoadGenerator
import Testing

@Suite struct TLSSessionTests {
    /// A client of `openssl s_server -rev`, from which each line comes back from its end to its beginning.
    private struct ReversingDialect: Dialect {
        func opening() -> [UInt8] { Array("olleh\n".utf8) }
        func bind(_ channel: Int, as role: Role, into bytes: inout [UInt8]) -> Bool { false }
        func send(_ value: NumberedValue, byteCount: Int, into bytes: inout [UInt8]) {}
        func prepareStore(into bytes: inout [UInt8]) -> Bool { false }
        func store(_ value: NumberedValue, byteCount: Int, durably: Bool, into bytes: inout [UInt8]) {}
        func watch(channels: Int, into bytes: inout [UInt8]) {}

        func read(_ bytes: Span<UInt8>, into arrivals: inout Arrivals) throws -> Int {
            guard bytes.count >= 6 else { return 0 }
            let text = String(decoding: (0..<6).map { bytes[$0] }, as: UTF8.self)
            guard text == "hello\n" else { throw ProtocolError.unexpected(text) }
            arrivals.list.append(.opened)
            return 6
        }
    }

    /// A folder with a certificate and its key.
    private struct Authority: ~Copyable {
        let folder: String
        var certificate: Protection.Certificate {
            Protection.Certificate(certificateFile: "\(self.folder)/certificate.pem", keyFile: "\(self.folder)/key.pem")
        }

        init() throws {
            self.folder = NSTemporaryDirectory() + "/" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments =
                ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
                + ["-subj", "/CN=localhost", "-keyout", "\(self.folder)/key.pem"]
                + ["-out", "\(self.folder)/certificate.pem"]
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
        }

        deinit {
            try? FileManager.default.removeItem(atPath: self.folder)
        }
    }

    private static func reverser(_ certificate: Protection.Certificate) -> Peer {
        Peer(
            "reverser",
            isRival: false,
            programs: ["/usr/bin/openssl"],
            dialect: { _, _, _ in ReversingDialect() },
            setup: { _, site in
                let files = ["-cert", certificate.certificateFile, "-key", certificate.keyFile]
                return Peer.Setup(["s_server", "-rev", "-accept", "127.0.0.1:\(site.port)"] + files)
            }
        )
    }

    @Test("A client makes its way to a server with TLS, and refuses one with another certificate")
    func handshake() throws {
        let authority = try Authority()
        let other = try Authority()
        let process = try ServerProcess(
            Self.reverser(authority.certificate),
            for: .broadcast,
            Protection(certificate: authority.certificate),
            core: nil,
            folder: authority.folder
        )
        var server = process.server
        server.certificateFile = other.certificate.certificateFile
        #expect(throws: ProtocolError.self) {
            try Handshakes(underWay: 1, seconds: 60, spins: false).measure(server)
        }
        try process.stop()
    }

    /// The bytes that a session wants sent, and what happens to it.
    private struct Recorder {
        let session: TLSSession
        var sent: [UInt8] = []

        init(_ certificateFile: String, greets: Bool) throws {
            self.session = try TLSSession(TLSContext(trusting: certificateFile), greets: greets)
            try self.session.begin { self.sent += $0 }
        }

        mutating func read(_ text: String) throws -> Int {
            var plain = [UInt8](repeating: 0, count: 1 << 15)
            return try Array(text.utf8).withUnsafeBytes { bytes in
                try plain.withUnsafeMutableBytes { room in
                    try self.session.read(bytes, into: room) { self.sent += $0 }
                }
            }
        }
    }

    @Test("A session begins with a record of a handshake, and holds everything else back until it is over")
    func beginning() throws {
        let authority = try Authority()
        var recorder = try Recorder(authority.certificate.certificateFile, greets: false)
        #expect(recorder.sent.starts(with: [22, 3]))
        let count = recorder.sent.count
        try recorder.session.write(Array("secret".utf8)) { recorder.sent += $0 }
        #expect(recorder.sent.count == count)
    }

    @Test("A session with a server that greets begins behind the greeting, however that is cut")
    func greeting() throws {
        let authority = try Authority()
        var recorder = try Recorder(authority.certificate.certificateFile, greets: true)
        #expect(recorder.sent.isEmpty)
        #expect(try recorder.read("INFO {") == 0)
        #expect(recorder.sent.isEmpty)
        #expect(try recorder.read("}\r\n") == 0)
        #expect(recorder.sent.starts(with: [22, 3]))
    }

    @Test("A server that speaks no TLS, and a file that is no certificate, are faults")
    func faults() throws {
        let authority = try Authority()
        var recorder = try Recorder(authority.certificate.certificateFile, greets: false)
        #expect(throws: ProtocolError.self) { try recorder.read("HTTP/1.1 400 Bad Request\r\n\r\n") }
        #expect(throws: SetupError.self) { try TLSContext(trusting: authority.certificate.keyFile) }
    }
}
