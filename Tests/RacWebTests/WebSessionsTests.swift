import RacAccess
import RacWeb
import Testing

@Suite struct WebSessionsTests {
    private static func credentials(_ token: String) -> Credentials { Credentials(token: TokenHash(of: token)) }

    @Test("A principal that begins session after session ends its own oldest ones, and those of nobody else")
    func bound() {
        let sessions = WebSessions()
        let other = sessions.begin(Self.credentials("other"), of: "other", at: 0)
        let own = (1...12_000).map { sessions.begin(Self.credentials("own"), of: "own", at: Int64($0)) }
        #expect(sessions.credentials(of: other, at: 12_000)?.token == TokenHash(of: "other"))
        let kept = own.suffix(WebSessions.maximumOfPrincipal)
        #expect(kept.allSatisfy { sessions.credentials(of: $0, at: 12_000)?.token == TokenHash(of: "own") })
        #expect(own.dropLast(kept.count).allSatisfy { sessions.credentials(of: $0, at: 12_000) == nil })
    }
}
