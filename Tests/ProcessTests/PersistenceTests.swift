import Expectations
import Foundation
import RacClient
import Testing

@Suite(.timeLimit(.minutes(10))) struct PersistenceTests {
    @Test("Values and ends survive a restart and a crash", arguments: [SIGTERM, SIGKILL])
    func survival(signal: Int32) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "value", "{\"deep\": [2.50]}")
            try await daemon.succeed("set", "completed", "1")
            try await daemon.succeed("complete", "completed")
            try await daemon.succeed("set", "failed", "2")
            try await daemon.succeed("fail", "failed", "--code", "hot", "--message", "too hot", "--data", "[90]")
            try await daemon.succeed("create", "paired", "--paired")
            try await daemon.succeed("set", "paired", "3", "--leading")
            try await daemon.succeed("set", "paired", "4")
            try await daemon.succeed("set", "deleted", "5")
            try await daemon.succeed("delete", "deleted")
            let before = try await self.everything(daemon)
            expect(before.count == 4)
            await daemon.end(signal)
            let again = try await workplace.daemon()
            expect(try await self.everything(again) == before)
            expect(try await again.run("bind", "completed") == Ended(status: 0, output: ["1"], errors: []))
            let failed = try await again.run("bind", "failed")
            expect(
                failed == Ended(status: 8, output: ["2"], errors: ["racctl: failed ended with the error hot: too hot"])
            )
            expect(try await again.run("get", "deleted").status == 3)
            let old = try Self.revision(before.last)
            #expect(try Self.revision(try await again.succeed("set", "value", "6", "-o", "json").first) > old)
        }
    }

    /// The answer of `get` for each channel.
    private func everything(_ daemon: Daemon) async throws -> [String] {
        var lines: [String] = []
        for line in try await daemon.succeed("list") {
            let name = String(line.split(separator: " ").first ?? "")
            lines += try await daemon.succeed("get", name, "-o", "json")
        }
        return lines
    }

    private static func revision(_ line: String?) throws -> UInt64 {
        let text = try #require(line?.split(separator: "\"rev\":").last?.prefix { $0.isNumber })
        return try #require(UInt64(text))
    }

    @Test("A racd whose data folder was moved takes no write that waits for the disk, recovers, or ends with the loss")
    func movedFolder() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            let (data, elsewhere) = (workplace.path("data"), workplace.path("elsewhere"))
            try await daemon.succeed("set", "a", "1")
            try FileManager.default.moveItem(atPath: data, toPath: elsewhere)
            let refused = try await daemon.run("set", "a", "2")
            let reason = "\(data)/rac.db is not the file that racd has open"
            #expect(refused.status != 0)
            expect(refused.errors.first?.contains(reason) == true)
            let status = try await daemon.run("status")
            expect(status.status == 1)
            #expect(status.output.contains { $0.contains("failing: \(reason)") })
            try FileManager.default.moveItem(atPath: elsewhere, toPath: data)
            try await daemon.succeed("wait", "$sys/storage", "\"ok\"")
            try await daemon.succeed("set", "a", "3")
            try FileManager.default.moveItem(atPath: data, toPath: elsewhere)
            expect(try await daemon.run("wait", "$sys/storage", "!= \"ok\"").status == 0)
            let ended = await daemon.end()
            expect(ended.status == 1)
            expect(ended.errors.last?.contains("was moved, removed or replaced") == true)
            try FileManager.default.moveItem(atPath: elsewhere, toPath: data)
            let again = try await workplace.daemon()
            expect(try await again.succeed("get", "a") == ["3"])
        }
    }

    @Test("A backup beyond the shell's limit of files ends with 1 and leaves nothing", arguments: ["copy.db", "-"])
    func longBackup(file: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", String(repeating: "x", count: 100_000))
            await daemon.end()
            let racd = Program.path(of: "racd")
            let script = "ulimit -f 8; cd \(workplace.folder.path); exec \(racd) backup --data data \(file)"
            let ended = try await workplace.start(
                "/bin/sh",
                ["-c", script],
                environment: ["TMPDIR": workplace.folder.path]
            )
            .ended()
            #expect(ended.status == 1 && ended.output == [])
            #expect(ended.errors.count == 1 && ended.errors.first?.hasPrefix("racd: ") == true, "\(ended.errors)")
            expect(try FileManager.default.contentsOfDirectory(atPath: workplace.folder.path) == ["data"])
        }
    }

    @Test("A backup that lacks changes, because the disk of racd takes none, is made and ends with 1")
    func incompleteBackup() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            let (data, elsewhere) = (workplace.path("data"), workplace.path("elsewhere"))
            try await daemon.succeed("set", "a", "1")
            try FileManager.default.moveItem(atPath: data, toPath: elsewhere)
            #expect(try await daemon.run("set", "a", "2").status != 0)
            func backup(of folder: String, to file: String) async throws -> Ended {
                try await workplace.start(Program.path(of: "racd"), ["backup", "--data", folder, file]).ended()
            }
            let errors = ["racd: racd has changes that wait for its disk, and the copy lacks them"]
            let copy = workplace.path("copy.db")
            expect(try await backup(of: elsewhere, to: copy) == Ended(status: 1, output: [], errors: errors))
            expect(FileManager.default.contents(atPath: copy)?.starts(with: Data("SQLite format 3".utf8)) == true)
            let written = try await backup(of: elsewhere, to: "-")
            expect(written.status == 1)
            expect(written.output.first?.hasPrefix("SQLite format 3") == true)
            expect(written.errors == errors)
            try FileManager.default.moveItem(atPath: elsewhere, toPath: data)
            try await daemon.succeed("wait", "$sys/storage", "\"ok\"")
            let complete = try await backup(of: data, to: workplace.path("complete.db"))
            expect(complete == Ended(status: 0, output: [], errors: []))
        }
    }

    @Test("A racd does not start with a database that was copied from a running one without its log")
    func copiedAlone() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1")
            let copy = workplace.path("copy")
            try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
            try FileManager.default.copyItem(atPath: workplace.path("data/rac.db"), toPath: "\(copy)/rac.db")
            let ended = try await workplace.racd(["--listen", "127.0.0.1:0", "--data", copy]).ended()
            expect(ended.status == 1)
            let line = "racd: \(copy)/rac.db was copied from a running racd without its rac.db-wal"
            expect(ended.errors.last?.hasPrefix(line) == true)
        }
    }

    @Test("A SIGTERM under load loses no acknowledged write, and a SIGKILL no synced one")
    func load() async throws {
        for signal in [SIGTERM, SIGKILL] {
            try await Workplace.with { workplace in
                let daemon = try await workplace.daemon()
                let load = Load(writers: 8, sync: signal == SIGKILL)
                let writing = Task { try await load.run(at: DaemonAddress(daemon.url)) }
                while await load.acknowledgements < 500 { await Task.yield() }
                let ended = await daemon.end(signal)
                expect(ended.status == (signal == SIGTERM ? 0 : 128 + SIGKILL))
                try await writing.value
                let again = try await workplace.daemon()
                let connection = try await DaemonConnection.open(to: DaemonAddress(again.url))
                for (writer, acknowledged) in await load.last.enumerated() {
                    let got = try await connection.get(Load.channel(of: writer))
                    let value = try #require(got.value.flatMap { Int($0.text) })
                    #expect(value >= acknowledged)
                }
                await connection.close()
            }
        }
    }
}

/// Writers with a channel each, which write one number after the other until the daemon ends.
private actor Load {
    private let sync: Bool
    /// The last number of each writer that the daemon has acknowledged.
    private(set) var last: [Int]
    private(set) var acknowledgements = 0

    init(writers: Int, sync: Bool) {
        self.sync = sync
        self.last = Array(repeating: 0, count: writers)
    }

    static func channel(of writer: Int) throws(NameError) -> ChannelName {
        try ChannelName("load/\(writer)")
    }

    func run(at address: DaemonAddress) async throws {
        let connection = try await DaemonConnection.open(to: address)
        await withThrowingTaskGroup { group in
            for writer in self.last.indices { group.addTask { try await self.write(writer, connection) } }
        }
        await connection.close()
    }

    private func write(_ writer: Int, _ connection: DaemonConnection) async throws {
        for number in 1... {
            var set = SetValue(channel: try Self.channel(of: writer), value: .integer(number))
            set.sync = self.sync
            guard (try? await connection.change(.set(set))) != nil else { return }
            self.last[writer] = number
            self.acknowledgements += 1
        }
    }
}
