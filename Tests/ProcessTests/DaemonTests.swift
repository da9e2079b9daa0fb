import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct DaemonTests {
    /// A daemon that cannot start says so in one line, the last after those of the log.
    private func expectFailure(_ program: Program, _ status: Int32 = 1, saying text: String) async {
        let ended = await program.ended()
        #expect(ended.status == status)
        #expect(ended.output == [])
        let said = ended.errors.filter { $0.hasPrefix("racd: ") }
        #expect(said.count == 1, "\(ended.errors)")
        #expect(said.last == ended.errors.last, "\(ended.errors)")
        #expect(said.last?.contains(text) == true, "\(ended.errors)")
    }

    @Test("The ready line tells where the daemon listens and where data lies, and a Unix-domain socket serves as well")
    func ready() async throws {
        try await Workplace.with { workplace in
            let socket = workplace.path("racd.sock")
            let daemon = try await workplace.daemon("--listen", "unix:\(socket)")
            #expect(daemon.line.hasPrefix("racd ready tcp=127.0.0.1:"))
            #expect(daemon.line.contains(" unix=\(socket)"))
            #expect(daemon.line.hasSuffix(" data=\(workplace.path("data"))"))
            try await daemon.succeed("set", "a", "1", "--server", "unix:\(socket)")
            #expect(try await daemon.succeed("get", "a") == ["1"])
        }
    }

    @Test("Two daemons do not share a data folder: the second one says so, and the first goes on")
    func oneFolder() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            let folder = workplace.path("data")
            let second = try workplace.racd(["--listen", "127.0.0.1:0", "--data", folder])
            await self.expectFailure(second, saying: folder)
            try await daemon.succeed("set", "a", "1")
            await daemon.end(SIGKILL)
            let third = try await workplace.daemon()
            #expect(try await third.succeed("get", "a") == ["1"])
        }
    }

    @Test("An address that somebody has is named")
    func addressInUse() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            let address = String(daemon.url.dropFirst("rac://".count))
            let second = try workplace.racd(["--listen", address, "--data", workplace.path("other")])
            await self.expectFailure(second, saying: address)
        }
    }

    @Test("A data folder that cannot be made is named")
    func noFolder() async throws {
        try await Workplace.with { workplace in
            let file = workplace.path("file")
            try Data().write(to: URL(filePath: file))
            let racd = try workplace.racd(["--listen", "127.0.0.1:0", "--data", "\(file)/data"])
            await self.expectFailure(racd, saying: file)
        }
    }

    @Test("A damaged database is refused with its path, and stays as it is")
    func damaged() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1")
            await daemon.end()
            let file = workplace.folder.appending(path: "data/rac.db")
            let nonsense = Data(repeating: 0x5A, count: 8192)
            try nonsense.write(to: file)
            let racd = try workplace.racd(["--listen", "127.0.0.1:0", "--data", workplace.path("data")])
            await self.expectFailure(racd, saying: file.path)
            #expect(try Data(contentsOf: file) == nonsense)
        }
    }

    @Test(
        "Wrong arguments end with 2",
        arguments: [
            ["--nonsense"], ["--listen", "nonsense"], ["--listen", "0.0.0.0:0"], ["--max-frame", "0"],
            ["--max-connections", "x"], ["--threads", "0"], ["--threads", "65"], ["--durability", "none"],
            ["--log-level", "loud"], ["--memory", "--data", "/tmp"],
        ]
    )
    func usage(arguments: [String]) async throws {
        try await Workplace.with { workplace in
            let ended = try await workplace.racd(arguments).ended()
            #expect(ended.status == 2)
            #expect(ended.output == [])
            #expect(ended.errors.count == 1, "\(ended.errors)")
            #expect(ended.errors.first?.hasPrefix("racd: ") == true)
        }
    }

    @Test("A daemon that is told to end does, with 0, and its clients hear why", arguments: [SIGTERM, SIGINT])
    func shutdown(signal: Int32) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1", "--no-sync")
            let bound = try await daemon.bound("a", "1")
            #expect(await daemon.end(signal).status == 0)
            #expect(
                await bound.ended()
                    == Ended(status: 6, output: ["1"], errors: ["racctl: the daemon is shutting down"])
            )
            let again = try await workplace.daemon()
            #expect(try await again.succeed("get", "a") == ["1"])
        }
    }

    @Test("With --memory nothing is kept")
    func memory() async throws {
        try await Workplace.with { workplace in
            let racd = try workplace.racd(["--listen", "127.0.0.1:0", "--memory"])
            let daemon = try await Daemon(racd, in: workplace)
            #expect(daemon.line.hasSuffix(" data=memory"))
            try await daemon.succeed("set", "a", "1")
            await daemon.end()
            let again = try await Daemon(workplace.racd(["--listen", "127.0.0.1:0", "--memory"]), in: workplace)
            #expect(try await again.run("get", "a").status == 3)
        }
    }
}
