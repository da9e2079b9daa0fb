import Expectations
import RacAccess
import RacProtocol
import RacTesting
import Testing

@Suite struct RightsTests {
    private static func patterns(_ texts: String...) throws -> [RulePattern] {
        try texts.map { text in try RulePattern(text) }
    }

    private static func kiosk() throws -> Rights {
        let role = AccessRole(
            name: "kiosk",
            grants: [
                .read: try Self.patterns("room/**", "$sys/version"),
                .write: try Self.patterns("room/*/wish", "status/{user}"),
                .exec: try Self.patterns("room/blink"),
            ],
            denied: try Self.patterns("room/safe/**")
        )
        return Rights(of: try PrincipalName("kiosk-7"), roles: [role])
    }

    @Test(
        "A verb is granted by a pattern of it, and by nothing else",
        arguments: [
            (Verb.read, "room/a", true), (.read, "room/a/wish", true), (.read, "hall", false),
            (.write, "room/a", false), (.write, "room/a/wish", true), (.write, "room/a/b/wish", false),
            (.write, "status/kiosk-7", true), (.write, "status/kiosk-8", false), (.write, "status/{user}", false),
            (.read, "room/safe/x", false), (.read, "room/safe", false), (.write, "room/safe/wish", false),
            (.exec, "room/blink", true), (.observe, "room/blink", false), (.host, "room/blink", false),
            (.read, "$sys/version", true), (.read, "$sys/epoch", false), (.admin, "a", false), (.lead, "room/a", false),
            (.manage, "room/a", false),
        ]
    )
    func granted(_ verb: Verb, _ name: String, _ isGranted: Bool) throws {
        expect(try Self.kiosk().allows(verb, try ChannelName(name)) == isGranted)
    }

    @Test("A verdict names its rule as the file has it")
    func told() throws {
        let kiosk = try Self.kiosk()
        expect(
            try kiosk.verdict(.write, ChannelName("status/kiosk-7"))
                == .granted(role: "kiosk", pattern: "status/{user}")
        )
        expect(try kiosk.verdict(.read, ChannelName("room/safe/x")) == .denied(role: "kiosk", pattern: "room/safe/**"))
        expect(try kiosk.verdict(.read, ChannelName("hall")) == .notGranted)
    }

    @Test("A denial of one role wins over the grants of another, in either order")
    func denials() throws {
        let all = AccessRole(name: "all", grants: [.read: try Self.patterns("**")])
        let denying = AccessRole(name: "denying", denied: try Self.patterns("a/{user}"))
        for roles in [[all, denying], [denying, all]] {
            let rights = Rights(of: try PrincipalName("u"), roles: roles)
            #expect(try !rights.allows(.read, ChannelName("a/u")))
            #expect(try rights.allows(.read, ChannelName("a/v")))
            #expect(!rights.readsAll)
        }
        #expect(Rights(of: try PrincipalName("u"), roles: [all]).readsAll)
    }

    @Test("A denial that the principal's name makes too long leaves it no rights, and a grant only itself")
    func tooLong() throws {
        let name = try PrincipalName(String(repeating: "u", count: 252))
        let all = AccessRole(name: "all", grants: [.read: try Self.patterns("**", "a/b/{user}")], isAdministrator: true)
        let denying = AccessRole(name: "denying", denied: try Self.patterns("{user}/**/x"))
        let granted = Rights(of: name, roles: [all])
        #expect(try granted.allows(.read, ChannelName("c")) && granted.isAdministrator)
        for roles in [[all, denying], [denying, all]] {
            let rights = Rights(of: name, roles: roles)
            #expect(try !rights.allows(.read, ChannelName("\(name)/x")))
            #expect(try !rights.allows(.read, ChannelName("$sys/epoch")))
            #expect(!rights.readsAll && !rights.isAdministrator)
        }
    }

    @Test("An administrator reads the daemon's own names, and no others by that")
    func administrator() throws {
        let rights = Rights(of: try PrincipalName("u"), roles: [AccessRole(name: "admin", isAdministrator: true)])
        #expect(try rights.allows(.read, ChannelName("$sys/epoch")))
        #expect(try rights.allows(.admin, ChannelName("a")))
        #expect(try !rights.allows(.write, ChannelName("$sys/epoch")))
        #expect(try !rights.allows(.read, ChannelName("a")))
    }

    @Test("A pattern that is none is refused", arguments: ["", "a//b", "a*", "a{user}", "{user", "{name}", "x/{}"])
    func badPattern(_ text: String) {
        #expect(throws: RuleError.self) { try RulePattern(text) }
    }

    @Test("Thousands of rule sets judge as a naive reading of the document does")
    func naive() throws {
        var random = SeededRandom.ofThisRun
        let segments = ["a", "b", "{user}", "*", "**"]
        let users = ["a", "b", "u"]
        func pattern(_ random: inout SeededRandom) -> String {
            (0..<Int.random(in: 1...3, using: &random)).map { _ in segments.randomElement(using: &random) ?? "a" }
                .joined(separator: "/")
        }
        for _ in 0..<3_000 {
            let user = users.randomElement(using: &random) ?? "u"
            var naive: [(verb: Verb?, pattern: String)] = []
            let roles = try (0..<Int.random(in: 0...3, using: &random)).map { index in
                var role = AccessRole(name: "r\(index)")
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    let (verb, text) = (Verb.allCases.dropLast().randomElement(using: &random), pattern(&random))
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        role.denied.append(try RulePattern(text))
                        naive.append((nil, text))
                    } else if let verb {
                        role.grants[verb, default: []].append(try RulePattern(text))
                        naive.append((verb, text))
                    }
                }
                return role
            }
            let rights = Rights(of: try PrincipalName(user), roles: roles)
            for _ in 0..<8 {
                let name = (0..<Int.random(in: 1...3, using: &random))
                    .map { _ in ["a", "b", "u"].randomElement(using: &random) ?? "a" }
                let matching = naive.filter {
                    Self.matches($0.pattern.split(separator: "/").map(String.init), name, user)
                }
                for verb in Verb.allCases.dropLast() {
                    let expected = matching.contains { $0.verb == verb } && !matching.contains { $0.verb == nil }
                    let channel = try ChannelName(name.joined(separator: "/"))
                    expect(rights.allows(verb, channel) == expected, "\(user), \(verb) \(channel): \(random.hint)")
                }
            }
        }
    }

    /// Whether a pattern matches, by recursion over its segments.
    private static func matches(_ pattern: [String], _ name: [String], _ user: String) -> Bool {
        guard let first = pattern.first else { return name.isEmpty }
        let rest = Array(pattern.dropFirst())
        if first == "**" { return (0...name.count).contains { matches(rest, Array(name.dropFirst($0)), user) } }
        guard let segment = name.first, first == "*" || segment == (first == "{user}" ? user : first) else {
            return false
        }
        return self.matches(rest, Array(name.dropFirst()), user)
    }
}
