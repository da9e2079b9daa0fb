import Expectations
import RacAccess
import RacProtocol
import RacTesting
import Testing

@testable import RacConfiguration

@Suite struct CoverageTests {
    @Test(
        "A pattern covers another one if it matches each name of that one",
        arguments: [
            ("a", "a", true), ("a/*", "a/b", true), ("a/**", "a/*/c", true), ("**", "a/{user}", true),
            ("*", "**", false),
            ("**", "**", true), ("a/**", "a", true), ("*/b", "a/*", false), ("**", "$sys/version", false),
            ("$sys/**", "$sys/version", true), ("a/*", "a/**", false), ("a/{user}", "a/b", false),
            ("a/b", "a/{user}", false),
        ]
    )
    func covers(one: String, other: String, isCovered: Bool) throws {
        expect(try RulePattern(one).covers(RulePattern(other)) == isCovered)
    }

    @Test("No name of a covered pattern is outside the covering one")
    func random() throws {
        var random = SeededRandom(seed: TestSeed.ofThisRun)
        let segments = ["a", "b", "*", "**", "$s"]
        func text(_ words: [String], _ count: Int) -> String {
            (0..<count).map { _ in words[Int.random(in: 0..<words.count, using: &random)] }.joined(separator: "/")
        }
        for _ in 0..<5000 {
            let (one, other) = (
                text(segments, Int.random(in: 1...3, using: &random)),
                text(segments, Int.random(in: 1...3, using: &random))
            )
            guard try RulePattern(one).covers(RulePattern(other)) else { continue }
            for _ in 0..<20 {
                let name = try ChannelName(text(["a", "b", "c", "$s"], Int.random(in: 1...4, using: &random)))
                guard try ChannelPattern(other).matches(name) else { continue }
                #expect(try ChannelPattern(one).matches(name), "\(one) covers \(other), not \(name)")
            }
        }
    }
}
