import Expectations
import Foundation
import Rac
import RacClient
import RacServer
import RacTesting
import Testing

/// Certificates that are renewed while clients are connected.
@Suite(.timeLimit(.minutes(10))) struct RenewalTests {
    /// Puts files in the place of a daemon's, one after the other, as programs that renew certificates do.
    private static func replace(_ files: TestAuthority.Files, with new: TestAuthority.Files) throws {
        for (old, new) in [(files.certificate, new.certificate), (files.key, new.key)] {
            let temporary = old + ".new"
            try FileManager.default.copyItem(atPath: new, toPath: temporary)
            guard rename(temporary, old) == 0 else { throw Surprise(expected: "a file in the place of \(old)") }
        }
    }

    @Test("100 bound clients stay connected while the certificate is renewed, and later ones get the new certificate")
    func renewal() async throws {
        let (first, second) = (try TestAuthority(), try TestAuthority())
        let files = try first.sign("racd")
        try await TLSDaemon.serving(TLSListener(files)) { daemon in
            var configuration = ClientConfiguration.quick
            configuration.tls = ClientTLS(first)
            let clients = (0..<100).map { _ in Client(daemon.address, configuration: configuration) }
            let states = clients.map { Recorder($0.connection) }
            let values = try clients.map { Recorder(try $0.property("a", as: Int.self)) }
            for client in clients { try await client.ping() }
            try Self.replace(files, with: try second.sign("new"))
            daemon.reload()
            try await daemon.logged("info took a certificate")
            let error = await #expect(throws: ClientError.self) { try await daemon.open(ClientTLS(first)) }
            expect(error?.code == .untrusted)
            try await daemon.withClient(ClientTLS(second)) { later in
                try await later.set("a", 17)
                for value in values { try await Self.until(value.values.last == 17) }
            }
            #expect(states.allSatisfy { $0.values == [.connecting, .live] })
            for client in clients { await client.close() }
        }
    }

    @Test("Other files of a reading are taken for new connections, and those that do not fit are not")
    func otherFiles() async throws {
        let (first, second) = (try TestAuthority(), try TestAuthority())
        try await TLSDaemon.serving(TLSListener(try first.sign("racd"))) { daemon in
            try await daemon.withClient(ClientTLS(first)) { client in
                try await client.ping()
                daemon.take(TLSListener(try second.sign("other")))
                try await daemon.logged("info took a certificate")
                try await daemon.open(ClientTLS(second)).close()
                daemon.take(TLSListener(certificateFile: "/none.crt", keyFile: "/none.key"))
                try await daemon.logged("warning a new certificate does not fit: the earlier one stays")
                try await daemon.open(ClientTLS(second)).close()
                try await client.ping()
                #expect(client.connection.value.isLive)
            }
        }
    }

    @Test("Changed files are taken without a signal from the operator")
    func change() async throws {
        let (first, second) = (try TestAuthority(), try TestAuthority())
        let files = try first.sign("racd")
        try await TLSDaemon.serving(TLSListener(files)) { daemon in
            try Self.replace(files, with: try second.sign("new"))
            try await daemon.logged("info took a certificate")
            try await daemon.open(ClientTLS(second)).close()
        }
    }

    @Test("Files that do not fit are logged, and the earlier certificate stays")
    func misfit() async throws {
        let authority = try TestAuthority()
        let files = try authority.sign("racd")
        try await TLSDaemon.serving(TLSListener(files)) { daemon in
            try Data(contentsOf: URL(filePath: try authority.sign("other").key)).write(to: URL(filePath: files.key))
            daemon.reload()
            try await daemon.logged("warning a new certificate does not fit: the earlier one stays")
            try await daemon.open(ClientTLS(authority)).close()
            try FileManager.default.removeItem(atPath: files.key)
            daemon.reload()
            try await daemon.logged("warning a new certificate does not fit: the earlier one stays", times: 2)
            try await daemon.open(ClientTLS(authority)).close()
        }
    }

    private static func until(_ isTrue: @autoclosure () -> Bool) async throws {
        while !isTrue() { try await Task.sleep(for: .milliseconds(1)) }
    }
}
