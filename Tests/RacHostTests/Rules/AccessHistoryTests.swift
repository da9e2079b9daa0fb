import Expectations
import RacAccess
import RacHost
import RacProtocol
import RacTesting
import Testing

/// Random histories of clients and rules, held against the plainest reading of protocol.md, "Access".
@Suite struct AccessHistoryTests {
    private static let names = ["a", "b", "a/x", "a/y", "u", "v"]
    private static let users = ["u", "v"]
    private static let patterns = ["a", "b", "a/*", "a/**", "**", "{user}", "a/x"]
    private static let verbs: [Verb] = [.read, .write, .lead, .manage, .host, .observe, .exec]

    /// The rules of one user, as the test reads them.
    private struct Naive {
        let user: String
        var grants: [Verb: [String]] = [:]
        var denied: [String] = []

        init(_ user: String, _ random: inout SeededRandom) {
            self.user = user
            for verb in AccessHistoryTests.verbs {
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    self.grants[verb, default: []].append(
                        AccessHistoryTests.patterns.randomElement(using: &random) ?? "a"
                    )
                }
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                self.denied.append(AccessHistoryTests.patterns.randomElement(using: &random) ?? "a")
            }
        }

        func allows(_ verb: Verb, _ name: String) -> Bool {
            !self.denied.contains { self.matches($0, name) }
                && (self.grants[verb] ?? []).contains { self.matches($0, name) }
        }

        private func matches(_ pattern: String, _ name: String) -> Bool {
            switch pattern {
            case "**": true
            case "a/**": name == "a" || name.hasPrefix("a/")
            case "a/*": name.hasPrefix("a/")
            case "{user}": name == self.user
            default: name == pattern
            }
        }
    }

    /// One user's client, with the names that its watch shows and the channels that it is bound to.
    private final class User {
        let name: String
        var client: Client
        var shown: Set<String> = []
        var bound: [TerminalID: (channel: String, role: Role)] = [:]

        init(_ name: String, _ client: Client) {
            self.name = name
            self.client = client
        }
    }

    private static func policy(_ rules: [Naive]) throws -> AccessPolicy {
        var made = Rules()
        for rule in rules { try made.add(rule.user, rule.grants, denied: rule.denied) }
        try made.addRoot()
        return try made.policy()
    }

    /// Takes the client's messages; checks each name and terminal that they contain.
    private static func hear(_ user: User, _ hint: String) -> [ServerMessage] {
        let messages = user.client.takeMessages()
        for message in messages {
            switch message {
            case .changed(let changed):
                if changed.state == nil {
                    #expect(user.shown.remove(changed.channel.text) != nil, "a name that was not shown: \(hint)")
                } else {
                    user.shown.insert(changed.channel.text)
                }
            case .ended(let terminal, _, _), .deleted(let terminal, _): user.bound[terminal] = nil
            case .next(let terminal, _): #expect(user.bound[terminal] != nil, "a value without a binding: \(hint)")
            default: break
            }
        }
        return messages
    }

    /// Makes a random request; returns the verbs that it needs, by the document.
    private static func ask(_ client: Client, _ name: String, _ random: inout SeededRandom) throws -> [Verb] {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: try client.get(name); return [.read]
        case 1, 2: try client.set(name, "1"); return [.write]
        case 3: try client.set(name, "2") { $0.role = .leading }; return [.lead]
        case 4: try client.put([(name, "3", nil)]); return [.write]
        case 5: try client.finish(name); return [.manage]
        case 6: try client.reopen(name); return [.manage]
        case 7: try client.delete(name); return [.manage]
        case 8:
            try client.bind(name) {
                $0.defaultValue = .text("4")
                $0.will = .value(.text("5"))
            }
            return [.read, .write]
        default:
            try client.bind(name) {
                $0.role = .leading
                $0.will = .end(.completed)
            }
            return [.lead, .manage]
        }
    }

    /// Notes a binding from the answer to the last request, and whether the request was forbidden.
    private static func note(_ messages: [ServerMessage], _ user: User, _ name: String) -> Bool {
        var isForbidden = false
        for message in messages {
            switch message {
            case .refused(_?, let refusal): isForbidden = refusal.error.code == "forbidden"
            case .reply(_, .bound(let bound)) where bound.state == .open:
                user.bound[bound.terminal] = (name, bound.terminal.number.isMultiple(of: 2) ? .leading : .following)
            default: break
            }
        }
        return isForbidden
    }

    @Test("Each client does what its rules grant, and learns nothing else, whatever it asks and the rules become")
    func histories() throws {
        var random = SeededRandom.ofThisRun
        for _ in TestEffort.rounds(40) {
            var rules = Self.users.map { Naive($0, &random) }
            let rig = Rig(access: try Self.policy(rules))
            let root = rig.connect(token: "root")
            let users = Self.users.map { User($0, rig.connect(token: $0)) }
            for user in users { try user.client.watch("**") }
            for step in 0..<60 {
                let hint = "step \(step), \(random.hint)"
                let name = Self.names.randomElement(using: &random) ?? "a"
                switch Int.random(in: 0..<12, using: &random) {
                case 0:
                    rules = Self.users.map { Naive($0, &random) }
                    let policy = try Self.policy(rules)
                    rig.tick { rig.host.take(policy) }
                case 1: try root.set(name, "0")
                case 2: try root.delete(name)
                default:
                    let index = Int.random(in: users.indices, using: &random)
                    let user = users[index]
                    _ = Self.hear(user, hint)
                    let needed = try Self.ask(user.client, name, &random)
                    let isAllowed = needed.allSatisfy { rules[index].allows($0, name) }
                    expect(Self.note(Self.hear(user, hint), user, name) == !isAllowed, "\(needed) of \(name): \(hint)")
                }
                try root.list()
                var there: Set<String> = []
                for case .reply(_, .listed(let listed)) in root.takeMessages() {
                    there.formUnion(listed.channels.map(\.channel.text))
                }
                for (user, rule) in zip(users, rules) {
                    _ = Self.hear(user, hint)
                    expect(user.shown == there.filter { rule.allows(.read, $0) }, "the watch of \(user.name): \(hint)")
                    for binding in user.bound.values {
                        let verb: Verb = binding.role == .leading ? .lead : .read
                        #expect(rule.allows(verb, binding.channel), "a binding to \(binding.channel): \(hint)")
                    }
                }
            }
        }
    }
}
