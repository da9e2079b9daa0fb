import Expectations
import RacProtocol
import RacTesting
import Testing

@testable import RacHost

/// The index of the watched patterns finds what each pattern matches by itself.
@Suite struct PatternIndexTests {
    private static func segments(_ words: [String], _ random: inout SeededRandom) -> String {
        let count = Int.random(in: 1...5, using: &random)
        return (0..<count).map { _ in words.randomElement(using: &random) ?? "a" }.joined(separator: "/")
    }

    @Test("The patterns that match a name are found, each once, among any patterns")
    func random() throws {
        var random = SeededRandom.ofThisRun
        for _ in 0..<50 {
            let index = PatternIndex()
            var watched: [String: WatchedPattern] = [:]
            for step in 0..<80 {
                let text = Self.segments(["a", "b", "bb", "*", "**", "$a"], &random)
                if let known = watched.removeValue(forKey: text) {
                    index.remove(known)
                } else {
                    let pattern = try ChannelPattern(text)
                    let before = index.segmentCount
                    let growth = index.growth(by: pattern)
                    let new = WatchedPattern(id: WatchID(UInt64(step)), pattern: pattern, long: LongChange())
                    index.insert(new)
                    watched[text] = new
                    expect(index.segmentCount == before + growth)
                }
                let name = try ChannelName(Self.segments(["a", "b", "bb", "c", "$a"], &random))
                _ = index.find(name)
                let expected = watched.values.filter { $0.pattern.matches(name) }.map(\.pattern.text)
                expect(index.found.map(\.pattern.text).sorted() == expected.sorted(), Comment(rawValue: random.hint))
            }
            for pattern in watched.values { index.remove(pattern) }
            expect(index.segmentCount == 0)
        }
    }

    @Test("A walk visits each segment of the patterns once for each segment of the name at most")
    func visits() throws {
        let index = PatternIndex()
        for number in 0..<100 {
            let text = "**/" + Array(repeating: "a", count: 40).joined(separator: "/") + "/b\(number)/**/z"
            index.insert(
                WatchedPattern(id: WatchID(UInt64(number)), pattern: try ChannelPattern(text), long: LongChange())
            )
        }
        expect(index.segmentCount == 41 + 300)
        let name = try ChannelName(Array(repeating: "a", count: 121).joined(separator: "/"))
        #expect(index.find(name) <= 121 * 43)
        #expect(index.found.isEmpty)
    }
}
