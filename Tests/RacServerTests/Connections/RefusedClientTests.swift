import Expectations
import NIOCore
import RacAccess
import RacTesting
import Testing

@testable import RacServer

/// Clients that the rules of a closed daemon do not accept.
@Suite(.oneThreadAndThree) struct RefusedClientTests {
    private static func policy() throws -> AccessPolicy {
        let role = AccessRole(name: "all", grants: [.read: [try RulePattern("**")], .write: [try RulePattern("**")]])
        let token = Principal.Token(hash: TokenHash(of: "right"))
        let principal = Principal(name: try PrincipalName("p"), roles: ["all"], tokens: [token])
        return try AccessPolicy(roles: [role], principals: [principal])
    }

    private static func hello(_ token: String) -> String { #"{"op":"hello","version":1,"token":"\#(token)"}"# }

    @Test("A wrong token, or none, is refused a second later; bytes behind it count for nothing")
    func pause() throws {
        let policy = try Self.policy()
        let daemon = EmbeddedDaemon { $0.access = policy }
        for hello in [Self.hello("wrong"), Wire.hello, Self.hello(String(repeating: "x", count: 60_000))] {
            let client = try daemon.client()
            try client.say(hello, #"{"op":"set","id":1,"channel":"a","value":1}"#)
            daemon.pass(milliseconds: 900)
            try client.say(Self.hello("right"), #"{"op":"get","id":2,"channel":"a"}"#)
            expect(try client.heard() == [])
            daemon.pass(milliseconds: 200)
            expect(try client.heard().map(\.code) == ["unauthenticated"])
            daemon.pass(milliseconds: 2_000)
            #expect(!client.isConnected)
        }
    }

    @Test("A refused hello has an audit line, its repeats one with their number, and each reason a line of its own")
    func audit() throws {
        let policy = try Self.policy()
        let daemon = EmbeddedDaemon { $0.access = policy }
        let hellos = [Self.hello("wrong"), Wire.hello, Self.hello("wrong")]
        // Each thread has its own bound of lines.
        for (hello, client) in zip(hellos, try daemon.onOneLoop(3) { try daemon.client() }) {
            try client.say(hello)
            daemon.pass(milliseconds: 1_100)
        }
        let act = "audit=unauthenticated principal=- "
        let ended = "warning: a connection was ended code=unauthenticated"
        expect(
            daemon.log.entries == [
                "notice: a client was refused \(act)verb=hello",
                "\(ended) reason=the token is not known, or its time is over",
                "\(ended) reason=the client showed nothing by which racd knows it",
            ]
        )
        daemon.pass(milliseconds: 10_000)
        expect(daemon.log.entries.last == "notice: a client was refused \(act)repeats=2 verb=hello")
    }

    @Test("The refusal says that a certificate is no principal's, and that a JWT is not known")
    func answers() throws {
        let token = TokenHash(of: "wrong")
        let unknown = "the token is not known, or its time is over"
        #expect(LoggedReason(unknown: Credentials(certificate: "kiosk")).answer.contains("certificate 'kiosk'"))
        expect(LoggedReason(unknown: Credentials(token: token, certificate: "kiosk")).answer == unknown)
        expect(LoggedReason(unknown: Credentials(unixUser: 7)).answer == "this racd asks who you are: show a token")
    }

    @Test("A client whose hello had to wait for a turn is refused no sooner")
    func waited() throws {
        let policy = try Self.policy()
        let daemon = EmbeddedDaemon { $0.access = policy }
        let client = try daemon.client()
        client.handler.loop.enterTick()
        client.handler.loop.spent(ReadTurns.units, by: client.handler)
        try client.sayInOnePiece(Wire.frames([Self.hello("wrong")]))
        expect(client.handler.frames.input.reading == .queued)
        daemon.pass(milliseconds: 900)
        expect(try client.heard() == [])
        daemon.pass(milliseconds: 300)
        expect(try client.heard().map(\.code) == ["unauthenticated"])
    }

    @Test("A client that goes before it is refused leaves nothing behind")
    func impatient() throws {
        let policy = try Self.policy()
        let daemon = EmbeddedDaemon { $0.access = policy }
        weak var handler: ConnectionHandler?
        do {
            let client = try daemon.client()
            handler = client.handler
            try client.say(Self.hello("wrong"))
            client.vanish()
        }
        daemon.pass(milliseconds: 1_100)
        #expect(handler == nil)
    }

    @Test("The right token is welcomed at once, and the next rules hold for it")
    func changes() throws {
        let policy = try Self.policy()
        let daemon = EmbeddedDaemon { $0.access = policy }
        let client = try daemon.client()
        #expect(try client.ask(Self.hello("right")).isWelcome)
        expect(try client.ask(#"{"op":"set","id":1,"channel":"a","value":1}"#).code == nil)
        expect(try client.ask(#"{"op":"delete","id":2,"channel":"a"}"#).code == "forbidden")
        daemon.shell.take(try AccessPolicy(roles: [], principals: []))
        daemon.run()
        expect(try client.heard().map(\.code) == ["unauthenticated"])
    }
}
