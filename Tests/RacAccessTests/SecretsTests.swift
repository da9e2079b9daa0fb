import Expectations
import Testing

@testable import RacAccess

@Suite struct SecretsTests {
    @Test(
        "A token is hidden whole, whatever mark or letter stands beside it",
        arguments: ["", "\u{D4E}"],
        ["", "\u{301}"]
    )
    func hidden(before: String, behind: String) {
        let token = "rac_" + String(repeating: "aB3-_xyZ", count: 5) + "123"
        expect(Secrets.hidden(in: "\(before)\(token)\(behind) x") == "\(before)rac_…\(behind) x")
        let jwt = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln"
        expect(Secrets.hidden(in: "\(before)\(jwt)\(behind) x") == "\(before)eyJ…\(behind) x")
    }
}
