import Expectations
import RacProtocol
import RacTesting
import Testing

@testable import RacHost

@Suite struct SortedNamesTests {
    private static func names(_ sorted: SortedNames, _ pattern: String = "**", after: String? = nil) throws -> [String]
    {
        var names: [String] = []
        sorted.forEach(in: try ChannelPattern(pattern), after: try after.map(ChannelName.init)) {
            names.append($0.text)
            return true
        }
        return names
    }

    @Test("Names come in the order of their bytes, each once")
    func order() throws {
        var sorted = SortedNames(try ["b", "é", "a/b", "a", "Z"].map { try ChannelName($0) })
        sorted.insert(try ChannelName("b"))
        sorted.insert(try ChannelName("a b"))
        expect(try Self.names(sorted) == ["Z", "a", "a b", "a/b", "b", "é"])
        expect(sorted.count == 6)
    }

    @Test("Only names with the pattern's literal beginning are looked at, behind the one that is named")
    func range() throws {
        let sorted = SortedNames(try ["a", "h", "h/a", "h/b", "h/c", "i"].map { try ChannelName($0) })
        expect(try Self.names(sorted, "h/*") == ["h", "h/a", "h/b", "h/c"])
        expect(try Self.names(sorted, "h/*", after: "h/b") == ["h/c"])
        expect(try Self.names(sorted, "h/*", after: "a") == ["h", "h/a", "h/b", "h/c"])
        expect(try Self.names(sorted, "h/*", after: "i") == [])
        expect(try Self.names(sorted, after: "h/a0") == ["h/b", "h/c", "i"])
        expect(try Self.names(sorted, after: "z") == [])
    }

    @Test("A visit that returns false is the last one")
    func stop() throws {
        let sorted = SortedNames(try (0..<2_000).map { try ChannelName("n\($0)") })
        var count = 0
        sorted.forEach(in: .all, after: nil) { _ in
            count += 1
            return count < 700
        }
        expect(count == 700)
    }

    @Test("Thousands of names that come and go are kept in order")
    func random() throws {
        var random = SeededRandom.ofThisRun
        var expected = Set((0..<3_000).map { _ in "n/\(Int.random(in: 0..<8_000, using: &random))" })
        var sorted = SortedNames(try expected.map { try ChannelName($0) })
        for _ in TestEffort.rounds(5_000) {
            let name = "n/\(Int.random(in: 0..<8_000, using: &random))"
            if random.once(in: 2) {
                sorted.insert(try ChannelName(name))
                expected.insert(name)
            } else {
                sorted.remove(try ChannelName(name))
                expected.remove(name)
            }
        }
        expect(sorted.count == expected.count, Comment(rawValue: random.hint))
        let all = expected.sorted()
        expect(try Self.names(sorted) == all, Comment(rawValue: random.hint))
        for _ in 0..<50 {
            let last = "n/\(Int.random(in: 0..<8_000, using: &random))"
            let names = try Self.names(sorted, after: last)
            expect(names == all.filter { $0 > last }, Comment(rawValue: random.hint))
        }
    }

    @Test("Names that are all removed leave nothing behind")
    func empty() throws {
        let names = try (0..<3_000).map { try ChannelName("n\($0)") }
        var sorted = SortedNames(names)
        for name in names.reversed() { sorted.remove(name) }
        expect(sorted.count == 0)
        expect(try Self.names(sorted) == [])
        sorted.insert(names[0])
        expect(try Self.names(sorted) == ["n0"])
    }
}
