import Expectations
import NIOHTTP1
import RacAccess
import RacWeb
import Testing

@Suite struct WebSessionsTests {
    private static func credentials(_ token: String) -> Credentials { Credentials(token: TokenHash(of: token)) }

    @Test("A principal that begins session after session ends its own oldest ones, and those of nobody else")
    func bound() {
        let sessions = WebSessions(mark: "0f")
        let other = sessions.begin(Self.credentials("other"), of: "other", at: 0)
        let own = (1...12_000).map { sessions.begin(Self.credentials("own"), of: "own", at: UInt64($0)) }
        expect(sessions.credentials(of: other, at: 12_000)?.token == TokenHash(of: "other"))
        let kept = own.suffix(WebSessions.maximumOfPrincipal)
        #expect(kept.allSatisfy { sessions.credentials(of: $0, at: 12_000)?.token == TokenHash(of: "own") })
        #expect(own.dropLast(kept.count).allSatisfy { sessions.credentials(of: $0, at: 12_000) == nil })
    }

    @Test("A session ends after 12 hours")
    func end() {
        let sessions = WebSessions(mark: "0f")
        let secret = sessions.begin(Self.credentials("own"), of: "own", at: 5)
        #expect(sessions.credentials(of: secret, at: 5 + WebSessions.lifetime - 1) != nil)
        #expect(sessions.credentials(of: secret, at: 5 + WebSessions.lifetime) == nil)
    }

    private static func request(_ cookies: String...) -> WebRequest {
        let headers = HTTPHeaders(cookies.map { ("cookie", $0) })
        return WebRequest(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: headers))
    }

    @Test("Each daemon has a cookie of its own, with the prefix of its host where the browser has TLS")
    func cookie() {
        let (one, other) = (WebSessions(mark: "0f").cookie, WebSessions(mark: "1e").cookie)
        let plain = one.header("s", lifetime: 9, isTLS: false, for: Self.request(), of: .own)
        #expect(plain == ("Set-Cookie", "rac_session_0f=s; Path=/; HttpOnly; SameSite=Strict; Max-Age=9"))
        for (isTLS, page) in [(true, WebRules.Page.own), (false, .configured("https://lab.example"))] {
            let secure = one.header("s", lifetime: 9, isTLS: isTLS, for: Self.request(), of: page).1
            expect(secure == "__Host-rac_session_0f=s; Path=/; HttpOnly; SameSite=Strict; Max-Age=9; Secure")
        }
        let http = one.header(
            "s",
            lifetime: 9,
            isTLS: false,
            for: Self.request(),
            of: .configured("http://lab.example")
        )
        #expect(http == plain)
        let both = Self.request("a=1; rac_session_0f=plain; rac_session_1e=other", "__Host-rac_session_0f=secure")
        #expect(one.secret(in: both, isTLS: false) == "secure" && other.secret(in: both, isTLS: false) == "other")
        // A page of plain HTTP can set its cookie for the whole host, so it counts for nothing over TLS.
        #expect(one.secret(in: both, isTLS: true) == "secure" && other.secret(in: both, isTLS: true) == nil)
        #expect(one.header("", lifetime: 0, isTLS: false, for: both, of: .own).1.hasPrefix("__Host-rac_session_0f=; "))
    }
}
