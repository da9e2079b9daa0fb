import Expectations
import RacAccess
import RacHost
import RacProtocol
import Testing

/// The rights of clients of a closed daemon.
@Suite struct AccessTests {
    /// A closed daemon with root and one more principal, both connected.
    private static func closed(
        _ grants: [Verb: [String]],
        denied: [String] = []
    ) throws -> (rig: Rig, root: Client, user: Client) {
        var rules = Rules()
        try rules.addRoot()
        try rules.add("user", grants, denied: denied)
        let rig = Rig(access: try rules.policy())
        let (root, user) = (rig.connect(token: "root"), rig.connect(token: "user"))
        expect(root.take() + user.take() == [])
        return (rig, root, user)
    }

    @Test("A client that the rules do not know is refused and ended, and the open daemon asks nobody")
    func unknown() throws {
        let rig = Rig(access: try Rules().policy())
        for client in [rig.connect(), rig.connect(token: "guess")] {
            expect(client.take() == ["refused unauthenticated"])
            #expect(client.isEvicted)
        }
        let open = Rig().connect(token: "guess")
        #expect(open.take() == [] && !open.isEvicted)
    }

    /// Every request on a channel or a command, and the verb that it needs.
    private static let requests: [(verb: Verb, ask: @Sendable (Client, String) throws -> Void)] = [
        (.read, { try $0.get($1) }),
        (.read, { try $0.bind($1) }),
        (.read, { try $0.ask(.who(AskWho(channel: ChannelName($1)))) }),
        (.read, { try $0.put([($1, nil, 0)]) }),
        (.lead, { client, name in try client.bind(name) { $0.role = .leading } }),
        (.lead, { client, name in try client.set(name, "1") { $0.role = .leading } }),
        (.write, { try $0.set($1, "1") }),
        (.write, { try $0.put([($1, "1", nil)]) }),
        (.manage, { try $0.create($1) }),
        (.manage, { try $0.finish($1) }),
        (.manage, { try $0.reopen($1) }),
        (.manage, { try $0.delete($1) }),
        (.exec, { try $0.exec($1) }),
        (.observe, { try $0.observe($1) }),
        (.host, { try $0.host($1) }),
        (.host, { try $0.forget($1) }),
    ]

    @Test("Each request needs its verb for its name, and no other verb helps", arguments: Verb.allCases)
    func everyRequest(_ verb: Verb) throws {
        for (index, request) in Self.requests.enumerated() {
            for (pattern, denied) in [("mine/**", []), ("mine/x", []), ("**", []), ("**", ["mine/*"]), ("other/*", [])]
            {
                let (_, root, user) = try Self.closed([verb: [pattern]], denied: denied)
                try root.set("mine/x", "7")
                let isGranted = verb == request.verb && pattern != "other/*" && denied.isEmpty
                try request.ask(user, "mine/x")
                let answer = user.take().joined()
                expect(
                    answer.contains("forbidden") == !isGranted,
                    "request \(index) with \(verb) of \(pattern) without \(denied): \(answer)"
                )
            }
        }
    }

    @Test("A refusal does not reveal whether the name exists")
    func existence() throws {
        let (_, root, user) = try Self.closed([.read: ["mine/*"]])
        try root.set("theirs/there", "7")
        for request in Self.requests {
            try request.ask(user, "theirs/there")
            try request.ask(user, "theirs/none")
            let answers = user.takeMessages().map { message -> String in
                guard case .refused(_, let refusal) = message else { return message.brief }
                #expect(refusal.revision == nil && refusal.value == nil)
                return refusal.error.message.replacing("there", with: "none")
            }
            #expect(answers.count == 2 && answers[0] == answers[1])
        }
    }

    @Test("A value of the following side needs write, one of the leading side lead, an end manage")
    func sends() throws {
        let (_, root, user) = try Self.closed([.read: ["**"], .lead: ["mine", "led"], .write: ["mine", "written"]])
        for name in ["mine", "led", "written", "seen"] { try root.set(name, "0") }
        for name in ["mine", "written", "seen"] {
            let terminal = try user.bound(name)
            user.next(terminal, "1")
            expect(user.take().joined().contains("nak") == (name == "seen"), "\(name)")
            user.end(terminal)
            #expect(user.take().joined().contains("nak 2 forbidden"), "\(name)")
        }
        let terminal = try user.bound("led", .leading)
        user.next(terminal, "1")
        #expect(user.take().joined().contains("ack 1"))
        try user.bind("written") { $0.role = .leading }
        expect(user.take() == ["5 refused forbidden"])
    }

    @Test("A default and a will need what sending them would need")
    func defaultsAndWills() throws {
        let (_, _, user) = try Self.closed([.read: ["a", "b"], .write: ["b"]])
        try user.bind("a") { $0.defaultValue = .text("1") }
        try user.bind("a") { $0.will = .value(.text("1")) }
        try user.bind("b") { $0.will = .end(.completed) }
        expect(user.take() == ["1 refused forbidden", "2 refused forbidden", "3 refused forbidden"])
        try user.bind("b") {
            $0.defaultValue = .text("1")
            $0.will = .value(.text("2"))
        }
        expect(user.take() == ["4 bound t3@1 open shared n0 1"])
    }

    @Test("Lists and watches leave out the names that may not be read")
    func lists() throws {
        let (_, root, user) = try Self.closed([.read: ["mine/*"], .observe: ["mine/*"]], denied: ["mine/secret"])
        for name in ["mine/a", "mine/secret", "theirs"] {
            try root.set(name, "1")
            try root.host(name)
        }
        try user.list()
        try user.listCommands()
        try user.watch("**")
        let told = user.take()
        expect(told[0] == "1 listed mine/a@1")
        #expect(told[1].hasPrefix("2 commands mine/a:") && !told[1].contains("secret") && !told[1].contains("theirs"))
        expect(Array(told[2...]) == ["3 watching w1", "w1 mine/a@1 open 1", "w1 synced"])
        try root.put([("mine/a", "2", nil), ("mine/secret", "2", nil), ("theirs", "2", nil), ("mine/b", "2", nil)])
        expect(user.take() == ["w1 mine/a@4 open 2", "w1 mine/b@7 open 2"])
        for name in ["theirs", "mine/secret", "mine/a"] { try root.delete(name) }
        expect(user.take() == ["w1 mine/a@10 deleted"])
    }

    @Test("Clients with different rights watch one pattern, each with its own names")
    func sharedPattern() throws {
        var rules = Rules()
        try rules.addRoot()
        try rules.add("a", [.read: ["a/*", "both"]])
        try rules.add("b", [.read: ["b/*", "both"]])
        let rig = Rig(access: try rules.policy())
        let (root, a, b) = (rig.connect(token: "root"), rig.connect(token: "a"), rig.connect(token: "b"))
        for client in [root, a, b] {
            try client.watch("**")
            _ = client.take()
        }
        for name in ["a/x", "b/x", "both"] { try rig.connect(token: "root").set(name, "1") }
        expect(root.take() == ["w1 a/x@1 open 1", "w1 b/x@2 open 1", "w1 both@3 open 1"])
        expect(a.take() == ["w1 a/x@1 open 1", "w1 both@3 open 1"])
        expect(b.take() == ["w1 b/x@2 open 1", "w1 both@3 open 1"])
    }

    @Test(
        "All clients that may read the same names share the log of a pattern",
        arguments: [true, false]
    )
    func sharedLog(_ readTheSame: Bool) throws {
        var rules = Rules()
        try rules.add("a", [.read: ["room/*"]])
        try rules.add("b", [.read: [readTheSame ? "room/*" : "room/1"], .write: ["**"]])
        var limits = Limits()
        limits.watchedPatterns = 1
        let rig = Rig(limits: limits, access: try rules.policy())
        let (a, b) = (rig.connect(token: "a"), rig.connect(token: "b"))
        try a.watch("**")
        try b.watch("**")
        expect(a.take() == ["1 watching w1", "w1 synced"])
        expect(b.take() == (readTheSame ? ["1 watching w1", "w1 synced"] : ["1 refused limit"]))
    }

    @Test("A conflict or an end reveals its facts to readers only")
    func refusals() throws {
        let (_, root, user) = try Self.closed([.write: ["**"], .manage: ["**"], .lead: ["**"]])
        try root.set("x", "\"secret\"")
        try user.set("x", "1") {
            $0.condition = Revision(7)
            $0.role = .leading
        }
        try root.finish("x")
        try user.set("x", "1")
        try user.finish("x")
        expect(
            user.take() == [
                "1 refused conflict", "2 refused terminated", "3 refused terminated",
            ]
        )
        try root.set("x", "1") { $0.condition = Revision(7) }
        expect(root.take().last == "3 refused terminated@1=\"secret\"")
    }

    @Test(
        "No condition and no guard of a put reveals a revision that may not be read",
        arguments: [1, 7]
    )
    func conditions(_ guessed: UInt64) throws {
        let (_, root, user) = try Self.closed([.write: ["x", "y"], .read: ["y"]])
        try root.set("x", "1")
        try user.set("x", "2") { $0.condition = Revision(guessed) }
        try user.put([("x", "2", guessed), ("y", nil, 7)])
        try user.put([("y", "2", 0), ("x", nil, guessed)])
        expect(user.take() == ["1 refused forbidden", "2 refused forbidden index 0", "3 refused forbidden index 1"])
        try user.set("y", "2") { $0.condition = .never }
        expect(user.take() == ["4 rev 2"])
    }

    @Test("A send without a binding learns nothing of a channel that may not be read")
    func unboundSends() throws {
        let (_, root, user) = try Self.closed([.write: ["**"]])
        let terminal = try root.bound("x")
        try root.set("x", "1")
        user.next(terminal, "2")
        try root.finish("x")
        user.next(terminal, "3")
        expect(user.take() == ["t\(terminal) nak 1 not-bound", "t\(terminal) nak 2 not-bound"])
    }

    @Test("A leading client that may not read learns how the channel stands from the refusal of its send")
    func leadingWithoutRead() throws {
        var rules = Rules()
        try rules.addRoot()
        try rules.add("user", [.lead: ["x"]])
        let rig = Rig(isStored: true, access: try rules.policy())
        let (root, user) = (rig.connect(token: "root"), rig.connect(token: "user"))
        let t = try user.bound("x", .leading)
        user.next(t, "1")
        _ = user.take()
        rig.fail("full")
        user.next(t, "2", sync: true)
        try user.get("x")
        expect(user.take() == ["t\(t) nak 2 storage@1=1", "2 refused forbidden"])
        try root.set("x", "3")
        expect(user.take() == ["t\(t) next 3@2"])
    }

    @Test("A write that changes nothing reveals no revision to a client that may not read")
    func unchanged() throws {
        let (_, root, user) = try Self.closed([.write: ["**"], .manage: ["**"]])
        try root.set("x", "1")
        try user.reopen("x")
        try user.set("x", "0") { $0.cause = Revision(1) }
        expect(user.take() == ["1 rev 0", "2 rev 0"])
    }

    @Test("A put is refused whole, with the first entry that is not allowed")
    func puts() throws {
        let (_, root, user) = try Self.closed([.write: ["mine/*"], .read: ["mine/*"]])
        try user.put([("mine/a", "1", nil), ("theirs", "1", nil), ("mine/b", "1", nil)])
        expect(user.take() == ["1 refused forbidden index 1"])
        try root.list()
        expect(root.take() == ["1 listed "])
    }

    @Test("Only an administrator lists the connections, and reads the daemon's own names without a pattern")
    func administrators() throws {
        let (rig, root, user) = try Self.closed([.read: ["**", "$sys/version"]])
        rig.tick { rig.host.refreshFigures([(name: "version", value: .string("v"))]) }
        user.ask(.who(AskWho(channel: nil)))
        try user.get("$sys/version")
        try user.get("$sys/channels")
        try user.list("$sys/*")
        expect(
            user.take() == [
                "1 refused forbidden", "2 got@1 open shared \"v\"", "3 refused forbidden", "4 listed $sys/version@1",
            ]
        )
        root.ask(.who(AskWho(channel: nil)))
        try root.get("$sys/channels")
        #expect(!root.take().joined().contains("forbidden"))
    }

    @Test("A session belongs to the principal that began it")
    func sessions() throws {
        var rules = Rules()
        try rules.add("a", [.read: ["**"], .write: ["**"]])
        try rules.add("b", [.read: ["**"], .write: ["**"]])
        let rig = Rig(access: try rules.policy())
        let a = rig.connect(session: "s", token: "a")
        let thief = rig.connect(session: "s", token: "b")
        #expect(thief.take() == ["refused forbidden"] && thief.isEvicted)
        #expect(a.take() == [] && !a.isEvicted)
        thief.lose()
        let terminal = try a.bound("x")
        a.next(terminal, "1")
        a.lose()
        expect(rig.connect(session: "s", token: "b").take() == ["refused forbidden"])
        let again = rig.connect(session: "s", token: "a")
        try again.bind("x")
        #expect(again.take().joined().contains("n1"))
    }

    @Test("The newest change of a channel names its principal, whatever the change")
    func writer() throws {
        let (rig, root, user) = try Self.closed([.read: ["**"], .write: ["**"], .lead: ["**"]])
        func by() throws -> String? {
            try root.get("x")
            for case .reply(_, .got(let got)) in root.takeMessages() { return got.by }
            return nil
        }
        try user.set("x", "1")
        expect(try by() == "user")
        try root.put([("x", "2", nil)])
        expect(try by() == "root")
        let terminal = try user.bound("x", will: .value(.text("9")))
        user.next(terminal, "3")
        expect(try by() == "user")
        try root.finish("x")
        expect(try by() == "root")
        try root.reopen("x")
        let again = rig.connect(token: "user")
        try again.bound("x", will: .value(.text("9")))
        again.lose()
        expect(try by() == "user")
        try root.list()
        for case .reply(_, .listed(let listed)) in root.takeMessages() { expect(listed.channels[0].by == "user") }
    }
}
