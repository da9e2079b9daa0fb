import LoadGenerator
import Testing

@Suite struct ProtectionTests {
    private static let peers: [Peer] = [.racd("racd"), .racdInMemory("racd"), .mosquitto(), .nats(), .redis]
    private static let certificate = Protection.Certificate(certificateFile: "CERTIFICATE", keyFile: "KEY")

    private static func settings(_ peer: Peer, _ protection: Protection) -> String? {
        peer.setup(for: .broadcast, protection)?.description
    }

    @Test("Every server gets certificate and key, and no plain port beside", arguments: peers)
    func certificate(peer: Peer) throws {
        let settings = try #require(Self.settings(peer, Protection(certificate: Self.certificate)))
        #expect(settings.contains("CERTIFICATE"))
        #expect(settings.contains("KEY"))
        #expect(!settings.contains("--listen 127.0.0.1"))
        #expect(peer.name != "redis" || settings.contains("port 0;"))
        #expect(try !#require(Self.settings(peer, Protection())).contains("CERTIFICATE"))
    }

    @Test("Every server knows the one user if there are rules", arguments: peers)
    func rules(peer: Peer) throws {
        let (open, closed) = (Protection(), Protection(hasRules: true))
        #expect(try !#require(Self.settings(peer, open)).contains(Credentials.bench.user + "\""))
        #expect(try #require(Self.settings(peer, closed)).contains(Credentials.bench.user))
        #expect(Self.settings(peer, open) != Self.settings(peer, closed))
    }

    @Test("The open racd has the settings of one without rules, and the relay has no TLS")
    func withoutRules() {
        let closed = Protection(certificate: Self.certificate, hasRules: true)
        let open = Protection(certificate: Self.certificate)
        #expect(Self.settings(.racdOpen("racd"), closed) == Self.settings(.racd("racd"), open))
        #expect(Self.settings(.relay("relay"), open) == nil)
        #expect(Self.settings(.relay("relay"), Protection(hasRules: true)) != nil)
    }
}
