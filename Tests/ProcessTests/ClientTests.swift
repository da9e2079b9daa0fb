import Expectations
import Foundation
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct ClientTests {
    /// The promises made to the writers of a test, and whether one saw its own write.
    private actor Ledger {
        private(set) var synced: [Int: Int] = [:]
        private(set) var isOver = false

        func note(_ writer: Int, _ number: Int) { self.synced[writer] = number }

        func stop() { self.isOver = true }
    }

    /// One of many programs that write all the time.
    private struct Writer {
        let number: Int
        let client: Client
        let shared: RemoteProperty<String>
        let own: RemoteProperty<Int>
        let echoes = Log<String>()
        let terminal: ChannelTerminal<String, ClientError>

        init(_ number: Int, at address: DaemonAddress) throws {
            self.number = number
            self.client = Client(address)
            self.shared = try self.client.property("all", as: String.self)
            self.own = try self.client.property("own/\(number)", as: Int.self)
            self.terminal = self.shared.terminal()
            let echoes = self.echoes
            self.terminal.signal.observe { event in
                if let value = event.value, value.hasPrefix("\(number).") { echoes.append(value) }
            }
        }

        func write(_ ledger: Ledger) async throws {
            var count = 0
            while await !ledger.isOver {
                count += 1
                self.terminal.send("\(self.number).\(count)")
                if count.isMultiple(of: 8) {
                    try await self.own.write(count, sync: true)
                    await ledger.note(self.number, count)
                } else {
                    try await self.shared.settled()
                }
            }
        }
    }

    @Test("Twenty programs that write all the time agree after a killed daemon is back, and nothing synced is gone")
    func killedDaemon() async throws {
        try await Workplace.with { workplace in
            let socket = "unix:\(workplace.path("s"))"
            let daemon = try await workplace.daemon("--listen", socket)
            let address = try DaemonAddress(socket)
            let writers = try (0..<20).map { try Writer($0, at: address) }
            let ledger = Ledger()
            let writing = Task {
                try await withThrowingTaskGroup { group in
                    for writer in writers { group.addTask { try await writer.write(ledger) } }
                    try await group.waitForAll()
                }
            }
            while await ledger.synced.count < writers.count { try await writers[0].client.ping() }
            await daemon.end(SIGKILL)
            let before = await ledger.synced
            _ = try await workplace.daemon("--listen", socket)
            let back = ContinuousClock.now
            for writer in writers {
                for await state in writer.client.connection.signal.values where state.isLive { break }
            }
            for writer in writers { try await writer.client.ping() }
            let elapsed = ContinuousClock.now - back
            print("all programs had their daemon again after \(elapsed)")
            await ledger.stop()
            try await writing.value
            for writer in writers { try await writer.shared.settled() }
            for writer in writers { try await writer.client.ping() }
            let value = try await writers[0].client.get("all").value?.decoded(as: String.self)
            for writer in writers {
                expect(writer.shared.value == value)
                expect(writer.echoes.entries == [])
                let own = try await writer.client.get("own/\(writer.number)").value.map { try $0.decoded(as: Int.self) }
                #expect(try #require(own) >= before[writer.number] ?? 0)
            }
            for writer in writers { await writer.client.close() }
        }
    }

    @Test("C325 A follower that is killed does not end the channel")
    func killedFollower() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            let (p, r) = try (Client(DaemonAddress(daemon.url)), Client(DaemonAddress(daemon.url)))
            let leading = try p.terminal("N", .leading, as: Int.self)
            let following = try r.terminal("N", .following, as: Int.self)
            let (atP, atR) = (Recorder(leading), Recorder(following))
            try await leading.write(0)
            let q = try await daemon.bound("N", "0")
            q.signal(SIGKILL)
            _ = await q.ended()
            try await r.ping()
            try await leading.write(1)
            try await following.write(2)
            try await p.ping()
            try await r.ping()
            expect(atP.values == [2])
            expect(atR.values == [0, 1])
            #expect(!atP.isDisposed && !atR.isDisposed)
            await p.close()
            await r.close()
        }
    }

    @Test("C346 The daemon stops in an orderly way: every client says so, and no channel has ended")
    func orderlyStop() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            let clients = try (0..<3).map { _ in try Client(DaemonAddress(daemon.url)) }
            let ears = [
                Recorder(try clients[0].terminal("N", .leading, as: Int.self)),
                Recorder(try clients[1].terminal("N", .following, as: Int.self)),
                Recorder(try clients[2].property("M", as: Int.self)),
            ]
            for client in clients { try await client.ping() }
            expect(await daemon.end(SIGTERM).status == 0)
            for client in clients {
                for await state in client.connection.signal.values {
                    guard case .lost(let error, _) = state else { continue }
                    #expect([.shuttingDown, .connectionLost, .unreachable].contains(error.code))
                    break
                }
            }
            #expect(ears.allSatisfy { $0.events.isEmpty })
            for client in clients { await client.close() }
            for ear in ears {
                expect(ear.events.count == 1)
                guard case .failed(let error)? = ear.events.first else {
                    Issue.record("\(ear.events)")
                    continue
                }
                expect(error.code == .closed)
            }
        }
    }

    @Test("incr and toggle of a paired channel begin from the wish, and without one from the value")
    func wishes() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("create", "n", "--paired", "--value", "5")
            expect(try await daemon.succeed("incr", "n") == ["6"])
            expect(try await daemon.succeed("incr", "n", "2") == ["8"])
            expect(try await daemon.succeed("get", "n") == ["5"])
            try await daemon.succeed("create", "t", "--paired", "--value", "true")
            expect(try await daemon.succeed("toggle", "t") == ["false"])
            expect(try await daemon.succeed("toggle", "t") == ["true"])
            let large = try await daemon.run("incr", "n", "1e999")
            #expect(large.status == 2 && large.errors.first?.contains("1e999 is too large to add") == true)
        }
    }
}
