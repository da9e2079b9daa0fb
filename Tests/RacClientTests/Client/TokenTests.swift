import Expectations
import Foundation
import Logging
import Rac
import RacAccess
import RacClient
import RacTesting
import Synchronization
import Testing

/// Clients of a closed daemon.
@Suite(.timeLimit(.minutes(10))) struct TokenTests {
    /// A source that returns one text after the other, and the last one for good.
    private final class Script: Sendable {
        private let texts: Mutex<[String?]>
        private let count = Mutex(0)

        init(_ texts: String?...) {
            self.texts = Mutex(texts)
        }

        /// The number of questions so far.
        var asked: Int { self.count.withLock { $0 } }

        var source: TokenSource {
            .closure {
                self.count.withLock { $0 += 1 }
                let text = self.texts.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
                return try text.map { text in try AccessToken(text) }
            }
        }
    }

    /// A closure's error, which has a secret.
    private struct Failure: Error {
        let secret = "SeCrEt"
    }

    private func withClient(
        of daemon: LocalDaemon,
        _ token: TokenSource?,
        logger: Logger? = nil,
        _ body: (Client) async throws -> Void
    ) async throws {
        var configuration = ClientConfiguration.quick
        configuration.token = token
        configuration.logger = logger
        let client = Client(daemon.address, configuration: configuration)
        do {
            try await body(client)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    private func refusal(of client: Client) async throws -> ClientError {
        for await state in client.connection.signal.values {
            if case .refused(let error) = state { return error }
        }
        throw Surprise(expected: "a refusal before the end")
    }

    @Test("A client with a token is known, and what it changes has its name", arguments: Transport.allCases)
    func known(transport: Transport) async throws {
        try await LocalDaemon.with(transport, access: .kiosk(["one"])) { daemon in
            try await self.withClient(of: daemon, .token(AccessToken("one"))) { client in
                try await client.set("room/a", .integer(1))
                expect(try await client.get("room/a").by == "kiosk")
                expect(try await client.list().map(\.by) == ["kiosk"])
                for try await event in try client.watch("room/*") {
                    guard case .changed(let change) = event else { continue }
                    expect(change.by == "kiosk")
                    break
                }
                let error = await #expect(throws: ClientError.self) { try await client.get("hall/a") }
                #expect(error?.code == .forbidden && error?.message == "kiosk may not read hall/a")
                #expect(client.connection.value.isLive)
            }
        }
    }

    @Test("A client without a token, or with a wrong one, gives up with the reason and what helps")
    func refused() async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["one"])) { daemon in
            for token in [nil, TokenSource.token(try AccessToken("SeCrEt"))] {
                try await self.withClient(of: daemon, token) { client in
                    let error = try await self.refusal(of: client)
                    expect(error.code == .unauthenticated)
                    #expect("\(error)".contains("ClientConfiguration.token") && !"\(error)".contains("SeCrEt"))
                    let later = await #expect(throws: ClientError.self) { try await client.ping() }
                    expect(later?.code == .unauthenticated)
                }
            }
        }
    }

    @Test("A command that the program may not host any more ends with the reason, and the client goes on")
    func unhosted() async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["one"])) { daemon in
            try await self.withClient(of: daemon, .token(AccessToken("one"))) { client in
                let command = Command<Void, Void, Never>(on: .immediate) { .never }
                let hosted = try client.host("room/blink", command)
                for await isHosted in hosted.isHosted.signal.values where isHosted { break }
                try await daemon.take(.kiosk(["one"], lacking: .host))
                let error = await #expect(throws: ClientError.self) {
                    for try await _ in hosted.ended.values {}
                }
                #expect(error?.code == .forbidden && error?.message == "kiosk may not host room/blink")
                #expect(!hosted.isHosted.value && client.connection.value.isLive)
                try await client.set("room/a", .integer(1))
            }
        }
    }

    @Test("A host that may not observe its command any more takes the place of another one that goes")
    func standsByUnseeing() async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["one"])) { daemon in
            try await self.withClient(of: daemon, .token(AccessToken("one"))) { first in
                try await self.withClient(of: daemon, .token(AccessToken("one"))) { second in
                    let there = try first.host("room/blink", Command<Void, Void, Never>(on: .immediate) { .never })
                    try await eventually { there.isHosted.value }
                    let next = try second.host("room/blink", Command<Void, Void, Never>(on: .immediate) { .never })
                    try await eventually { next.problem.value?.code == .alreadyHosted }
                    let seen = try second.command("room/blink")
                    try await eventually { seen.isEnabled.value }
                    try await daemon.take(.kiosk(["one"], lacking: .observe))
                    try await eventually { !seen.isEnabled.value }
                    // The first question for the place is behind the client, in vain.
                    try await second.ping()
                    #expect(there.isHosted.value && !next.isHosted.value)
                    there.dispose()
                    try await eventually { next.isHosted.value }
                    expect(next.problem.value == nil)
                }
            }
        }
    }

    @Test("Writes of a new property are judged by themselves where those of the last one were refused")
    func writesOfNewProperty() async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["one"])) { daemon in
            try await self.withClient(of: daemon, .token(AccessToken("one"))) { client in
                do {
                    let property = try client.property("room/a", as: Int.self)
                    try await property.write(1)
                    try await daemon.take(.kiosk(["one"], lacking: .write))
                    try await eventually { (try? await property.write(2)) == nil }
                    let error = await #expect(throws: ClientError.self) { try await property.write(3) }
                    expect(error?.code == .forbidden)
                }
                try await client.ping()
                try await daemon.take(.kiosk(["one"]))
                try await eventually { (try? await client.set("room/a", .integer(4))) != nil }
                try await client.property("room/a", as: Int.self).write(5)
                expect(try await client.get("room/a").value == .integer(5))
            }
        }
    }

    @Test("A refused send of a paired terminal is one error")
    func refusedSend() async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["one"])) { daemon in
            try await self.withClient(of: daemon, .token(AccessToken("one"))) { client in
                let terminal = try client.terminal("room/a", .following, sends: Int.self, receives: String.self)
                let errors = Log<ClientError.Code>()
                terminal.errors.onValue { errors.append($0.code) }
                try await terminal.write(1)
                try await daemon.take(.kiosk(["one"], lacking: .write))
                try await eventually { (try? await terminal.write(2)) == nil }
                expect(errors.entries == [.forbidden])
                expect(terminal.problem.value?.code == .forbidden)
            }
        }
    }

    @Test("A source is asked before the first connection, and again until a token is known")
    func asked() async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["good"])) { daemon in
            let script = Script("bad", "worse", "good")
            try await self.withClient(of: daemon, script.source) { client in
                try await client.ping()
                expect(script.asked == 3)
            }
        }
    }

    @Test("A source that has no other token ends the attempts", arguments: ["bad", nil])
    func noOther(answer: String?) async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["good"])) { daemon in
            let script = Script("bad", answer)
            try await self.withClient(of: daemon, script.source) { client in
                let error = try await self.refusal(of: client)
                expect(error.code == .unauthenticated)
                expect(script.asked == 2)
            }
        }
    }

    @Test("A token that ends while the client is connected is replaced, and its bindings stay")
    func replaced() async throws {
        let policy = try AccessPolicy.kiosk(["long"], brief: ("brief", .seconds(2)))
        try await LocalDaemon.with(.unix, access: policy) { daemon in
            let script = Script("brief", "long")
            try await self.withClient(of: daemon, script.source) { client in
                let value = try client.property("room/a", as: Int.self, default: 0)
                value.value = 1
                try await value.settled()
                while script.asked < 2 { try await client.until { !$0.isLive } }
                try await client.until(\.isLive)
                try await client.set("room/a", .integer(2))
                for try await current in value.signal.values where current == 2 { break }
            }
        }
    }

    @Test("A source may return another principal's token: the client goes on in a new session")
    func otherPrincipal() async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["first"])) { daemon in
            let script = Script("first", "second")
            try await self.withClient(of: daemon, script.source) { client in
                let value = try client.property("room/a", as: Int.self, default: 0)
                value.value = 1
                try await value.settled()
                expect(try await client.get("room/a").by == "kiosk")
                try await daemon.take(.kiosk(["second"], named: "desk"))
                while script.asked < 2 { try await client.until { !$0.isLive } }
                value.value = 2
                try await value.settled()
                let state = try await client.get("room/a")
                #expect(state.value == .integer(2) && state.by == "desk")
                expect(script.asked == 2)
            }
        }
    }

    @Test("A principal that is renewed while the daemon is away is known again")
    func renewed() async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["old"])) { daemon in
            try await self.withClient(of: daemon, Script("old", "new").source) { client in
                try await client.set("room/a", .integer(1))
                try await daemon.restart(access: .kiosk(["new"]))
                expect(try await client.get("room/a").value == .integer(1))
            }
        }
    }

    @Test("A file is read anew when its token was refused, and is reported if others have rights to it")
    func file() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "rac-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("t0ken-1\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        let log = Log<String>()
        let logger = Logger(label: "test", factory: { _ in KeptLog(log) })
        try await LocalDaemon.with(.unix, access: .kiosk(["t0ken-1"])) { daemon in
            try await self.withClient(of: daemon, .file(file.path), logger: logger) { client in
                try await client.ping()
                #expect(log.entries.contains { $0.hasPrefix("warning") && $0.contains("(mode 0640)") })
                try Data("t0ken-2\n".utf8).write(to: file)
                try await daemon.restart(access: .kiosk(["t0ken-2"]))
                try await client.ping()
                #expect(log.entries.allSatisfy { !$0.contains("t0ken-1") && !$0.contains("t0ken-2") })
            }
        }
    }

    @Test("A source that fails is asked again, and the state says why without what the error holds")
    func failing() async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["good"])) { daemon in
            let fails = Mutex(true)
            let source = TokenSource.closure {
                if fails.withLock({ $0 }) { throw Failure() }
                return try AccessToken("good")
            }
            try await self.withClient(of: daemon, source) { client in
                try await client.until {
                    guard case .lost(let error, _) = $0 else { return false }
                    return error.code == .badToken && !"\(error)".contains("SeCrEt") && error.cause is Failure
                }
                fails.withLock { $0 = false }
                try await client.ping()
            }
        }
    }

    @Test("A client that is closed while its source thinks ends at once, and the source is cancelled")
    func closing() async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["good"])) { daemon in
            let (cancelled, tell) = AsyncStream<Bool>.makeStream()
            let source = TokenSource.closure {
                try? await Task.sleep(for: .seconds(3600))
                tell.yield(Task.isCancelled)
                return nil
            }
            try await self.withClient(of: daemon, source) { _ in }
            expect(await cancelled.first { _ in true } == true)
        }
    }
}
