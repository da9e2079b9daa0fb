import Expectations
import Foundation
import RacTesting
import Testing

/// Clients of openssl that take up an earlier session of TLS, which shows no certificate again.
@Suite(.timeLimit(.minutes(10))) struct ResumptionTests {
    private static let request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    @Test(
        "An address that asks for certificates resumes no session of TLS, and another one does",
        arguments: [(clients: nil, isResumed: true), ("optional", false), ("required", false)],
        ["-tls1_2", "-tls1_3"]
    )
    func resumption(_ address: (clients: String?, isResumed: Bool), version: String) async throws {
        let authority = try TestAuthority()
        let files = try authority.sign("racd")
        let client = try authority.sign("kiosk", extensions: "extendedKeyUsage=clientAuth")
        let asks = address.clients.map { ["--tls-client-ca", authority.file, "--tls-clients", $0] } ?? []
        let options = ["--listen", "tls:127.0.0.1:0", "--tls-cert", files.certificate, "--tls-key", files.key] + asks
        try await Workplace.with { workplace in
            let racd = try workplace.racd(["--memory"] + options)
            let line = try #require(await racd.output.next(), "racd ended before it was ready")
            let place = try #require(line.firstMatch(of: /tls=(\S+)/)?.output.1)
            let shown = address.clients == nil ? [] : ["-cert", client.certificate, "-key", client.key]
            let session = workplace.path("session")
            let words = ["s_client", "-connect", String(place), version, "-CAfile", authority.file, "-ign_eof"] + shown
            let openssl = try #require(
                ["/usr/bin/openssl", "/bin/openssl"].first(where: FileManager.default.fileExists)
            )
            func connect(_ way: String) async throws -> Ended {
                try await workplace.start(openssl, words + [way, session], input: .text(Self.request)).ended()
            }
            let first = try await connect("-sess_out")
            #expect(
                ["New, TLSv1.", "HTTP/1.1 200 OK"].allSatisfy { word in first.output.contains { $0.contains(word) } }
            )
            let second = try await connect("-sess_in")
            expect(second.output.contains { $0.contains("Reused, TLSv1.") } == address.isResumed)
            #expect(second.output.contains { $0.contains("HTTP/1.1 200 OK") })
        }
    }
}
