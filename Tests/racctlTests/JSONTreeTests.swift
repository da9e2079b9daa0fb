import Expectations
import RacConnection
import RacProtocol
import Testing

@testable import racctl

@Suite struct JSONTreeTests {
    private func tree(_ text: String) throws -> JSONTree {
        try JSONTree(JSONText(text))
    }

    @Test(
        "Values are equal by their meaning",
        arguments: [
            ("1", "1.0"), ("1", "1e0"), ("100", "1E+2"), ("0.001", "1e-3"), ("0", "-0.0"), ("0e9", "0"),
            ("12345678901234567890", "1234567890123456789e1"), ("120.50", "1.205e2"),
            (#""a""#, #""\u0061""#), (#""😀""#, #""\ud83d\ude00""#), ("[1,2]", " [ 1.0 ,\n2 ] "),
            (#"{"a":1,"b":[{}]}"#, #"{ "b" : [ { } ], "\u0061" : 1.0 }"#), (#""\ud800""#, #""\ud800""#),
            ("true", "true"), ("null", " null "), ("[]", "[ ]"),
        ]
    )
    func equal(left: String, right: String) throws {
        expect(try self.tree(left) == self.tree(right))
    }

    @Test(
        "Values with another meaning are not equal",
        arguments: [
            ("1", "2"), ("1", "-1"), ("1", "10"), ("1", "\"1\""), ("0", "false"), ("null", "0"), ("[]", "{}"),
            ("12345678901234567890", "12345678901234567891"), ("0.1", "0.10000000000000000001"),
            (#""é""#, #""e\u0301""#), ("[1,2]", "[2,1]"), (#"{"a":1}"#, #"{"a":1,"b":1}"#),
        ]
    )
    func unequal(left: String, right: String) throws {
        #expect(try self.tree(left) != self.tree(right))
    }

    @Test("Numbers are ordered by value, however they are written and however large")
    func numbers() throws {
        let ordered = [
            "-1e400", "-12345678901234567891", "-12345678901234567890", "-20", "-3", "-0.5", "-1e-400", "0", "1e-400",
            "0.05", "0.5", "3", "9.99", "20", "12345678901234567890", "12345678901234567891", "1e400",
            "1e99999999999999999999",
        ]
        for (place, left) in ordered.enumerated() {
            for (otherPlace, right) in ordered.enumerated() {
                let isLess = try JSONTree.isLess(self.tree(left), than: self.tree(right))
                expect(isLess == (place < otherPlace), "\(left) < \(right)")
            }
        }
    }

    @Test("Strings are ordered by their bytes, and nothing else is ordered")
    func order() throws {
        expect(try JSONTree.isLess(self.tree(#""a""#), than: self.tree(#""b""#)) == true)
        expect(try JSONTree.isLess(self.tree(#""z""#), than: self.tree(#""é""#)) == true)
        for (left, right) in [("1", #""2""#), ("true", "false"), ("null", "null"), ("[1]", "[2]"), ("{}", "{}")] {
            expect(try JSONTree.isLess(self.tree(left), than: self.tree(right)) == nil)
        }
    }

    @Test("The deepest value that there is can be read")
    func deep() throws {
        let depth = JSONText.maximumDepth
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        expect(try self.tree(text) == self.tree(" " + text))
    }
}
