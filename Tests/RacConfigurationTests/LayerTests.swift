import Expectations
import Logging
import RacAccess
import RacConfiguration
import RacServer
import Testing

@Suite struct LayerTests {
    private func file(_ text: String) throws -> ConfigurationFile {
        try ConfigurationFile(text: text, path: "/f")
    }

    @Test("Without any source all defaults hold")
    func defaults() {
        let configuration = Configuration()
        #expect(SettingKey.allCases.allSatisfy { configuration.origin(of: $0) == .standard })
        expect(configuration.storage == nil)
        expect(configuration.durability == .full)
        expect(configuration.maxFrame == ServerConfiguration(storage: .memory).maximumFrameBytes)
        expect(configuration.maxConnections == ServerConfiguration(storage: .memory).maximumConnections)
        expect(configuration.threads == ServerConfiguration(storage: .memory).threads)
        expect(configuration.listeners == [ListenerSetting(.standard)])
        #expect(!configuration.access.isClosed)
    }

    @Test("A variable wins over the file, an option over both, and each names its source")
    func precedence() throws {
        var words = Settings()
        words.threads = 3
        words.maxFrame = 2048
        let configuration = Configuration(
            file: try self.file(
                "threads = 2\nmax-frame = 4096\nmax-connections = 9\nanonymous = [\"r\"]\n[[role]]\nname = \"r\""
            ),
            words: .init(words, variables: ["max-frame": "RACD_MAX_FRAME"])
        )
        expect([configuration.threads, configuration.maxFrame, configuration.maxConnections] == [3, 2048, 9])
        expect("\(configuration.origin(of: .threads))" == "option --threads")
        expect("\(configuration.origin(of: .maxFrame))" == "environment RACD_MAX_FRAME")
        expect("\(configuration.origin(of: .maxConnections))" == "file /f")
        expect("\(configuration.origin(of: .anonymous))" == "file /f")
        expect("\(configuration.origin(of: .durability))" == "default")
    }

    @Test("The last source of 'data' or 'memory' counts, since they exclude each other")
    func storage() throws {
        var words = Settings()
        words.storage = .folder("/d")
        let folder = Configuration(file: try self.file("memory = true"), words: .init(words))
        expect(folder.storage == .folder("/d"))
        expect(folder.origin(of: .data) == .option("--data"))
        expect(folder.origin(of: .memory) == .standard)
        words.storage = .memory
        let memory = Configuration(
            file: try self.file("data = \"x\""),
            words: .init(words, variables: ["memory": "RACD_MEMORY"])
        )
        expect(memory.storage == .memory)
        expect(memory.origin(of: .memory) == .environment("RACD_MEMORY"))
        expect(memory.origin(of: .data) == .standard)
    }

    private static let closed = "anonymous = [\"r\"]\n[[role]]\nname = \"r\"\n"

    @Test(
        "A racd that others can reach needs principals and TLS, or a decision",
        arguments: [
            ("", Openness.openHere), ("[[listen]]\naddress = \"unix:s\"", .openHere),
            ("[[listen]]\naddress = \"0.0.0.0:1\"", nil),
            ("insecure = true\n[[listen]]\naddress = \"0.0.0.0:1\"", .openByDecision),
            ("insecure = true", .openHere), (closed, .closed(isExposed: false)),
            ("token-file = \"t\"", .closed(isExposed: false)),
            (closed + "[[listen]]\naddress = \"0.0.0.0:1\"", nil),
            ("insecure = true\n" + closed + "[[listen]]\naddress = \"0.0.0.0:1\"", .closed(isExposed: true)),
            (
                closed + "[[listen]]\naddress = \"0.0.0.0:1\"\ncertificate = \"c\"\nkey = \"k\"",
                .closed(isExposed: false)
            ),
            ("[[listen]]\naddress = \"0.0.0.0:1\"\ncertificate = \"c\"\nkey = \"k\"", nil),
        ] as [(String, Openness?)]
    )
    func openness(text: String, openness: Openness?) throws {
        let configuration = Configuration(file: try self.file(text))
        if let openness {
            expect(try configuration.openness() == openness)
        } else {
            let line = text.split(separator: "\n").firstIndex { $0.hasPrefix("address") }.map { $0 + 1 } ?? 0
            let error = #expect(throws: ConfigurationError.self) { try configuration.openness() }
            let reason = ":\(line): listen.address: 0.0.0.0:1 can be reached from other machines and "
            #expect(error?.lines.first?.contains(reason) == true && error?.lines.count == 1)
            expect(error?.lines.first?.hasSuffix(", or set 'insecure = true'") == true)
        }
    }

    @Test("An address of an option that others can reach has no line, and the option that allows it")
    func opennessOfOption() throws {
        var settings = Settings()
        settings.listeners = [ListenerSetting(.tcp(host: "0.0.0.0", port: 1))]
        let configuration = Configuration(file: try self.file("threads = 1"), words: .init(settings))
        let fault = #expect(throws: ConfigurationFault.self) { try configuration.openness() }
        #expect(fault?.line == nil && fault?.message.hasSuffix(", or say --insecure") == true)
    }

    @Test("A listing is a configuration file with the same settings, and shows no hash")
    func listing() throws {
        let hash = TokenHash(of: "t").description
        let text = """
            data = "/d \\" \\\\"
            socket-mode = "0060"
            socket-group = "5"
            token-file = "/t"
            anonymous = ["a\\tb"]
            [[listen]]
            address = "[::1]:0"
            tls = "either"
            certificate = "/c"
            key = "/k"
            client-ca = "/a"
            clients = "optional"
            [[role]]
            name = "a\\tb"
            read = ["x/{user}"]
            host = ["y"]
            deny = ["z"]
            admin = true
            [[principal]]
            name = "p"
            roles = []
            token = "\(hash)"
            token-expires = 2027-01-01T00:00:00Z
            certificate = "c"
            unix-user = 3
            """
        let configuration = Configuration(file: try self.file(text))
        let lines = ConfigurationListing(configuration, folder: "/d \" \\").lines
        #expect(lines.contains("# token: 1, until 2027-01-01T00:00:00Z"))
        #expect(!lines.joined().contains("sha256"))
        for key in SettingKey.allCases { #expect(lines.contains { $0.contains(key.rawValue) }, "\(key)") }
        let again = Configuration(file: try self.file(lines.joined(separator: "\n")))
        func values(_ lines: [String]) -> [Substring] {
            lines.filter { !$0.hasPrefix("#") }.map { $0.prefix { $0 != "#" } }
        }
        expect(values(ConfigurationListing(again, folder: "/d \" \\").lines) == values(lines))
        expect(again.storage == configuration.storage)
        expect(again.listeners == configuration.listeners)
        expect(again.access.roles == configuration.access.roles)
    }

    @Test("A listing names the source of each setting")
    func sources() {
        let lines = ConfigurationListing(Configuration(), folder: nil).lines
        #expect(lines.contains("memory = true" + String(repeating: " ", count: 27) + "# default"))
        #expect(lines.contains("# token-file: none" + String(repeating: " ", count: 22) + "# default"))
    }
}
