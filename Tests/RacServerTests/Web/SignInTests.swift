import Expectations
import NIOCore
import RacAccess
import RacHost
import RacProtocol
import RacTesting
import RacWeb
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
        expect(none.status == 401)
        expect(none.header("WWW-Authenticate") == "Bearer")
        expect(try web.ask("PUT /v1/channels/a/b", Self.bearer("right"), body: "1").status == 200)
        expect(try web.ask("PUT /v1/channels/b", Self.bearer("right"), body: "1").status == 403)
        expect(try web.ask("GET /v1/channels/a/b", Self.bearer("right")).header("Rac-By") == "p-right")
        expect(try web.ask("GET /").status == 200)
    }

    @Test("A value above the bound of a role is refused without Retry-After, because no wait mends it")
    func longValue() throws {
        var bounds = RoleBounds()
        bounds.valueBytes = 3
        let role = AccessRole(name: "all", grants: [.write: [try RulePattern("**")]], bounds: bounds)
        let policy = try AccessPolicy(roles: [role], principals: [], anonymousRoles: ["all"])
        let web = try WebClient(EmbeddedDaemon { $0.access = policy })
        expect(try web.ask("PUT /v1/channels/a", body: "123").status == 200)
        let refused = try web.ask("PUT /v1/channels/a", body: "1234")
        #expect(refused.status == 429 && refused.body.contains("value-bytes = 3"))
        expect(refused.header("Retry-After") == nil)
    }

    @Test("Requests of one connection may be those of several principals")
    func principals() throws {
        let daemon = try Self.daemon()
        let web = try WebClient(daemon)
        for token in ["right", "other", "right"] {
            expect(try web.ask("PUT /v1/channels/a/b", Self.bearer(token), body: "1").status == 200)
            expect(try web.ask("GET /v1/channels/a/b", Self.bearer("right")).header("Rac-By") == "p-\(token)")
        }
    }

    @Test("The bytes of an answer count for the principal whose answer it is, and not for the next one")
    func writtenBytes() throws {
        let daemon = try Self.daemon()
        let web = WebClient(client: try daemon.client(isAlone: true))
        let long = JSONText.filler(bytes: 100_000)
        expect(try web.ask("PUT /v1/channels/a/b", Self.bearer("right"), body: long).status == 200)
        let requests = ["right", "other"].map { WebClient.request("GET /v1/channels/a/b", Self.bearer($0)) }
        expect(try web.say(requests.joined()).text.ranges(of: "HTTP/1.1 200 OK").count == 2)
        expect(web.client.hosted?.outgoingBytes == 0)
    }

    @Test("A wrong token is refused a second later, and the connection ends")
    func guess() throws {
        let daemon = try Self.daemon()
        for (line, headers, body) in [
            ("GET /v1/channels", Self.bearer("wrong"), String?.none), ("POST /v1/session", [], #"{"token":"wrong"}"#),
            ("POST /v1/session", [], #"{"code":"wrong"}"#), ("POST /v1/session/code", Self.bearer("wrong"), nil),
            ("PUT /v1/channels/a", Self.bearer("wrong"), String(repeating: "1", count: 70_000)),
        ] {
            let web = try WebClient(daemon)
            expect(try web.ask(line, headers, body: body).text == "")
            daemon.pass(milliseconds: 900)
            expect(try web.heard() == "")
            daemon.pass(milliseconds: 200)
            let answer = WebClient.Answer(text: try web.heard())
            expect(answer.status == 401)
            expect(answer.header("Connection") == "close")
        }
    }

    @Test("A session stands for the token with which it began, in requests and WebSockets, until it ends")
    func session() throws {
        let daemon = try Self.daemon()
        let web = try WebClient(daemon)
        let begun = try web.ask("POST /v1/session", body: #"{"token":"right"}"#)
        expect(begun.status == 204)
        let cookie = try #require(begun.header("Set-Cookie"))
        #expect(cookie.contains("; HttpOnly; SameSite=Strict; ") && !cookie.contains("Secure"))
        let headers = ["Cookie: x=1; \(cookie.prefix { $0 != ";" })"]
        expect(
            try web.ask("GET /v1/session", headers).body == #"{"closed":true,"admitted":true,"principal":"p-right"}"#
                + "\n"
        )
        expect(try web.ask("PUT /v1/channels/a/b", headers, body: "1").status == 200)
        let socket = try WebClient(daemon)
        expect(try socket.ask("GET /rac", WebClient.upgrade + headers).status == 101)
        expect(try socket.ask(message: #"{"op":"hello","version":1}"#).first?.contains("welcome") == true)
        expect(
            try socket.ask(message: #"{"op":"get","id":1,"channel":"a/b"}"#).first?.contains(#""by":"p-right""#) == true
        )
        expect(try web.ask("DELETE /v1/session", headers).status == 204)
        expect(try web.ask("GET /v1/channels/a/b", headers).status == 401)
    }

    /// Asks for a one-time code with a token, and returns the body by which a page signs in.
    private static func code(_ token: String, _ daemon: EmbeddedDaemon) throws -> String {
        let answer = try WebClient(daemon).ask("POST /v1/session/code", Self.bearer(token))
        #expect(answer.status == 200 && answer.header("Cache-Control") == "no-store")
        let code = try #require(answer.body.firstMatch(of: /^{"code":"(rac_[\w-]{43})","seconds":60}\n$/)).output.1
        return #"{"code":"\#(code)"}"#
    }

    private static func cookie(_ answer: WebClient.Answer) throws -> [String] {
        ["Cookie: \(try #require(answer.header("Set-Cookie")).prefix { $0 != ";" })"]
    }

    @Test("A one-time code begins one session, which is that of the token")
    func code() throws {
        let daemon = try Self.daemon()
        let (first, second) = (try Self.code("right", daemon), try Self.code("other", daemon))
        let web = try WebClient(daemon)
        for (body, principal) in [(second, "p-other"), (first, "p-right")] {
            let begun = try web.ask("POST /v1/session", body: body)
            expect(begun.status == 204)
            let state = try web.ask("GET /v1/session", Self.cookie(begun)).body
            expect(state == #"{"closed":true,"admitted":true,"principal":"\#(principal)"}"# + "\n")
        }
        expect(try web.ask("POST /v1/session", body: first).text == "")
        daemon.pass(milliseconds: 1_100)
        expect(WebClient.Answer(text: try web.heard()).status == 401)
    }

    @Test("A one-time code is over after a minute")
    func lateCode() throws {
        let daemon = try Self.daemon()
        let (early, late) = (try Self.code("right", daemon), try Self.code("right", daemon))
        daemon.pass(milliseconds: 59_000)
        expect(try WebClient(daemon).ask("POST /v1/session", body: early).status == 204)
        daemon.pass(milliseconds: 1_100)
        let web = try WebClient(daemon)
        expect(try web.ask("POST /v1/session", body: late).text == "")
        daemon.pass(milliseconds: 1_100)
        expect(WebClient.Answer(text: try web.heard()).status == 401)
    }

    @Test("A code and its session end with the token that asked for them")
    func codeOfRevoked() throws {
        let daemon = try Self.daemon()
        let (used, unused) = (try Self.code("right", daemon), try Self.code("right", daemon))
        let web = try WebClient(daemon)
        let cookie = try Self.cookie(web.ask("POST /v1/session", body: used))
        expect(try web.ask("GET /v1/channels", cookie).status == 200)
        daemon.take(try Self.policy(["other"]))
        let next = try WebClient(daemon)
        expect(try next.ask("GET /v1/channels", cookie).status == 401)
        expect(try next.ask("POST /v1/session", body: unused).text == "")
        daemon.pass(milliseconds: 1_100)
        expect(WebClient.Answer(text: try next.heard()).status == 401)
    }

    @Test("A limited number of codes is made for a token, none for a session, and none is needed by an open daemon")
    func refusedCodes() throws {
        let daemon = try Self.daemon()
        let web = try WebClient(daemon)
        let cookie = try Self.cookie(web.ask("POST /v1/session", body: #"{"token":"right"}"#))
        expect(try web.ask("POST /v1/session/code", cookie).status == 401)
        for _ in 0..<SignInCodes.maximumOfPrincipal { _ = try Self.code("right", daemon) }
        let refused = try web.ask("POST /v1/session/code", Self.bearer("right"))
        #expect(refused.status == 429 && refused.body.contains(#""code":"limit""#))
        expect(refused.header("Retry-After") == "60")
        _ = try Self.code("other", daemon)
        daemon.pass(milliseconds: 60_000)
        _ = try Self.code("right", daemon)
        let anonymous = EmbeddedDaemon {
            $0.access = try? AccessPolicy(
                roles: [AccessRole(name: "all", grants: [:])],
                principals: [],
                anonymousRoles: ["all"]
            )
        }
        expect(try WebClient(anonymous).ask("POST /v1/session/code").status == 401)
        expect(try WebClient(EmbeddedDaemon()).ask("POST /v1/session/code").status == 204)
    }

    @Test(
        "A body without one token or one code signs nobody in",
        arguments: ["{}", "7", "{", #"{"token":7}"#, #"{"token":"right","code":"right"}"#, #"{"code":null}"#]
    )
    func body(_ body: String) throws {
        let answer = try WebClient(Self.daemon()).ask("POST /v1/session", body: body)
        #expect(answer.status == 400 && answer.header("Set-Cookie") == nil)
    }

    @Test("Other rules hold for sessions and streams that are there")
    func rules() throws {
        let daemon = try Self.daemon()
        let stream = try WebClient(daemon)
        _ = try stream.ask("GET /v1/watch", Self.bearer("right"))
        daemon.take(try AccessPolicy(roles: [], principals: []))
        #expect(try stream.heard().contains(#"data: {"code":"unauthenticated""#))
    }

    @Test(
        "A question for the state is refused with a wrong token, and without one the answer is that nobody is admitted"
    )
    func stateOfStranger() throws {
        let daemon = try Self.daemon()
        let nobody = try WebClient(daemon)
        let state = #"{"closed":true,"admitted":false}"# + "\n"
        expect(try nobody.ask("GET /v1/session").body == state)
        expect(try nobody.ask("GET /v1/session", ["Cookie: rac_session=over"]).body == state)
        let web = try WebClient(daemon)
        expect(try web.ask("GET /v1/session", Self.bearer("wrong")).text == "")
        daemon.pass(milliseconds: 1_100)
        let answer = WebClient.Answer(text: try web.heard())
        #expect(answer.status == 401 && answer.header("Connection") == "close")
        #expect(daemon.log.entries.contains { $0.contains("audit=unauthenticated") })
    }
}
