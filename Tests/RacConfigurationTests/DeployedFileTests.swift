import Expectations
import Foundation
import RacAccess
import RacConfiguration
import RacServer
import RacWeb
import Testing

@Suite struct DeployedFileTests {
    private static func lines(of file: String) -> [String] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../deploy").standardized
        let text = try? String(contentsOf: folder.appending(path: file), encoding: .utf8)
        return (text ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static let lines = lines(of: "racd.toml")

    /// The file with each key in effect: a key has no space behind its mark.
    private static let uncommented = lines.map { line in
        line.hasPrefix("#") && !line.hasPrefix("# ") && line != "#" ? String(line.dropFirst()) : line
    }

    private static var keys: Set<String> {
        Set(Self.uncommented.compactMap { $0.firstMatch(of: /^([a-z-]+) *=/).map { String($0.1) } })
    }

    @Test("The file as it is installed sets the data folder alone")
    func installed() throws {
        let file = try ConfigurationFile(text: Self.lines.joined(separator: "\n"), path: "f")
        #expect(!file.access.isClosed)
        let configuration = Configuration(file: file)
        expect(Set(configuration.origins.keys) == [.data])
        expect(configuration.storage == .folder("/var/lib/racd"))
        #expect(Self.lines.count > 50)
    }

    @Test("The file with every key in effect is in order, and shows each default where there is one")
    func uncommented() throws {
        let file = try ConfigurationFile(text: Self.uncommented.joined(separator: "\n"), path: "f")
        let (configuration, standard) = (Configuration(file: file), Configuration())
        expect(configuration.durability == standard.durability)
        expect(configuration.maxFrame == standard.maxFrame)
        expect(configuration.maxConnections == standard.maxConnections)
        expect(configuration.threads == standard.threads)
        expect(configuration.logLevel == standard.logLevel)
        expect(configuration.logFormat == standard.logFormat)
        expect(configuration.isInsecure == standard.isInsecure)
        expect(configuration.listeners.map(\.address.text) == standard.listeners.map(\.address.text))
        #expect(configuration.web != nil && standard.web == WebSettings())
        #expect(Self.uncommented.contains("[web]"))
        #expect(file.access.isClosed)
        let issuer = try #require(file.access.issuers.first?.terms)
        let bare = IssuerTerms(issuer: issuer.issuer, audiences: issuer.audiences, algorithms: issuer.algorithms)
        expect(issuer == bare)
    }

    @Test("The unit restarts racd after each end but a fault in the file, and reads no file again that has one")
    func unit() throws {
        let lines = Self.lines(of: "racd.service").filter { !$0.hasPrefix("#") }
        func values(_ key: String) -> [String] {
            lines.filter { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.count + 1)) }
        }
        let start = try #require(values("ExecStart").first?.firstMatch(of: /^(\S+) serve --config (\S+)\s/)).output
        expect(values("ExecReload") == ["\(start.1) config check \(start.2)", "/bin/kill -HUP $MAINPID"])
        expect(values("Restart") == ["always"])
        expect(values("RestartPreventExitStatus") == ["2"])
        expect(values("StartLimitIntervalSec") == ["0"])
    }

    @Test("No key is missing")
    func complete() {
        let tables = [
            "address", "tls", "certificate", "key", "client-ca", "clients", "name", "roles", "deny", "token",
            "token-expires", "unix-user", "issuer", "audience", "keys", "algorithms", "roles-claim", "name-claim",
            "leeway",
        ]
        let own = SettingKey.allCases.compactMap { $0.rawValue.split(separator: ".").last.map(String.init) }
            .filter { $0 != "listen" }
        let ofRoles = Verb.allCases.map(\.rawValue) + RoleBound.allCases.map(\.rawValue)
        expect(Self.keys == Set(tables + own + ofRoles))
        for table in ["listen", "role", "principal", "jwt"] { #expect(Self.uncommented.contains("[[\(table)]]")) }
    }
}
