import Expectations
import RacAccess
import RacWeb
import Testing

/// The one-time codes of pages.
@Suite struct SignInCodesTests {
    private static let credentials = Credentials(certificate: "kiosk")

    @Test("A code works once, and stands for the credentials for which it was made")
    func once() {
        var codes = SignInCodes()
        let areKept = [
            codes.add("a", for: Self.credentials, of: "kiosk", at: 5),
            codes.add("b", for: Credentials(unixUser: 7), of: "user", at: 5),
        ]
        expect(areKept == [true, true])
        let used = [("c", 6), ("a", 6), ("a", 7), ("b", 7)].map { codes.use($0, at: $1) }
        expect(used.map { $0?.certificate } == [nil, "kiosk", nil, nil])
        expect(used.map { $0?.unixUser } == [nil, nil, nil, 7])
    }

    @Test("A code is over after a minute", arguments: [(59_999, true), (60_000, false), (UInt64.max, false)])
    func time(passed: UInt64, works: Bool) {
        var codes = SignInCodes()
        _ = codes.add("a", for: Self.credentials, of: "kiosk", at: 0)
        let used = codes.use("a", at: passed)
        expect((used != nil) == works)
    }

    @Test("A principal gets ten codes a minute, used ones too, and takes none from others")
    func boundOfPrincipal() {
        var codes = SignInCodes()
        for number in 0..<SignInCodes.maximumOfPrincipal {
            let isKept = codes.add("a\(number)", for: Self.credentials, of: "kiosk", at: 0)
            let used = codes.use("a\(number)", at: 0)
            #expect(isKept && used != nil)
        }
        let further = [("kiosk", 59_999), ("other", 59_999), ("kiosk", 60_000)].map { principal, time in
            codes.add(principal, for: Self.credentials, of: principal, at: time)
        }
        expect(further == [false, true, true])
    }

    @Test("Principals whose names differ by bytes alone have codes of their own")
    func boundByBytes() {
        var codes = SignInCodes()
        for number in 0..<SignInCodes.maximumOfPrincipal {
            _ = codes.add("a\(number)", for: Self.credentials, of: "\u{212A}", at: 0)
        }
        let areKept = ["\u{212A}", "K"].map { codes.add($0, for: Self.credentials, of: $0, at: 0) }
        expect(areKept == [false, true])
    }

    @Test("The table is full at a number of codes, and has room when a minute is over")
    func bound() {
        var codes = SignInCodes()
        for number in 0..<SignInCodes.maximumCount {
            let isKept = codes.add("\(number)", for: Self.credentials, of: "p\(number / 10)", at: 0)
            #expect(isKept)
        }
        let further = [1, 60_000].map { codes.add("more", for: Self.credentials, of: "new", at: $0) }
        expect(further == [false, true])
    }
}
