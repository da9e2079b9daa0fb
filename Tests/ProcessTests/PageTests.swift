import Expectations
import Foundation
import RacTesting
import Testing

/// `racctl ui` with each kind of daemon.
@Suite(.timeLimit(.minutes(10))) struct PageTests {
    private static let file = """
        token-file = "tokens"
        memory = true

        [[listen]]
        address = "127.0.0.1:0"

        [[role]]
        name = "kiosk"
        read = ["room/**"]
        """

    /// A closed daemon, and the path of a token for it.
    private static func closed(_ workplace: Workplace) async throws -> (Daemon, token: String) {
        let path = workplace.path("racd.toml")
        try Data(Self.file.utf8).write(to: URL(filePath: path))
        let create = ["token", "create", "ann", "--role", "kiosk", "--config", path]
        let token = try await workplace.start(Program.path(of: "racd"), create).ended().output.joined()
        try ClosedDaemon.write(token, to: workplace.path("token"))
        let racd = try workplace.racd(["--config", path])
        return (try await Daemon(racd, in: workplace), workplace.path("token"))
    }

    /// The environment of a desktop, whose `xdg-open` is a script.
    ///
    /// Another program writes the script: a file that this process has open for writing cannot be run while other tests
    /// start programs.
    private static func desktop(_ workplace: Workplace, _ script: String) async throws -> [String: String] {
        let folder = workplace.path("bin")
        let write = "mkdir -p \(folder) && cat > \(folder)/xdg-open && chmod +x \(folder)/xdg-open"
        let text = Input.text("#!/bin/sh\n\(script)\n")
        let path = ["PATH": "/usr/bin:/bin"]
        let ended = try await workplace.start("/bin/bash", ["-c", write], environment: path, input: text).ended()
        try #require(ended == Ended(status: 0, output: [], errors: []))
        return ["PATH": folder, "XDG_RUNTIME_DIR": workplace.folder.path]
    }

    private static func racctl(
        _ daemon: Daemon,
        _ workplace: Workplace,
        _ words: [String],
        environment: [String: String] = [:]
    ) async throws -> Ended {
        let environment = environment.merging(["RACD_SERVER": daemon.url]) { $1 }
        return try await workplace.start(Program.path(of: "racctl"), words, environment: environment).ended()
    }

    private static func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test("An open daemon's page needs no code, and is opened as it is printed")
    func open() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let page = "http://127.0.0.1:\(daemon.port)/"
            expect(try await daemon.succeed("ui") == [page])
            expect(try await daemon.succeed("ui", "room/a b") == ["\(page)#channels/room/a%20b"])
            expect(try await daemon.succeed("ui", "-o", "json") == ["{\"url\":\"\(page)\"}"])
            let desktop = try await Self.desktop(workplace, "echo \"$1\" > \"$XDG_RUNTIME_DIR/opened\"")
            let ended = try await Self.racctl(daemon, workplace, ["ui", "--open"], environment: desktop)
            expect(ended == Ended(status: 0, output: [page], errors: []))
            expect(try Self.text(workplace.path("opened")) == "\(page)\n")
        }
    }

    @Test("A closed daemon's page is signed in once, as the principal of racctl's token")
    func closed() async throws {
        try await Workplace.with { workplace in
            let (daemon, token) = try await Self.closed(workplace)
            let ended = try await Self.racctl(daemon, workplace, ["ui", "room/a", "--token-file", token])
            expect(ended.errors == ["racctl: the address signs in once, within a minute"])
            let page = "http://127.0.0.1:\(daemon.port)/"
            let found = try #require(ended.output.first?.wholeMatch(of: /(.+)#sign-in=(rac_[\w-]+)\/channels\/room\/a/))
            #expect(found.output.1 == page)
            let post = "curl -s -i -d '{\"code\":\"\(found.output.2)\"}' \(page)v1/session"
            let script = """
                cookie=$(\(post) | sed -n 's/^Set-Cookie: \\([^;]*\\);.*/\\1/p')
                curl -s -H "Cookie: $cookie" \(page)v1/session
                \(post) | head -1 | tr -d '\\r'
                """
            let shell = try await workplace.start("/bin/bash", ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
                .ended()
            let state = #"{"closed":true,"admitted":true,"principal":"ann"}"#
            expect(shell.output == [state, "HTTP/1.1 401 Unauthorized"])
            let audit = await daemon.end().errors.filter { $0.contains("audit=code") }
            #expect(audit.count == 2 && audit.allSatisfy { $0.contains("principal=ann") && !$0.contains("rac_") })
        }
    }

    @Test("A code does not appear in process lists: the browser gets it from a file that only its owner can read")
    func file() async throws {
        try await Workplace.with { workplace in
            let (daemon, token) = try await Self.closed(workplace)
            let desktop = try await Self.desktop(workplace, "echo \"$1\" > \"$XDG_RUNTIME_DIR/opened\"")
            let words = ["ui", "--open", "--token-file", token]
            let ended = try await Self.racctl(daemon, workplace, words, environment: desktop)
            expect(ended.status == 0)
            let path = workplace.path("racctl-ui.html")
            expect(try Self.text(workplace.path("opened")) == "file://\(path)\n")
            #expect(try Self.text(path).contains("content=\"0;url=\(try #require(ended.output.first))\""))
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            expect(mode == 0o600)
        }
    }

    @Test("Without a browser racctl says so, and prints the address all the same")
    func noBrowser() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let help = "racctl: open the address in a browser yourself"
            let nowhere = ["PATH": workplace.path("nowhere")]
            let missing = try await Self.racctl(daemon, workplace, ["ui", "--open"], environment: nowhere)
            #expect(missing.status == 1 && missing.output.count == 1)
            expect(missing.errors == ["racctl: cannot run xdg-open: No such file or directory", help])
            let desktop = try await Self.desktop(workplace, "exit 3")
            let failed = try await Self.racctl(daemon, workplace, ["ui", "--open"], environment: desktop)
            #expect(failed.status == 1 && failed.output.count == 1)
            expect(failed.errors == ["racctl: xdg-open found no browser: it ended with status 3", help])
        }
    }

    @Test("A daemon without HTTP, and one on a Unix socket, have no page that a browser could open")
    func noPage() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off", "--no-http")
            let silent = try await daemon.run("ui")
            #expect(silent.status == 1 && silent.output == [])
            expect(silent.errors.first == "racctl: racd at 127.0.0.1:\(daemon.port) has no page")
            expect(silent.errors.last?.contains("--no-http") == true)
        }
        try await Workplace.with { workplace in
            let socket = "unix:\(workplace.path("s"))"
            let daemon = try await workplace.daemon("--durability", "off", "--listen", socket)
            let ended = try await daemon.run("ui", "--server", socket)
            #expect(ended.status == 2 && ended.output == [])
            expect(ended.errors.first == "racctl: a browser cannot open \(socket), a Unix socket")
        }
    }

    @Test("A daemon that does not answer the request for the page is waited for no longer than --timeout")
    func silent() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            // A request of HTTP is no frame, so the relay keeps it.
            let relay = try Relay(to: daemon, frames: .max)
            let ended = try await daemon.run("ui", "--server", relay.url, "--timeout", "2")
            #expect(ended.status == 7 && ended.output == [])
            #expect(ended.errors.count == 1 && ended.errors.first?.contains("did not answer within 2 s") == true)
        }
    }

    @Test("A page inside TLS is asked for with racctl's CA and certificate, which the code stands for")
    func encrypted() async throws {
        let authority = try TestAuthority()
        let racd = try authority.sign("racd")
        let kiosk = try authority.sign("kiosk", subject: "/CN=kiosk", extensions: "extendedKeyUsage=clientAuth")
        try await Workplace.with { workplace in
            let file = """
                memory = true

                [[listen]]
                address = "127.0.0.1:0"
                certificate = "\(racd.certificate)"
                key = "\(racd.key)"
                client-ca = "\(authority.file)"

                [[role]]
                name = "kiosk"
                read = ["room/**"]

                [[principal]]
                name = "kiosk"
                roles = ["kiosk"]
                certificate = "kiosk"
                """
            let path = workplace.path("racd.toml")
            try Data(file.utf8).write(to: URL(filePath: path))
            let program = try workplace.racd(["--config", path])
            let line = try #require(await program.output.next())
            let url = try #require(line.firstMatch(of: /url=(racs:\S+)/)).output.1
            let words = [
                "ui", "--server", String(url), "--ca", authority.file, "--cert", kiosk.certificate, "--key", kiosk.key,
            ]
            let ended = try await workplace.start(Program.path(of: "racctl"), words).ended()
            expect(ended.status == 0, "\(ended)")
            expect(ended.output.first?.hasPrefix("\(url.replacing("racs:", with: "https:"))/#sign-in=rac_") == true)
        }
    }
}
