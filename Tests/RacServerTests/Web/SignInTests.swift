import NIOCore
import RacAccess
import RacProtocol
import Testing

@testable import RacServer

/// Requests to a closed daemon, and sessions of pages.
@Suite(.oneThreadAndThree) struct SignInTests {
    private static func policy(_ tokens: [String] = ["right"]) throws -> AccessPolicy {
        let role = AccessRole(name: "all", grants: [.read: [try RulePattern("**")], .write: [try RulePattern("a/**")]])
        let principals = try tokens.map { token in
            let hash = Principal.Token(hash: TokenHash(of: token))
            return Principal(name: try PrincipalName("p-\(token)"), roles: ["all"], tokens: [hash])
        }
        return try AccessPolicy(roles: [role], principals: principals)
    }

    private static func daemon() throws -> EmbeddedDaemon {
        let policy = try Self.policy(["right", "other"])
        return EmbeddedDaemon { $0.access = policy }
    }

    private static func bearer(_ token: String) -> [String] { ["Authorization: Bearer \(token)"] }

    @Test("A request needs a token, and does what its principal may")
    func tokens() throws {
        let daemon = try Self.daemon()
        let web = try WebClient(daemon)
        let none = try web.ask("GET /v1/channels/a/b")
        #expect(none.status == 401)
        #expect(none.header("WWW-Authenticate") == "Bearer")
        #expect(try web.ask("PUT /v1/channels/a/b", Self.bearer("right"), body: "1").status == 200)
        #expect(try web.ask("PUT /v1/channels/b", Self.bearer("right"), body: "1").status == 403)
        #expect(try web.ask("GET /v1/channels/a/b", Self.bearer("right")).header("Rac-By") == "p-right")
        #expect(try web.ask("GET /").status == 200)
    }

    @Test("Requests of one connection may be those of several principals")
    func principals() throws {
        let daemon = try Self.daemon()
        let web = try WebClient(daemon)
        for token in ["right", "other", "right"] {
            #expect(try web.ask("PUT /v1/channels/a/b", Self.bearer(token), body: "1").status == 200)
            #expect(try web.ask("GET /v1/channels/a/b", Self.bearer("right")).header("Rac-By") == "p-\(token)")
        }
    }

    @Test("A wrong token is refused a second later, and the connection ends")
    func guess() throws {
        let daemon = try Self.daemon()
        for (line, headers, body) in [
            ("GET /v1/channels", Self.bearer("wrong"), String?.none), ("POST /v1/session", [], #"{"token":"wrong"}"#),
            ("PUT /v1/channels/a", Self.bearer("wrong"), String(repeating: "1", count: 70_000)),
        ] {
            let web = try WebClient(daemon)
            #expect(try web.ask(line, headers, body: body).text == "")
            daemon.pass(milliseconds: 900)
            #expect(try web.heard() == "")
            daemon.pass(milliseconds: 200)
            let answer = WebClient.Answer(text: try web.heard())
            #expect(answer.status == 401)
            #expect(answer.header("Connection") == "close")
        }
    }

    @Test("A session stands for the token with which it began, in requests and WebSockets, until it ends")
    func session() throws {
        let daemon = try Self.daemon()
        let web = try WebClient(daemon)
        let begun = try web.ask("POST /v1/session", body: #"{"token":"right"}"#)
        #expect(begun.status == 204)
        let cookie = try #require(begun.header("Set-Cookie"))
        #expect(cookie.contains("; HttpOnly; SameSite=Strict; ") && !cookie.contains("Secure"))
        let headers = ["Cookie: x=1; \(cookie.prefix { $0 != ";" })"]
        #expect(
            try web.ask("GET /v1/session", headers).body == #"{"closed":true,"admitted":true,"principal":"p-right"}"#
                + "\n"
        )
        #expect(try web.ask("PUT /v1/channels/a/b", headers, body: "1").status == 200)
        let socket = try WebClient(daemon)
        #expect(try socket.ask("GET /rac", WebClient.upgrade + headers).status == 101)
        #expect(try socket.ask(message: #"{"op":"hello","version":1}"#).first?.contains("welcome") == true)
        #expect(
            try socket.ask(message: #"{"op":"get","id":1,"channel":"a/b"}"#).first?.contains(#""by":"p-right""#) == true
        )
        #expect(try web.ask("DELETE /v1/session", headers).status == 204)
        #expect(try web.ask("GET /v1/channels/a/b", headers).status == 401)
    }

    @Test("Other rules hold for sessions and streams that are there")
    func rules() throws {
        let daemon = try Self.daemon()
        let stream = try WebClient(daemon)
        _ = try stream.ask("GET /v1/watch", Self.bearer("right"))
        daemon.shell.take(try AccessPolicy(roles: [], principals: []))
        daemon.run()
        #expect(try stream.heard().contains(#"data: {"code":"unauthenticated""#))
    }
}
