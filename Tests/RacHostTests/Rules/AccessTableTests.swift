import Expectations
import Foundation
import RacAccess
import RacHost
import RacProtocol
import Testing

/// The table of operations and verbs in protocol.md, and what the host demands.
@Suite struct AccessTableTests {
    /// A row of the table.
    private struct Row {
        /// The operations as the table lists them.
        let text: String
        let words: Set<String>
        let verbs: Set<Verb>
        let needsNothing: Bool

        init(cells: [String]) {
            func words(_ cell: String) -> [String] { cell.matches(of: /`([^`]+)`/).map { String($0.output.1) } }
            self.text = cells[0]
            self.words = Set(words(cells[0]))
            self.verbs = Set(words(cells[1]).compactMap(Verb.init))
            self.needsNothing = cells[1].hasPrefix("nothing")
        }
    }

    /// A question of a client, and the rows that say what it needs; the answer shows whether the client may.
    private struct Probe: Sendable {
        let rows: [String]
        let isAllowed: @Sendable (Client) throws -> Bool

        /// A request that is refused without a verb of the rows.
        static func request(_ rows: String..., ask: @escaping @Sendable (Client) throws -> Void) -> Probe {
            Probe(rows: rows) { client in
                try ask(client)
                return !client.take().joined().contains("forbidden")
            }
        }

        /// A send through a terminal.
        static func send(
            _ rows: String...,
            role: Role,
            send: @escaping @Sendable (Client, TerminalID) -> Void
        ) -> Probe {
            Probe(rows: rows) { client in
                try client.bind("x") { $0.role = role }
                var terminal: TerminalID?
                for case .reply(_, .bound(let bound)) in client.takeMessages() { terminal = bound.terminal }
                guard let terminal else { return false }
                send(client, terminal)
                return !client.take().joined().contains("forbidden")
            }
        }
    }

    private static let reading = "`bind` as following, `get`, `who` with a channel"
    private static let leading = "`bind` as leading"
    private static let defaulting = "`bind` with `default`"
    private static let willing = "`bind` with `will`"
    private static let next = "`next` as following"
    private static let nextLeading = "`next` as leading"
    private static let ending = "`completed`, `error` through a terminal"
    private static let setting = "`set`, entries of `put` with a value"
    private static let comparing = "`set` and entries of `put` with `if`"
    private static let managing = "`create`, `finish`, `reopen`, `delete`"
    private static let hosting = "`host`, `forget`"
    private static let listing = "`list`, `watch`"

    private static let probes: [Probe] = [
        .request(reading) { try $0.bind("x") },
        .request(reading) { try $0.get("x") },
        .request(reading) { $0.ask(.who(AskWho(channel: try ChannelName("x")))) },
        .request(leading) { try $0.bind("x") { $0.role = .leading } },
        .request(reading, defaulting) { try $0.bind("x") { $0.defaultValue = .text("1") } },
        .request(leading) { client in
            try client.bind("x") {
                $0.role = .leading
                $0.defaultValue = .text("1")
            }
        },
        .request(reading, willing, next) { try $0.bind("x") { $0.will = .value(.text("1")) } },
        .request(reading, willing, ending) { try $0.bind("x") { $0.will = .end(.completed) } },
        .request(leading, willing, nextLeading) { client in
            try client.bind("x") {
                $0.role = .leading
                $0.will = .value(.text("1"))
            }
        },
        .request(leading, willing, ending) { client in
            try client.bind("x") {
                $0.role = .leading
                $0.will = .end(.completed)
            }
        },
        .send(reading, next, role: .following) { $0.next($1, "1") },
        .send(leading, nextLeading, role: .leading) { $0.next($1, "1") },
        .send(reading, ending, role: .following) { $0.end($1) },
        .send(reading, ending, role: .following) { $0.end($1, .failed(WireError(code: "c", message: "m"))) },
        .send(leading, ending, role: .leading) { $0.end($1) },
        .request(setting) { try $0.set("x", "1") },
        .request(setting) { try $0.put([("x", "1", nil)]) },
        .request("`set` as leading") { try $0.set("x", "1") { $0.role = .leading } },
        .request(setting, comparing) { try $0.set("x", "1") { $0.condition = .never } },
        .request("`set` as leading") { client in
            try client.set("x", "1") {
                $0.role = .leading
                $0.condition = .never
            }
        },
        .request(setting, comparing) { try $0.put([("x", "1", 0)]) },
        .request(comparing) { try $0.put([("x", nil, 0)]) },
        .request(managing) { try $0.create("x") },
        .request(managing) { try $0.finish("x") },
        .request(managing) { try $0.reopen("x") },
        .request(managing) { try $0.delete("x") },
        .request("`exec`") { try $0.exec("x") },
        .request("`observe`") { try $0.observe("x") },
        .request(hosting) { try $0.host("x") },
        .request(hosting) { try $0.forget("x") },
        Probe(rows: [listing]) { client in
            try client.list()
            return client.take().joined().contains("x@")
        },
        Probe(rows: [listing]) { client in
            try client.watch("**")
            return client.take().joined().contains("x@")
        },
        .request("`who` without a channel") { $0.ask(.who(AskWho(channel: nil))) },
    ]

    /// The row of operations that need nothing, and the one that any of several verbs is enough for.
    private static let free = [
        "`hello`, `ping`, `pong`, `bye`",
        "`unbind`, `unwatch`, `unhost`, `unobserve`, `enabled`, `cancel`, events of executions",
    ]
    private static let commands = "`commands`"

    private let rows: [Row]
    /// The operations of a client, as the examples show them.
    private let operations: Set<String>

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../protocol.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let section = text.components(separatedBy: "\n### Rights\n").last?.components(separatedBy: "\n### ").first ?? ""
        let lines = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
        self.rows = lines.map { Row(cells: $0.dropFirst(2).dropLast(2).components(separatedBy: " | ")) }
        let examples = text.split(separator: "\n").filter { $0.hasPrefix("C {") }
        self.operations = Set(examples.compactMap { $0.firstMatch(of: /"op":"([a-z]+)"/).map { String($0.1) } })
    }

    /// A client that has all rights but these, beside an administrator who has made a channel and hosts a command.
    private func client(without verbs: Set<Verb>) throws -> Client {
        var rules = Rules()
        try rules.addRoot()
        let granted = Verb.allCases.filter { !verbs.contains($0) }
        let grants = Dictionary(uniqueKeysWithValues: granted.map { ($0, ["**"]) })
        try rules.add("user", grants, isAdministrator: granted.contains(.admin))
        let rig = Rig(access: try rules.policy())
        let root = rig.connect(token: "root")
        try root.set("x", "7")
        try root.host("x")
        let user = rig.connect(token: "user")
        expect(user.take() == [])
        return user
    }

    @Test("The table has every operation of a client, and nothing else")
    func operationsAreThere() {
        #expect(self.operations.count >= 28)
        let words = self.rows.reduce(into: Set<String>()) { $0.formUnion($1.words) }
        expect(words.subtracting(["default", "will", "if"]) == self.operations)
        for row in self.rows {
            #expect(row.needsNothing || !row.verbs.isEmpty || row.text == Self.willing, "\(row.text)")
        }
    }

    @Test("Every row of the table is tried")
    func rowsAreTried() {
        let tried = Set(Self.probes.flatMap(\.rows) + Self.free + [Self.commands])
        expect(tried == Set(self.rows.map(\.text)))
    }

    @Test("The verbs without which the host refuses are those of the table")
    func verbs() throws {
        for (index, probe) in Self.probes.enumerated() {
            let told = self.rows.filter { probe.rows.contains($0.text) }.reduce(into: Set()) { $0.formUnion($1.verbs) }
            let needed = try Verb.allCases.filter { try !probe.isAllowed(self.client(without: [$0])) }
            expect(Set(needed) == told, "probe \(index), \(probe.rows)")
            let others = Set(Verb.allCases).subtracting(told)
            #expect(try probe.isAllowed(self.client(without: others)), "probe \(index), \(probe.rows)")
        }
    }

    @Test("Each of the verbs that the table has for a command shows it in a list of commands")
    func commands() throws {
        let row = try #require(self.rows.first { $0.text == Self.commands })
        let enough = try Verb.allCases.filter { verb in
            let client = try self.client(without: Set(Verb.allCases).subtracting([verb]))
            try client.listCommands()
            return client.take().joined().contains("x:")
        }
        expect(Set(enough) == row.verbs)
    }

    @Test("A client without any right may do what needs no right")
    func nothing() throws {
        expect(self.rows.filter(\.needsNothing).map(\.text) == Self.free)
        let client = try self.client(without: Set(Verb.allCases))
        client.ask(.ping)
        client.say(.ping)
        client.say(.pong)
        client.ask(.unbind(TerminalID(7)))
        client.ask(.unwatch(WatchID(7)))
        client.unhost(7)
        client.unobserve(7)
        client.enable(7, true)
        client.cancel(7)
        client.progress(7, "1")
        client.settle(7)
        #expect(!client.take().joined(separator: " ").contains("forbidden"))
        client.say(.bye)
        expect(client.take() == [])
    }
}
