import Expectations
import RacProtocol
import RacTesting
import Testing

@Suite struct ChannelPatternTests {
    @Test(
        "A pattern matches whole names, segment by segment",
        arguments: [
            ("a", ["a"], ["b", "a/b", "aa"]),
            ("a/b", ["a/b"], ["a", "a/b/c", "b/a"]),
            ("*", ["a", "ü"], ["a/b", "$sys"]),
            ("*/*", ["a/b"], ["a", "a/b/c", "$sys/version"]),
            ("a/*", ["a/b", "a/$x"], ["a", "a/b/c", "b/b"]),
            ("*/b", ["a/b", "b/b"], ["b", "a/a/b", "$sys/b"]),
            ("a/*/c", ["a/b/c"], ["a/c", "a/b/b/c", "a/b/d"]),
            ("**", ["a", "a/b", "a/b/c"], ["$sys/version", "$"]),
            ("a/**", ["a", "a/b", "a/b/c"], ["b", "b/a", "ab"]),
            ("**/c", ["c", "a/c", "a/b/c", "c/c"], ["c/a", "a", "$sys/c"]),
            ("a/**/c", ["a/c", "a/b/c", "a/b/b/c", "a/c/c"], ["a", "c", "a/b", "b/a/c"]),
            ("a/**/b/**/c", ["a/b/c", "a/x/b/y/z/c", "a/b/b/c/c"], ["a/c", "a/b", "a/x/c", "b/c"]),
            ("**/*", ["a", "a/b"], ["$sys", "$sys/version"]),
            ("*/**", ["a", "a/b", "a/b/c"], ["$sys/version"]),
            ("**/**", ["a", "a/b"], ["$sys"]),
            ("a/**/**/b", ["a/b", "a/x/b"], ["a", "b"]),
            ("$sys/*", ["$sys/version"], ["$sys", "$sys/a/b", "sys/a"]),
            ("$sys/**", ["$sys", "$sys/version", "$sys/a/b"], ["a"]),
            ("caf\u{E9}", ["caf\u{E9}"], ["cafe\u{301}"]),
        ]
    )
    func matches(pattern: String, matching: [String], others: [String]) throws {
        let pattern = try ChannelPattern(pattern)
        for name in matching { #expect(try pattern.matches(ChannelName(name)), "\(pattern) matches \(name)") }
        for name in others { #expect(try !pattern.matches(ChannelName(name)), "\(pattern) does not match \(name)") }
    }

    @Test(
        "A star beside other characters, an empty segment, a control character and too many bytes are refused",
        arguments: [
            "", "/", "a/", "/a", "a//b", "a*", "*a", "a*b", "***", "a/***", "**a", "a/b*/c", "\u{0}", "a/\u{9B}",
            String(repeating: "a", count: 256),
        ]
    )
    func refused(text: String) {
        #expect(throws: NameError.self) { try ChannelPattern(text) }
    }

    @Test("Patterns are equal if their bytes are")
    func equality() throws {
        expect(try ChannelPattern("a/**") == ChannelPattern("a/**"))
        #expect(try ChannelPattern("a/*") != ChannelPattern("a/**"))
        #expect(try ChannelPattern("caf\u{E9}") != ChannelPattern("cafe\u{301}"))
        expect(try ChannelPattern("**") == .all)
        expect(try Set([ChannelPattern("**"), .all]).count == 1)
        expect(try ChannelPattern("a/*").description == "a/*")
    }

    @Test("Matching agrees with the definition for every pattern")
    func agreesWithDefinition() throws {
        var random = SeededRandom.ofThisRun
        for _ in 0..<5_000 {
            let pattern = Self.segments(of: ["a", "b", "*", "**", "**"], using: &random)
            let name = Self.segments(of: ["a", "b", "b"], using: &random)
            let matches = try ChannelPattern(pattern.joined(separator: "/"))
                .matches(ChannelName(name.joined(separator: "/")))
            expect(matches == Self.defined(pattern[...], name[...]), "\(pattern) and \(name), \(random.hint)")
        }
    }

    @Test("A pattern full of ** takes no exponential time")
    func hostilePattern() throws {
        // Trying every way to spread 128 segments over 50 stars would never end.
        let pattern = try ChannelPattern(Array(repeating: "**/a", count: 50).joined(separator: "/") + "/b")
        let name = try ChannelName(Array(repeating: "a", count: 128).joined(separator: "/"))
        #expect(!pattern.matches(name))
    }

    private static func segments(of words: [String], using random: inout SeededRandom) -> [String] {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in words.randomElement(using: &random) ?? "a" }
    }

    private static func defined(_ pattern: ArraySlice<String>, _ name: ArraySlice<String>) -> Bool {
        switch (pattern.first, name.first) {
        case (nil, nil): true
        case (nil, _): false
        case ("**", nil): Self.defined(pattern.dropFirst(), name)
        case ("**", _): Self.defined(pattern.dropFirst(), name) || Self.defined(pattern, name.dropFirst())
        case (_, nil): false
        case (let segment, let part):
            (segment == "*" || segment == part) && Self.defined(pattern.dropFirst(), name.dropFirst())
        }
    }
}
