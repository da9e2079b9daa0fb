import Expectations
import RacAccess
import RacHost
import RacProtocol
import Testing

/// Rules that change while clients are connected.
@Suite struct AccessChangeTests {
    private static func rules(
        _ grants: [Verb: [String]],
        denied: [String] = [],
        expiresAt: Int64? = nil
    ) throws -> AccessPolicy {
        var rules = Rules()
        try rules.addRoot()
        try rules.add("user", grants, denied: denied, expiresAt: expiresAt)
        return try rules.policy()
    }

    /// The rules without the user, whose token is that of an heir who may write everything, or nobody's.
    private static func withoutUser(hasHeir: Bool = false) throws -> AccessPolicy {
        var rules = Rules()
        try rules.addRoot()
        if hasHeir { try rules.add("heir", [.write: ["**"]], token: "user") }
        return try rules.policy()
    }

    private static func rig(_ grants: [Verb: [String]]) throws -> (rig: Rig, root: Client, user: Client) {
        let rig = Rig(access: try Self.rules(grants))
        return (rig, rig.connect(token: "root"), rig.connect(token: "user"))
    }

    @Test("A binding that is not allowed any more ends for its client alone; the others go on")
    func bindings() throws {
        let (rig, root, user) = try Self.rig([.read: ["**"], .write: ["**"]])
        let theirs = try root.bound("x")
        try user.bound("x")
        let kept = try user.bound("y")
        try rig.tick { rig.host.take(try Self.rules([.read: ["y"]])) }
        expect(user.take() == ["t\(theirs) error forbidden"])
        #expect(root.take() == [] && !user.isEvicted)
        user.next(kept, "1")
        expect(user.take() == ["t\(kept) nak 1 forbidden"])
        try root.set("y", "2")
        expect(user.take() == ["t\(kept) next 2@1"])
    }

    @Test("A watch reports disappearing names as deleted, and appearing ones as new")
    func watches() throws {
        let (rig, root, user) = try Self.rig([.read: ["a", "b"]])
        for name in ["a", "b", "c", "d"] { try root.set(name, "1") }
        try user.watch("**")
        expect(user.take() == ["1 watching w1", "w1 a@1 open 1", "w1 b@2 open 1", "w1 synced"])
        try rig.tick { rig.host.take(try Self.rules([.read: ["b", "c"]])) }
        expect(user.take() == ["w1 a@1 deleted", "w1 c@3 open 1"])
        for name in ["a", "b", "c", "d"] { try root.set(name, "2") }
        expect(user.take() == ["w1 b@6 open 2", "w1 c@7 open 2"])
        try rig.tick { rig.host.take(try Self.rules([.read: ["**"]], denied: ["b"])) }
        expect(user.take() == ["w1 a@5 open 2", "w1 b@6 deleted", "w1 d@8 open 2"])
        rig.tick { rig.host.take(nil) }
        expect(user.take() == ["w1 b@6 open 2"])
    }

    @Test("A watch that has not come to its end reports each name by the newest rules")
    func watchUnderWay() throws {
        let (rig, root, user) = try Self.rig([.read: ["**"]])
        for number in 100..<200 { try root.set("n/\(number)", "1") }
        user.reads(false)
        try user.watch("**")
        try rig.tick { rig.host.take(try Self.rules([.read: ["n/150", "n/152"]])) }
        try rig.tick { rig.host.take(try Self.rules([.read: ["n/150", "n/151"]])) }
        user.reads(true)
        var shown: Set<String> = []
        for case .changed(let changed) in user.takeMessages() {
            if changed.state == nil { shown.remove(changed.channel.text) } else { shown.insert(changed.channel.text) }
        }
        expect(shown == ["n/150", "n/151"])
    }

    @Test("A watch that lags behind two changes of the rules reports each name by the last ones")
    func watchBetweenChanges() throws {
        var limits = Limits()
        (limits.unitsPerTurn, limits.unitsPerConnection) = (100, 25)
        let rig = Rig(limits: limits, access: try Self.rules([.read: ["**"]]))
        let (root, user) = (rig.connect(token: "root"), rig.connect(token: "user"))
        for number in 100..<130 { try root.set("n/\(number)", "1") }
        try user.watch("**")
        var shown = Self.shown(user, [])
        expect(shown.count == 30)
        // The walk is under way when the rules change again.
        try rig.firstOfTicks { rig.host.take(try Self.rules([:])) }
        for _ in 0..<5 { rig.firstOfTicks {} }
        try rig.tick { rig.host.take(try Self.rules([.read: ["**"]])) }
        shown = Self.shown(user, shown)
        expect(shown.count == 30)
    }

    @Test("A channel that a watch may not show any more is reported as deleted, also if it is deleted first")
    func watchAndDeletion() throws {
        let (rig, root, user) = try Self.rig([.read: ["**"]])
        for name in ["a", "b"] { try root.set(name, "1") }
        try user.watch("**")
        var shown = Self.shown(user, [])
        user.reads(false)
        try rig.tick { rig.host.take(try Self.rules([.read: ["b"]])) }
        try root.delete("a")
        user.reads(true)
        shown = Self.shown(user, shown)
        expect(shown == ["b"])
    }

    @Test("A watch reports neither a channel that was made after it was forbidden, nor newer revisions")
    func watchAndLaterChanges() throws {
        let (rig, root, user) = try Self.rig([.read: ["**"]])
        try root.set("a", "1")
        try user.watch("**")
        _ = user.take()
        user.reads(false)
        try root.bound("b")
        try rig.tick { rig.host.take(try Self.rules([:])) }
        try root.set("a", "2")
        try root.set("b", "2")
        user.reads(true)
        expect(user.take() == ["w1 a@1 deleted"])
    }

    /// The channels that a watch shows after its client's messages.
    private static func shown(_ user: Client, _ before: Set<String>) -> Set<String> {
        var shown = before
        for case .changed(let changed) in user.takeMessages() {
            if changed.state == nil { shown.remove(changed.channel.text) } else { shown.insert(changed.channel.text) }
        }
        return shown
    }

    /// A client with rights to all names whose lists are under way: it does not read, and a turn has room for few names.
    private static func listing(closed: Bool = true) throws -> (rig: Rig, user: Client) {
        var limits = Limits()
        (limits.unitsPerConnection, limits.unitsOfShortList) = (160, 0)
        let access = try Self.rules([.read: ["**"], .observe: ["**"]])
        let rig = Rig(limits: limits, access: closed ? access : nil)
        let (root, user) = (rig.connect(token: "root"), rig.connect(token: "user"))
        for number in 100..<150 {
            try root.set("n/\(number)", "1")
            try root.host("n/\(number)")
        }
        user.reads(false)
        try user.list()
        try user.listCommands()
        return (rig, user)
    }

    @Test(
        "A list under way has the names of the new rules, whether they were found before the rules changed or after",
        arguments: [false, true]
    )
    func listUnderWay(closed: Bool) throws {
        let (rig, user) = try Self.listing(closed: closed)
        let names = ["n/101", "n/148"]
        try rig.tick { rig.host.take(try Self.rules([.read: names, .observe: names])) }
        user.reads(true)
        var (channels, commands): ([String], [String]) = ([], [])
        for message in user.takeMessages() {
            switch message {
            case .reply(_, .listed(let listed)): channels = listed.channels.map(\.channel.text)
            case .reply(_, .commands(let listed)): commands = listed.commands.map(\.command.name.text)
            default: Issue.record("the client heard \(message.brief)")
            }
        }
        #expect(channels == names && commands == names)
    }

    @Test("A client whose principal goes gets no list that is under way")
    func goneWhileListing() throws {
        let (rig, user) = try Self.listing()
        let without = try Self.withoutUser()
        rig.tick { rig.host.take(without) }
        user.reads(true)
        #expect(user.take() == ["refused unauthenticated"] && user.isEvicted)
    }

    @Test("A client that says bye and waits for the disk gets nothing that the rules forbid meanwhile")
    func leaving() throws {
        let rig = Rig(isStored: true, access: try Self.rules([.read: ["**"], .write: ["x"]]))
        let (root, user) = (rig.connect(token: "root"), rig.connect(token: "user"))
        let terminal = try user.bound("x")
        try user.bound("y")
        user.next(terminal, "1", sync: true)
        user.say(.bye)
        _ = user.take()
        try rig.tick { rig.host.take(try Self.rules([.write: ["x"]])) }
        try root.set("y", "2")
        #expect(!user.take().joined().contains("2@"))
    }

    @Test("A client whose principal goes gets no value of the same tick")
    func goneInTheTick() throws {
        let (rig, root, user) = try Self.rig([.read: ["**"]])
        try user.bound("x")
        let without = try Self.withoutUser()
        rig.firstOfTicks { rig.host.take(without) }
        try rig.firstOfTicks { try root.set("x", "1") }
        #expect(user.take() == ["refused unauthenticated"] && user.isEvicted)
    }

    @Test("Behind its refusal a principal that is gone gets nothing of commands, and hosts none")
    func goneWithCommands() throws {
        let (rig, root, user) = try Self.rig([.exec: ["**"], .observe: ["**"], .host: ["**"]])
        for command in ["called", "watched"] { try root.host(command, concurrent: true) }
        try user.host("hosted")
        try user.exec("called")
        try user.observe("watched")
        _ = root.take() + user.take()
        let without = try Self.withoutUser()
        rig.firstOfTicks { rig.host.take(without) }
        try rig.tick {
            root.progress(1, "1")
            try root.exec("watched")
            try root.exec("hosted", "\"secret\"")
        }
        #expect(user.take() == ["refused unauthenticated"] && user.isEvicted)
        user.reads(true)
        root.settle(2, error: "broken")
        expect(user.take() == [])
        let told = root.take()
        #expect(told.contains("cancel x1"))
        #expect(told.contains { $0.hasSuffix("refused not-hosted") } || told.contains("x3 error host-lost"))
        user.lose()
        expect(root.take() == [])
    }

    @Test("A commit in the tick of its refusal answers no send of a principal that is gone")
    func goneWithCommit() throws {
        let rig = Rig(isStored: true, access: try Self.rules([.read: ["**"], .write: ["x"]]))
        let user = rig.connect(token: "user")
        let terminal = try user.bound("x")
        user.next(terminal, "1", sync: true)
        expect(user.take() == [])
        let without = try Self.withoutUser()
        rig.firstOfTicks { rig.host.take(without) }
        rig.firstOfTicks { rig.commit() }
        expect(user.take() == ["refused unauthenticated"])
    }

    @Test("Rules that are the same again change nothing")
    func same() throws {
        let (rig, root, user) = try Self.rig([.read: ["**"]])
        try root.set("a", "1")
        try user.watch("**")
        try user.bound("a")
        _ = user.take()
        for _ in 0..<50 { try rig.tick { rig.host.take(try Self.rules([.read: ["**"]])) } }
        expect(user.take() == [])
        try root.set("a", "2")
        expect(user.take() == ["t3 next 2@2", "w1 a@2 open 2"])
    }

    @Test("A principal that is gone is notified, and its connection ends; a will of it is not applied")
    func gone() throws {
        let (rig, root, user) = try Self.rig([.read: ["**"], .write: ["**"]])
        try user.bound("x", will: .value(.text("9")))
        let without = try Self.withoutUser()
        rig.tick { rig.host.take(without) }
        #expect(user.take() == ["refused unauthenticated"] && user.isEvicted)
        user.lose()
        try root.get("x")
        expect(root.take() == ["1 refused no-such-channel"])
    }

    @Test("The will of a slow principal that is gone is not applied, though another one has its token")
    func goneAndSlow() throws {
        var limits = Limits()
        limits.queuedBytesPerBinding = 100
        let rig = Rig(limits: limits, access: try Self.rules([.read: ["**"], .write: ["**"]]))
        let (root, user) = (rig.connect(token: "root"), rig.connect(token: "user"))
        try user.bound("x", will: .value(.text("9")), conflate: false)
        let terminal = try root.bound("x")
        user.reads(false)
        for number in 1...9 { root.next(terminal, "\"something \(number)\"") }
        let others = try Self.withoutUser(hasHeir: true)
        rig.tick { rig.host.take(others) }
        _ = root.take()
        user.lose()
        expect(root.take() == [])
    }

    @Test("The will of a lost client is not applied as another principal, which has its token now")
    func inherited() throws {
        let (rig, root, user) = try Self.rig([.read: ["**"], .write: ["**"]])
        try user.bound("x", will: .value(.text("9")))
        let others = try Self.withoutUser(hasHeir: true)
        // The loss comes before the rules have judged the connection.
        rig.tick {
            rig.host.take(others)
            user.lose()
        }
        try root.get("x")
        expect(root.take() == ["1 refused no-such-channel"])
    }

    @Test("A will is judged by the rules of the time when it is applied")
    func wills() throws {
        let (rig, root, user) = try Self.rig([.read: ["**"], .write: ["**"]])
        try user.bound("x", will: .value(.text("9")))
        try rig.tick { rig.host.take(try Self.rules([.read: ["**"]])) }
        user.lose()
        try root.get("x")
        expect(root.take() == ["1 refused no-such-channel"])
    }

    @Test("The time of a token ends its connection")
    func expiry() throws {
        let rig = Rig(access: try Self.rules([.read: ["**"]], expiresAt: 5_000))
        let user = rig.connect(token: "user")
        rig.tick(after: 3_999) { rig.host.endExpired() }
        #expect(user.take() == [] && !user.isEvicted)
        rig.tick(after: 1) { rig.host.endExpired() }
        #expect(user.take() == ["refused unauthenticated"] && user.isEvicted)
        expect(rig.connect(token: "user").take() == ["refused unauthenticated"])
    }

    @Test("An execution that its caller may not begin any more ends for the caller, and its host is asked to cancel")
    func executions() throws {
        let (rig, root, user) = try Self.rig([.exec: ["a", "b"]])
        try root.host("a")
        try root.host("b")
        try user.exec("a")
        try user.exec("b")
        _ = user.take() + root.take()
        try rig.tick { rig.host.take(try Self.rules([.exec: ["b"]])) }
        expect(user.take() == ["x1 error forbidden"])
        expect(root.take() == ["cancel x1"])
        root.progress(1, "1")
        root.progress(2, "2")
        root.settle(1)
        expect(user.take() == ["x2 next 2"])
    }

    @Test(
        "A hosted command that is not allowed any more loses its host, which is notified; an observer sees it disabled"
    )
    func commands() throws {
        let (rig, root, user) = try Self.rig([.host: ["h"], .observe: ["o"]])
        try user.host("h")
        try root.host("o")
        try user.observe("o")
        try root.observe("h")
        _ = user.take() + root.take()
        try rig.tick { rig.host.take(try Self.rules([:])) }
        expect(root.take() == ["c1 disabled idle"])
        expect(user.take() == ["c1 unhosted forbidden", "c2 disabled idle"])
        try root.exec("h")
        expect(root.take() == ["3 refused not-hosted"])
    }

    @Test("A host that has been judged ends no execution any more, and brings no value of one")
    func hostedExecutions() throws {
        let (rig, root, user) = try Self.rig([.host: ["h"]])
        try user.host("h")
        try root.exec("h")
        _ = root.take()
        rig.host.take(try Self.rules([:]))
        rig.tick {
            user.progress(1, "1")
            user.settle(1)
        }
        expect(root.take() == ["x1 error host-lost"])
    }

    @Test("A daemon that closes keeps the clients that the rules accept, and one that opens keeps all")
    func openAndClose() throws {
        let rig = Rig()
        let (user, nobody) = (rig.connect(token: "user"), rig.connect())
        try user.bound("x")
        try nobody.bound("x")
        try rig.tick { rig.host.take(try Self.rules([.read: ["x"]])) }
        #expect(user.take() == [] && nobody.take() == ["refused unauthenticated"])
        rig.tick { rig.host.take(nil) }
        try user.set("anything", "1")
        expect(user.take() == ["2 rev 1"])
    }
}
