import Expectations
import NIOCore
import RacAccess
import Testing

@testable import RacServer

/// Clients that hold places without a proof of who they are.
@Suite(.oneThreadAndThree) struct StrangerTests {
    private static func daemon(places: Int = 2) throws -> EmbeddedDaemon {
        let principal = Principal(
            name: try PrincipalName("p"),
            roles: ["all"],
            tokens: [.init(hash: TokenHash(of: "right"))]
        )
        let grants: [Verb: [RulePattern]] = [.read: [try RulePattern("**")]]
        let policy = try AccessPolicy(roles: [AccessRole(name: "all", grants: grants)], principals: [principal])
        return EmbeddedDaemon {
            $0.access = policy
            $0.maximumConnections = places
        }
    }

    /// A client that has come last, has said hello with its token, and is welcomed.
    private static func known(_ daemon: EmbeddedDaemon) throws -> EmbeddedClient {
        let client = try daemon.client()
        guard try client.ask(#"{"op":"hello","version":1,"token":"right"}"#).isWelcome else {
            throw Surprise(what: "no welcome")
        }
        return client
    }

    @Test(
        "When all places are taken, the oldest client that has shown no proof gives way to a new one",
        arguments: [
            "", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "POST /v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n1",
        ]
    )
    func givesWay(words: String) throws {
        let daemon = try Self.daemon()
        // On one loop, so that the order in which they came is theirs.
        let strangers = try daemon.onOneLoop(2) { try daemon.client() }
        if !words.isEmpty { for stranger in strangers { try stranger.sayBytes(ByteBuffer(string: words)) } }
        let first = try daemon.onOneLoop(1) { try Self.known(daemon) }
        expect(strangers.map(\.isConnected) == [false, true])
        let second = try daemon.onOneLoop(1) { try Self.known(daemon) }
        expect(strangers.map(\.isConnected) == [false, false])
        // Clients that are known keep their places.
        let third = try daemon.onOneLoop(1) { try daemon.client() }
        expect(try third[0].heard().map(\.code) == ["limit"])
        #expect(first[0].isConnected && second[0].isConnected)
    }

    @Test("A client that was known by a token of HTTP keeps its place, and one whose next token is not known does not")
    func changes() throws {
        let daemon = try Self.daemon(places: 1)
        let web = WebClient(client: try daemon.onOneLoop(1) { try daemon.client() }[0])
        expect(try web.ask("GET /v1/channels", ["Authorization: Bearer right"]).status == 200)
        expect(try daemon.onOneLoop(1) { try daemon.client() }[0].heard().map(\.code) == ["limit"])
        expect(try web.ask("GET /v1/channels", ["Authorization: Bearer wrong"]).text == "")
        _ = try daemon.onOneLoop(1) { try Self.known(daemon) }
        #expect(!web.client.isConnected)
    }

    @Test("The body of a request to sign in has the time of a hello in all", arguments: [false, true])
    func slowBody(isRepeated: Bool) throws {
        let daemon = try Self.daemon()
        let web = try WebClient(daemon)
        let head = "POST /v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200\r\n\r\n"
        if isRepeated {
            // The head of the next request is known then.
            try web.say(head)
            expect(try web.say(String(repeating: " ", count: 200)).status == 400)
        }
        try web.say(head)
        for _ in 0..<9 {
            daemon.pass(milliseconds: 1_000)
            try web.say("1")
            #expect(web.client.isConnected)
        }
        daemon.pass(milliseconds: 3_000)
        #expect(!web.client.isConnected || web.client.handler.closing.isEnded)
        #expect(try web.heard().contains("408"))
    }
}
