import Expectations
import NIOCore
import RacAccess
import RacTesting
import Testing

@testable import RacServer

/// Clients that show a JWT to a closed daemon.
@Suite(.oneThreadAndThree) struct JWTClientTests {
    private static func policy(_ issuers: TestIssuer...) throws -> AccessPolicy {
        let role = AccessRole(name: "all", grants: [.read: [try RulePattern("**")], .write: [try RulePattern("**")]])
        let terms = IssuerTerms(issuer: "i", audiences: ["a"], algorithms: JWTAlgorithm.allCases)
        let keys = issuers.map { $0.publicKey() }.joined(separator: ",")
        let set = try JSONWebKeySet("{\"keys\":[\(keys)]}")
        return try AccessPolicy(roles: [role], principals: [], issuers: [TokenIssuer(terms, keys: set)])
    }

    private static func hello(_ token: String) -> String { #"{"op":"hello","version":1,"token":"\#(token)"}"# }

    private static func token(
        of issuer: TestIssuer,
        _ name: String = "alice",
        until end: Int64 = 253_402_300_799
    ) throws -> String {
        try issuer.token(#"{"iss":"i","aud":"a","sub":"\#(name)","roles":["all"],"exp":\#(end)}"#)
    }

    @Test("A JWT is welcomed at once, its principal is the writer, and a bad one is refused a second later")
    func welcome() throws {
        let (issuer, other) = (try TestIssuer(), try TestIssuer())
        let policy = try Self.policy(issuer)
        let daemon = EmbeddedDaemon { $0.access = policy }
        let client = try daemon.client()
        #expect(try client.ask(Self.hello(try Self.token(of: issuer))).isWelcome)
        expect(try client.ask(#"{"op":"set","id":1,"channel":"a","value":1}"#).code == nil)
        #expect(try client.ask(#"{"op":"get","id":2,"channel":"a"}"#).text.contains(#""by":"alice""#))
        expect(try client.ask(#"{"op":"delete","id":3,"channel":"a"}"#).code == "forbidden")
        for token in [try Self.token(of: other), try Self.token(of: issuer, until: 1), "a.b.c", "..", ".."] {
            let refused = try daemon.client()
            try refused.say(Self.hello(token))
            daemon.pass(milliseconds: 900)
            expect(try refused.heard().map(\.text) == [], "\(token)")
            daemon.pass(milliseconds: 200)
            let heard = try refused.heard()
            expect(heard.map(\.code) == ["unauthenticated"])
            expect(heard.first?.text.contains(#""message":"the token is not known, or its time is over""#) == true)
        }
    }

    @Test("The log has different reasons of one kind, a second after each other, and one of them once in ten seconds")
    func reasons() throws {
        let issuer = try TestIssuer()
        let policy = try Self.policy(issuer)
        let daemon = EmbeddedDaemon { $0.access = policy }
        let claims = [
            #"{"aud":"a","sub":"s"}"#, #"{"iss":"i","aud":"a","sub":"s"}"#, #"{"iss":"i","aud":"a","sub":"s"}"#,
        ]
        // Each thread has its own bound of lines.
        for (claims, client) in zip(claims, try daemon.onOneLoop(3) { try daemon.client() }) {
            try client.say(Self.hello(try issuer.token(claims)))
            daemon.pass(milliseconds: 1_000)
        }
        let reasons = daemon.log.entries.filter { $0.hasPrefix("warning") }.map { $0.split(separator: "reason=")[1] }
        expect(reasons == ["the JWT has no 'iss'", "the JWT has no 'exp'"])
    }

    @Test("A key that goes takes its clients with it, and those of other keys stay")
    func keys() throws {
        let (old, new) = (try TestIssuer(), try TestIssuer(.ed25519, id: "k2"))
        let both = try Self.policy(old, new)
        let daemon = EmbeddedDaemon { $0.access = both }
        let (first, second) = (try daemon.client(), try daemon.client())
        #expect(try first.ask(Self.hello(try Self.token(of: old))).isWelcome)
        #expect(try second.ask(Self.hello(try Self.token(of: new, "bob"))).isWelcome)
        daemon.shell.take(try Self.policy(new))
        daemon.run()
        expect(try first.heard().map(\.code) == ["unauthenticated"])
        #expect(try second.heard() == [] && second.isConnected)
    }

    @Test("Many signatures are checked in turns, keep nobody waiting, and are all checked")
    func turns() throws {
        // A check by P-384 takes more than half a millisecond.
        let issuer = try TestIssuer(.p384)
        let policy = try Self.policy(issuer)
        let daemon = EmbeddedDaemon { $0.access = policy }
        let clients = try daemon.onOneLoop(40) { try daemon.client() }
        for (number, client) in clients.enumerated() {
            try client.sayInOnePiece(Wire.frames([Self.hello(try Self.token(of: issuer, "c\(number)"))]))
        }
        #expect((1..<40).contains(clients.count { $0.handler.isWelcomed }))
        for _ in 0..<4 { daemon.run() }
        #expect(try clients.allSatisfy { try $0.heard().map(\.isWelcome) == [true] })
    }
}
