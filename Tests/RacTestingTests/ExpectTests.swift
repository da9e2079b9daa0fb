import Expectations
import Testing

@Suite struct ExpectTests {
    private struct Account: Equatable {
        var name: String
        var total: Int?
    }

    @Test("Values that differ are recorded with the comment, at the line of the comparison")
    func differ() {
        let line = #line + 3
        let text = #"Account(name: "a", total: nil) is not Account(name: "a", total: Optional(1)): after one write"#
        withKnownIssue {
            expect(Account(name: "a", total: nil) == Account(name: "a", total: 1), "after one write")
        } matching: { issue in
            issue.sourceLocation?.line == line && issue.sourceLocation?.fileName == "ExpectTests.swift"
                && issue.comments.map(\.rawValue) == [text]
        }
    }

    @Test("Values that are equal record nothing and leave the comment unmade")
    func equal() {
        func comment() -> Comment {
            Issue.record("the comment was made")
            return ""
        }
        expect([1, 2].map { $0 + 1 } == [2, 3], comment())
    }
}
