import Expectations
import RacConnection
import RacProtocol
import Testing

@testable import racctl

@Suite struct WaitExpressionTests {
    private static let values = [
        "20", "20.0", "19", "\"on\"", "\"42\"", "null", #"{"temp":21,"rooms":[{"name":"hall"}],"odd name":{"x.y":1}}"#,
    ]

    /// Which of the sample values an expression holds for.
    private func held(_ text: String) throws -> [String] {
        guard case .value(let comparison) = try WaitExpression(text) else { return [] }
        return try Self.values.filter { comparison.holds(for: try JSONText($0)) }
    }

    @Test(
        "An expression holds for the values that compare so",
        arguments: [
            ("20", ["20", "20.0"]), ("== 20", ["20", "20.0"]), ("  ==20 ", ["20", "20.0"]),
            (">= 20", ["20", "20.0"]), ("> 19", ["20", "20.0"]), ("<20", ["19"]), ("<= 19.0", ["19"]),
            ("on", ["\"on\""]), ("\"on\"", ["\"on\""]), ("== on", ["\"on\""]), ("42", []), ("\"42\"", ["\"42\""]),
            ("null", ["null"]), ("> \"43\"", ["\"on\""]), ("< 20", ["19"]),
            ("!= 20", Array(Self.values[2...])), ("!= null", Self.values.filter { $0 != "null" }),
            (".temp > 20", [Self.values[6]]), (".temp>20", [Self.values[6]]), (".temp == 20", []),
            (".rooms[0].name == hall", [Self.values[6]]), (".rooms[1].name != hall", []),
            (#"."odd name"."x.y" == 1"#, [Self.values[6]]),
            (#".["odd name"]["x.y"] == 1"#, [Self.values[6]]), (#".rooms[0]["name"] == hall"#, [Self.values[6]]),
            (".missing != 1", []), (".[0] == 1", []),
        ]
    )
    func holds(expression: String, values: [String]) throws {
        expect(try self.held(expression) == values)
    }

    @Test(
        "A word for a state is one, and the string is written with quotes",
        arguments: WaitExpression.Standing.allCases
    )
    func standing(standing: WaitExpression.Standing) throws {
        expect(try WaitExpression(standing.rawValue) == .standing(standing))
        guard case .value(let comparison) = try WaitExpression("\"\(standing.rawValue)\"") else {
            Issue.record("a string is a value")
            return
        }
        #expect(comparison.holds(for: .string(standing.rawValue)))
    }

    @Test(
        "A near miss of a state is refused, and other words are strings",
        arguments: [
            ("complete", "'completed'"), ("exist", "'exists'"), ("delete", "'deleted'"), ("Failed", "'failed'"),
            ("complted", "'completed'"), ("END", "'ended'"), ("mailed", nil), ("open", nil), ("done", nil),
            ("\"fail\"", nil),
        ] as [(String, String?)]
    )
    func nearMiss(word: String, meant: String?) throws {
        guard let meant else {
            _ = try WaitExpression(word)
            return
        }
        let error = #expect(throws: ExpressionError.self) { try WaitExpression(word) }
        expect(error?.description.contains(meant) == true)
    }

    @Test(
        "A text that is no expression is reported with what is right",
        arguments: [
            ("", "\"\""), ("=> 3", ">="), ("= 3", "=="), ("! 3", "!="), (".temp", "=="), (".temp 3", "=="),
            (">=", ">="),
            (". > 3", ".temp"), (".a..b > 3", ".temp"), ("< true", "number"), (">= {}", "number"),
            (".a[x] > 1", ".list[0]"),
            (".a[-1] > 1", ".list[0]"), (".a[1 > 1", ".list[0]"), (".\"a > 1", "no end"),
            (".[\"a\" > 1", "]"), (".[\"a > 1", "no end"),
        ]
    )
    func wrong(expression: String, help: String) {
        let error = #expect(throws: ExpressionError.self) { try WaitExpression(expression) }
        expect(error?.description.contains(help) == true, "\(String(describing: error))")
    }
}
