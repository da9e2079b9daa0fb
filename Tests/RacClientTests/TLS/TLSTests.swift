import Expectations
import Foundation
import Rac
import RacClient
import RacServer
import RacTesting
import Testing

/// Clients and a daemon over TLS: who trusts whom, and what is seen on the way.
@Suite(.timeLimit(.minutes(10))) struct TLSTests {
    private static let clientUse = "extendedKeyUsage=clientAuth"

    @Test("Long and short values pass both ways over TLS, on an address for both too", arguments: [false, true])
    func values(isEither: Bool) async throws {
        let authority = try TestAuthority()
        let address: ListenAddress =
            isEither ? .either(host: "127.0.0.1", port: 0) : .tls(host: "127.0.0.1", port: 0)
        try await TLSDaemon.serving(TLSListener(authority.sign("racd")), at: address) { daemon in
            let lengths = [1, 100, 15_990, 16_384, 100_000, 3 << 20]
            try await daemon.withClient(ClientTLS(authority)) { client in
                for length in lengths {
                    let value = String(repeating: "v", count: length)
                    try await client.set("a", value)
                    expect(try await client.get("a", as: String.self) == value)
                }
            }
            guard isEither else { return }
            try await daemon.withClient(ClientTLS(), at: .tcp(host: "127.0.0.1", port: daemon.port)) { client in
                let value = try await client.get("a", as: String.self)
                expect(value?.count == lengths.last)
            }
        }
    }

    @Test("An IP address is looked up in the certificate, too")
    func ipAddress() async throws {
        let authority = try TestAuthority()
        try await TLSDaemon.serving(TLSListener(authority.sign("racd"))) { daemon in
            try await daemon.open(ClientTLS(authority), to: .tls(host: "127.0.0.1", port: daemon.port)).close()
        }
        let names = TLSListener(try authority.sign("names", extensions: "subjectAltName=DNS:localhost"))
        try await TLSDaemon.serving(names) { daemon in
            let error = await #expect(throws: ClientError.self) {
                try await daemon.open(ClientTLS(authority), to: .tls(host: "127.0.0.1", port: daemon.port))
            }
            expect(error?.code == .untrusted)
        }
    }

    @Test("The IP address in a certificate does not stand for a host's name")
    func addressForName() async throws {
        let authority = try TestAuthority()
        let files = try authority.sign("racd", extensions: "subjectAltName=IP:127.0.0.1")
        try await TLSDaemon.serving(TLSListener(files)) { daemon in
            let error = await #expect(throws: ClientError.self) { try await daemon.open(ClientTLS(authority)) }
            expect(error?.message.contains("is for another host name") == true)
            let address = DaemonAddress.tls(host: "127.0.0.1", port: daemon.port)
            try await daemon.open(ClientTLS(authority), to: address).close()
            expect(daemon.log.entries.count { $0.hasPrefix("debug welcomed") } == 1)
        }
    }

    @Test(
        "A daemon whose certificate is not good gets no hello, and the client says why",
        arguments: [
            (TestAuthority.local, TestAuthority.Time.past, "has expired"),
            (TestAuthority.local, .future, "is not valid yet"),
            ("subjectAltName=DNS:other.example,IP:::2", .now, "is for another host name, other.example or ::2"),
            (TestAuthority.local + "\nextendedKeyUsage=clientAuth", .now, "signed by no authority"),
        ]
    )
    func daemonNotTrusted(extensions: String, time: TestAuthority.Time, text: String) async throws {
        let authority = try TestAuthority()
        let files = try authority.sign("racd", extensions: extensions, time: time)
        try await TLSDaemon.serving(TLSListener(files)) { daemon in
            let error = await #expect(throws: ClientError.self) { try await daemon.open(ClientTLS(authority)) }
            expect(error?.code == .untrusted)
            expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
            #expect(!daemon.log.entries.contains { $0.contains("welcomed") })
        }
    }

    @Test("A daemon of another authority, or one that the system does not know, is not trusted")
    func otherAuthority() async throws {
        let (authority, other) = (try TestAuthority(), try TestAuthority())
        try await TLSDaemon.serving(TLSListener(authority.sign("racd"))) { daemon in
            for tls in [ClientTLS(other), ClientTLS()] {
                let error = await #expect(throws: ClientError.self) { try await daemon.open(tls) }
                expect(error?.code == .untrusted)
                expect(error?.message.contains("signed by no authority") == true)
            }
            // A connection reports its failures before its end, which is no failure of its own.
            try await daemon.logged("debug disconnected", times: 2)
            try await daemon.logged("warning a TLS handshake failed refused-authority")
            expect(daemon.log.entries.count { $0.contains("a TLS handshake failed") } == 2)
            try await daemon.open(ClientTLS(authority)).close()
        }
    }

    @Test("A required certificate opens the door, and its name is known", arguments: [false, true])
    func clientCertificate(isRequired: Bool) async throws {
        let authority = try TestAuthority()
        let clients: TLSListener.Clients =
            isRequired ? .required(authorityFile: authority.file) : .optional(authorityFile: authority.file)
        let listener = TLSListener(try authority.sign("racd"), clients: clients)
        try await TLSDaemon.serving(listener) { daemon in
            let kiosk = try authority.sign("kiosk", subject: "/CN=kiosk-7", extensions: Self.clientUse)
            try await daemon.open(ClientTLS(authority, kiosk)).close()
            try await daemon.logged("debug welcomed kiosk-7")
            if isRequired {
                let error = await #expect(throws: ClientError.self) { try await daemon.open(ClientTLS(authority)) }
                expect(error?.code == .unauthenticated)
                expect(error?.message.contains("wants a certificate") == true)
                try await daemon.logged("warning a TLS handshake failed no-certificate")
            } else {
                try await daemon.open(ClientTLS(authority)).close()
                try await daemon.logged("debug welcomed -")
            }
        }
    }

    @Test(
        "A client's certificate that is not good keeps it out, whether one is required or not",
        arguments: [false, true]
    )
    func clientNotTrusted(isRequired: Bool) async throws {
        let (authority, other) = (try TestAuthority(), try TestAuthority())
        let clients: TLSListener.Clients =
            isRequired ? .required(authorityFile: authority.file) : .optional(authorityFile: authority.file)
        let listener = TLSListener(try authority.sign("racd"), clients: clients)
        try await TLSDaemon.serving(listener) { daemon in
            let cases = [
                (try other.sign("other", extensions: Self.clientUse), "unknown-authority"),
                (try authority.sign("past", extensions: Self.clientUse, time: .past), "expired"),
                (try authority.sign("future", extensions: Self.clientUse, time: .future), "not-yet-valid"),
                (try authority.sign("server", extensions: "extendedKeyUsage=serverAuth"), "unknown-authority"),
            ]
            for (number, (files, code)) in cases.enumerated() {
                let error = await #expect(throws: ClientError.self) {
                    try await daemon.open(ClientTLS(authority, files))
                }
                expect(error?.code == .untrusted, "\(code)")
                expect(error?.message.contains("does not accept this client's certificate") == true, "\(code)")
                // The last case has the code of the first, so its entry is held back for a while.
                if number < 3 { try await daemon.logged("warning a TLS handshake failed \(code)") }
            }
            #expect(!daemon.log.entries.contains { $0.contains("welcomed") })
        }
    }

    @Test("Each side reports TLS on a plain address, and plain bytes on one with TLS")
    func mixedUp() async throws {
        let authority = try TestAuthority()
        try await TLSDaemon.serving(TLSListener(authority.sign("racd"))) { daemon in
            let plain = DaemonAddress.tcp(host: "127.0.0.1", port: daemon.port)
            let error = await #expect(throws: ClientError.self) { try await daemon.open(ClientTLS(), to: plain) }
            expect(error?.code == .unreachable)
            expect(error?.message == "the daemon at \(plain) speaks TLS: use racs://\(plain)")
            try await daemon.logged("warning a TLS handshake failed no-tls")
        }
        try await TLSDaemon.serving(TLSListener(authority.sign("racd")), at: .tcp(host: "127.0.0.1", port: 0)) {
            let daemon = $0
            let error = await #expect(throws: ClientError.self) { try await daemon.open(ClientTLS(authority)) }
            expect(error?.code == .unreachable)
            expect(error?.message.contains("answers, but without TLS") == true)
            try await daemon.logged("warning a connection was ended bad-frame")
        }
    }

    @Test("An address that hangs up on the client's first bytes is no racd that is ready, with TLS and without")
    func hungUp() async throws {
        let authority = try TestAuthority()
        try await TLSDaemon.serving(TLSListener(authority.sign("racd"))) { daemon in
            try await Relay.with(to: daemon.port, .none) { relay in
                let plain = DaemonAddress.tcp(host: "127.0.0.1", port: relay.port)
                let times = [(relay.address, "during the TLS handshake"), (plain, "before it said welcome")]
                for (address, time) in times {
                    let error = await #expect(throws: ClientError.self) {
                        try await daemon.open(ClientTLS(authority), to: address)
                    }
                    expect(error?.code == .unreachable)
                    let message = "\(address) hung up \(time): it may be a racd that starts or stops, or no racd"
                    expect(error?.message == message)
                }
            }
        }
    }

    @Test("Bytes one at a time make a connection, in the handshake and after it")
    func singleBytes() async throws {
        let authority = try TestAuthority()
        let listener = TLSListener(try authority.sign("racd"), clients: .required(authorityFile: authority.file))
        try await TLSDaemon.serving(listener) { daemon in
            try await Relay.with(to: daemon.port, .singleBytes) { relay in
                let kiosk = try authority.sign("kiosk", extensions: Self.clientUse)
                try await daemon.withClient(ClientTLS(authority, kiosk), at: relay.address) { client in
                    try await client.set("a", 17)
                    expect(try await client.get("a") == 17)
                }
            }
        }
    }

    @Test("A crowd that connects at once gets through, and a connected client is served meanwhile")
    func crowd() async throws {
        let authority = try TestAuthority()
        try await TLSDaemon.serving(TLSListener(authority.sign("racd"))) { daemon in
            try await daemon.withClient(ClientTLS(authority)) { client in
                try await client.ping()
                let crowd = (0..<200).map { _ in Task { try await daemon.open(ClientTLS(authority)) } }
                for _ in 0..<20 { try await client.ping() }
                for member in crowd { try await member.value.close() }
            }
        }
    }

    @Test("Files that cannot be used are named, and the client tries again with files read anew")
    func clientFiles() async throws {
        let authority = try TestAuthority()
        try await TLSDaemon.serving(TLSListener(authority.sign("racd"))) { daemon in
            let nowhere = authority.path("late.crt")
            let error = await #expect(throws: ClientError.self) {
                try await daemon.open(ClientTLS(trust: .file(nowhere)))
            }
            expect(error?.code == .invalidCertificate)
            expect(error?.message == "cannot read \(nowhere): No such file or directory")
            var configuration = ClientConfiguration.quick
            configuration.tls = ClientTLS(trust: .file(nowhere))
            let client = Client(daemon.address, configuration: configuration)
            try await client.until {
                if case .lost(let error, _) = $0 { error.code == .invalidCertificate } else { false }
            }
            try FileManager.default.copyItem(atPath: authority.file, toPath: nowhere)
            try await client.until { $0 == .live }
            await client.close()
        }
    }
}
