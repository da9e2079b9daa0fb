import Expectations
import Foundation
import RacTesting
import Testing

/// racd and racctl over TLS, by options and variables.
@Suite(.timeLimit(.minutes(10))) struct EncryptedDaemonTests {
    /// A racd with an address of TLS, and the URLs of its ready line.
    private struct Started {
        let program: Program
        let line: String
        let url: String
        let workplace: Workplace

        init(_ workplace: Workplace, _ arguments: [String], _ environment: [String: String] = [:]) async throws {
            self.workplace = workplace
            self.program = try workplace.racd(["--memory"] + arguments, environment: environment)
            self.line = try #require(await self.program.output.next(), "racd ended before it was ready")
            let word = try #require(self.line.split(separator: " ").first { $0.hasPrefix("url=") })
            self.url = String(word.dropFirst(4))
        }

        /// The URL with the other word at its front.
        var plainURL: String { self.url.replacing("racs://", with: "rac://") }

        /// The next log entry with a text.
        func logged(_ text: String) async -> String? {
            while let line = await self.program.errors.next() {
                if line.contains(text) { return line }
            }
            return nil
        }

        func racctl(_ arguments: String..., environment: [String: String] = [:]) async throws -> Ended {
            try await self.workplace.start(Program.path(of: "racctl"), arguments, environment: environment).ended()
        }
    }

    @Test("An address with TLS is printed with its URL, and racctl reaches it with --ca, or RACCTL_CA")
    func ready() async throws {
        let authority = try TestAuthority()
        let files = try authority.sign("racd")
        let options = ["--tls-cert", files.certificate, "--tls-key", files.key]
        try await Workplace.with { workplace in
            let racd = try await Started(workplace, ["--listen", "tls:127.0.0.1:0"] + options)
            let port = try #require(racd.url.split(separator: ":").last)
            let place = "127.0.0.1:\(port)"
            expect(racd.line == "racd ready tls=\(place) url=racs://\(place) console=https://\(place)/ data=memory")
            let set = try await racd.racctl("set", "a", "1", "--server", racd.url, "--ca", authority.file)
            expect(set == Ended(status: 0, output: [], errors: []))
            let environment = ["RACCTL_CA": authority.file, "RACD_SERVER": racd.url]
            let get = try await racd.racctl("get", "a", environment: environment)
            expect(get == Ended(status: 0, output: ["1"], errors: []))
            let status = try await racd.racctl("status", "-o", "json", environment: environment)
            expect(status.output.first?.contains(#""server":"\#(racd.url)""#) == true)
            let who = try await racd.racctl("who", "-o", "json", environment: environment)
            expect(who.output.first?.contains(#""via":"tls""#) == true)
        }
        try await Workplace.with { workplace in
            let words = ["--listen", "racs://127.0.0.1:0", "--listen", "either:127.0.0.1:0", "--log-format", "json"]
            let racd = try workplace.racd(["--memory"] + words + options)
            let line = try #require(await racd.output.next())
            let found = try #require(
                line.wholeMatch(of: /.*"tcp":\["(.+?)"\],"tls":\["(.+?)","(.+?)"\],"unix":\[\],.*/)
            )
            expect(found.output.1 == found.output.3)
            #expect(line.contains(#""urls":["racs://\#(found.output.2)","rac://\#(found.output.1)"]"#))
        }
    }

    /// A client's certificate, and a racd that asks for it: the files are there while their authority is.
    private struct CertifiedClient {
        let authority: TestAuthority
        let variables: [String: String]
        private let files: TestAuthority.Files

        init() throws {
            self.authority = try TestAuthority()
            self.files = try self.authority.sign("kiosk", extensions: "extendedKeyUsage=clientAuth")
            let racd = try self.authority.sign("racd")
            self.variables = [
                "RACD_TLS_CERT": racd.certificate, "RACD_TLS_KEY": racd.key, "RACD_TLS_CLIENT_CA": self.authority.file,
                "RACD_LISTEN": "tls:127.0.0.1:0",
            ]
        }

        var options: [String] {
            ["--ca", self.authority.file, "--cert", self.files.certificate, "--key", self.files.key]
        }
    }

    @Test("A context has the CA, the certificate and the key, which a program that racctl starts finds, too")
    func context() async throws {
        let client = try CertifiedClient()
        try await Workplace.with { workplace in
            let racd = try await Started(workplace, [], client.variables)
            // The variables of the environment do not count behind --context.
            let own = [
                "XDG_CONFIG_HOME": workplace.path("config"), "RACCTL_CA": "/nothing", "RACD_SERVER": "unix:/nothing",
            ]
            let path = Program.path(of: "racctl")
            let add = try workplace.start(
                path,
                ["context", "add", "lab", "-s", racd.url] + client.options,
                environment: own
            )
            expect(await add.ended() == Ended(status: 0, output: [], errors: []))
            let set = try await racd.racctl("set", "a", "7", "--context", "lab", environment: own)
            expect(set == Ended(status: 0, output: [], errors: []))
            let watch = try await racd.racctl(
                "watch",
                "a",
                "-n",
                "1",
                "--context",
                "lab",
                "--exec",
                path,
                "get",
                "a",
                environment: own
            )
            expect(watch == Ended(status: 0, output: ["7"], errors: []))
            let half = try await racd.racctl("context", "add", "x", "-s", racd.url, "--cert", "c", environment: own)
            #expect(half.status == 2 && half.errors.first?.contains("--key is missing") == true)
        }
    }

    @Test("A link has the CA, the certificate and the key of its command line")
    func link() async throws {
        let client = try CertifiedClient()
        try await Workplace.with { workplace in
            let racd = try await Started(workplace, [], client.variables)
            let words = ["link", "a", "b", "--once", "-s", racd.url] + client.options
            let link = try workplace.start(Program.path(of: "racctl"), words)
            expect(await link.errors.next() == "racctl: linked")
            link.signal(SIGTERM)
            expect(await link.ended().status == 130)
        }
    }

    @Test("Each failure is one line that says what would help, with an exit code of its own")
    func failures() async throws {
        let (authority, other) = (try TestAuthority(), try TestAuthority())
        let files = try authority.sign("racd", extensions: "subjectAltName=IP:127.0.0.1")
        let environment = [
            "RACD_TLS_CERT": files.certificate, "RACD_TLS_KEY": files.key, "RACD_TLS_CLIENT_CA": authority.file,
            "RACD_LISTEN": "tls:127.0.0.1:0",
        ]
        try await Workplace.with { workplace in
            let racd = try await Started(workplace, [], environment)
            let kiosk = try authority.sign("kiosk", extensions: "extendedKeyUsage=clientAuth")
            let stranger = try other.sign("stranger", extensions: "extendedKeyUsage=clientAuth")
            let own = ["RACCTL_CERT": kiosk.certificate, "RACCTL_KEY": kiosk.key, "RACCTL_CA": authority.file]
            expect(try await racd.racctl("set", "a", "1", "-s", racd.url, environment: own).status == 0)

            let (url, ca) = (racd.url, authority.file)
            let name = url.replacing("127.0.0.1", with: "localhost")
            let place = url.dropFirst("racs://".count)
            let signed = "the certificate of racd at \(url) is signed by no authority that this program trusts"
            let refused = "racd at \(url) does not accept this client's certificate: it trusts another authority"
            let cases: [([String], Int32, String)] = [
                (["-s", url], 5, "\(signed): --ca FILE names its CA"),
                (["-s", url, "--ca", other.file], 5, "\(signed): --ca FILE names its CA"),
                (
                    ["-s", name, "--ca", ca, "--cert", kiosk.certificate, "--key", kiosk.key], 5,
                    "the certificate of racd at \(name) is for another host name, 127.0.0.1: "
                        + "name the host in --server as the certificate does"
                ),
                (
                    ["-s", url, "--ca", ca], 5,
                    "racd at \(url) wants a certificate of this client: say --cert FILE --key FILE"
                ),
                (
                    ["-s", url, "--ca", ca, "--cert", stranger.certificate, "--key", stranger.key], 5,
                    "\(refused): --cert FILE --key FILE name another one"
                ),
                (["-s", racd.plainURL], 6, "the daemon at \(place) speaks TLS: use \(url)"),
                (["-s", url, "--ca", "nowhere"], 2, "cannot read nowhere: No such file or directory"),
                (
                    ["-s", url, "--cert", kiosk.certificate, "--key", stranger.key], 2,
                    "the key in \(stranger.key) does not belong to \(kiosk.certificate)"
                ),
                (
                    ["-s", url, "--cert", kiosk.certificate], 2,
                    "--key is missing: a certificate and its key belong together. See racctl get --help"
                ),
            ]
            for (words, status, message) in cases {
                let ended = try await workplace.start(Program.path(of: "racctl"), ["get", "a"] + words).ended()
                expect(ended == Ended(status: status, output: [], errors: ["racctl: \(message)"]))
            }
        }
    }

    @Test("TLS on a plain address is reported")
    func tlsOnPlain() async throws {
        try await Workplace.with { workplace in
            let racd = try await Started(workplace, ["--listen", "127.0.0.1:0"])
            let url = racd.url.replacing("rac://", with: "racs://")
            let ended = try await racd.racctl("ping", "-s", url)
            let help = "answers, but without TLS: is it a plain address, which begins with rac://?"
            expect(ended == Ended(status: 6, output: [], errors: ["racctl: \(url) \(help)"]))
            let line = try #require(await racd.logged("warning"))
            #expect(line.contains("the client began TLS, which this address does not speak: connect with rac://"))
        }
    }

    @Test("SIGHUP has the certificate read again, and clients stay")
    func renewal() async throws {
        let authority = try TestAuthority()
        let files = try authority.sign("racd", extensions: "subjectAltName=DNS:elsewhere.example,IP:127.0.0.1")
        let options = ["--listen", "tls:127.0.0.1:0", "--tls-cert", files.certificate, "--tls-key", files.key]
        try await Workplace.with { workplace in
            let racd = try await Started(workplace, options)
            let environment = ["RACCTL_CA": authority.file]
            let (racctl, url) = (Program.path(of: "racctl"), racd.url)
            _ = try await racd.racctl("set", "a", "1", "-s", url, environment: environment)
            let binding = try workplace.start(racctl, ["bind", "a", "-s", url], environment: environment, input: .pipe)
            expect(await binding.output.next() == "1")
            let new = try authority.sign("new")
            for (old, new) in [(files.certificate, new.certificate), (files.key, new.key)] {
                try Data(contentsOf: URL(filePath: new)).write(to: URL(filePath: old))
            }
            racd.program.signal(SIGHUP)
            _ = try #require(await racd.logged("took a certificate"))
            let named = url.replacing("127.0.0.1", with: "localhost")
            expect(try await racd.racctl("set", "a", "2", "-s", named, environment: environment).errors == [])
            expect(await binding.output.next() == "2")
            racd.program.signal(SIGTERM)
            expect(await racd.program.ended().status == 0)
        }
    }

    @Test("A command that was connected waits for a good certificate, and a first connection does not")
    func mistrust() async throws {
        let authority = try TestAuthority()
        let (good, expired) = (try authority.sign("racd"), try authority.sign("old", time: .past))
        func options(_ files: TestAuthority.Files, _ port: some StringProtocol) -> [String] {
            ["--listen", "tls:127.0.0.1:\(port)", "--tls-cert", files.certificate, "--tls-key", files.key]
        }
        try await Workplace.with { workplace in
            let racd = try await Started(workplace, options(good, "0"))
            let port = try #require(racd.url.split(separator: ":").last)
            let environment = ["RACCTL_CA": authority.file, "RACD_SERVER": "racs://localhost:\(port)"]
            let (racctl, words) = (Program.path(of: "racctl"), ["wait", "a", "exists"])
            let waiting = try workplace.start(racctl, words, environment: environment)
            while try await racd.racctl("who", "-o", "json", environment: environment).output.count < 2 {}
            racd.program.signal(SIGTERM)
            expect(await racd.program.ended().status == 0)
            expect(await waiting.errors.next()?.hasSuffix("; connecting again") == true)
            let other = try await Started(workplace, options(expired, port))
            expect(await waiting.errors.next()?.hasSuffix("has expired; connecting again") == true)
            expect(try await other.racctl("wait", "a", "exists", environment: environment).status == 5)
            other.program.signal(SIGTERM)
            expect(await other.program.ended().status == 0)
            let last = try await Started(workplace, options(good, port))
            expect(await waiting.errors.next() == "racctl: connected again")
            expect(try await last.racctl("set", "a", "1", environment: environment).status == 0)
            expect(await waiting.ended().status == 0)
            last.program.signal(SIGTERM)
            expect(await last.program.ended().status == 0)
        }
    }

    @Test(
        "A certificate on the command line that leads to no TLS, or the reverse, is a usage error",
        arguments: [
            (["--tls-cert", "c"], "--tls-key is missing: a certificate and its key belong together"),
            (["--tls-client-ca", "a"], "--tls-client-ca needs --tls-cert and --tls-key"),
            (
                ["--tls-cert", "c", "--tls-key", "k", "--tls-clients", "optional"],
                "--tls-clients needs --tls-client-ca"
            ),
            (
                ["--tls-cert", "c", "--tls-key", "k", "--listen", "127.0.0.1:0"],
                "--tls-cert is for tls: addresses: say --listen tls:127.0.0.1:0"
            ),
            (["--listen", "tls:127.0.0.1:0"], "racs://127.0.0.1:0 needs a certificate: say --tls-cert and --tls-key"),
            (
                ["--tls-cert", "c", "--tls-key", "k", "--listen", "either:0.0.0.0:0"],
                "either:0.0.0.0:0 can be reached from other machines: write tls: instead of either:"
            ),
            (
                ["--tls-cert", "c", "--tls-key", "k", "--listen", "tls:0.0.0.0:0"],
                "0.0.0.0:0 can be reached from other machines and racd asks nobody who they are: "
                    + "listen on 127.0.0.1, configure principals, or say --insecure"
            ),
            (
                ["--tls-cert", "c", "--tls-key", "k", "--tls-client-ca", "a", "--tls-clients", "optional"]
                    + ["--listen", "tls:0.0.0.0:0"],
                "0.0.0.0:0 can be reached from other machines and racd asks nobody who they are: "
                    + "listen on 127.0.0.1, configure principals, or say --insecure"
            ),
        ]
    )
    func usage(arguments: [String], message: String) async throws {
        try await Workplace.with { workplace in
            let ended = try await workplace.racd(["--memory"] + arguments).ended()
            expect(ended == Ended(status: 2, output: [], errors: ["racd: \(message). See racd serve --help"]))
        }
    }

    @Test("Clients that need a certificate may come from other machines without --insecure")
    func closed() async throws {
        let authority = try TestAuthority()
        let files = try authority.sign("racd")
        let options = ["--tls-cert", files.certificate, "--tls-key", files.key, "--tls-client-ca", authority.file]
        try await Workplace.with { workplace in
            let racd = try await Started(workplace, ["--listen", "tls:0.0.0.0:0"] + options)
            #expect(racd.url.hasPrefix("racs://127.0.0.1:"))
        }
    }
}
