import Expectations
import Logging
import RacAccess
import RacProtocol
import RacServer
import Testing
@testable import RacConfiguration

/// The lines of all faults of a text; empty if it has none.
func faults(_ text: String) -> [String] {
    do throws(ConfigurationError) {
        _ = try ConfigurationFile(text: text, path: "f")
        return []
    } catch {
        return error.lines
    }
}

@Suite struct ConfigurationFileTests {
    private static let hash = TokenHash(of: "t").description

    @Test("Every key is taken")
    func all() throws {
        let text = """
            data = "data"
            durability = "normal"
            max-frame = 65536
            max-connections = 77
            threads = 3
            log-level = "debug"
            log-format = "json"
            insecure = true
            socket-mode = "0660"
            socket-group = "7"
            token-file = "/run/tokens"
            anonymous = ["guest"]

            [[listen]]
            address = "127.0.0.1:7220"

            [[listen]]
            address = "[::1]:7221"
            certificate = "c.pem"
            key = "/k.pem"
            client-ca = "ca.pem"
            clients = "optional"

            [[role]]
            name = "guest"
            read = ["room/**", "$sys/version"]
            write = ["status/{user}"]
            deny = ["room/safe"]

            [[role]]
            name = "chief"
            admin = true
            connections = 1
            messages-per-second = 2
            bytes-per-second = 3
            bindings = 4
            channels = 5
            value-bytes = 6

            [[principal]]
            name = "kiosk"
            roles = ["guest", "chief"]
            token = ["\(Self.hash)"]
            token-expires = 2027-01-31T12:00:00+01:00
            certificate = "spiffe://lab/kiosk"
            unix-user = [0, "1"]

            [[jwt]]
            issuer = "https://id.lab"
            audience = "racd"
            keys = "jwks.json"
            algorithms = ["RS256", "EdDSA"]

            [[jwt]]
            issuer = "other"
            audience = ["a", "b"]
            keys = "/run/jwks.json"
            algorithms = ["ES256"]
            roles-claim = ["realm_access", "roles"]
            name-claim = "email"
            leeway = 0
            """
        let file = try ConfigurationFile(text: text, path: "/etc/racd/racd.toml")
        let settings = file.settings
        expect(settings.storage == .folder("/etc/racd/data"))
        expect(settings.durability == .normal)
        expect([settings.maxFrame, settings.maxConnections, settings.threads] == [65536, 77, 3])
        expect(settings.logLevel == .debug)
        expect(settings.logFormat == .json)
        expect(settings.isInsecure == true)
        expect(settings.socketMode == 0o660)
        expect(settings.socketGroup == 7)
        let listeners = try #require(settings.listeners)
        expect(listeners.map(\.address.description) == ["127.0.0.1:7220", "racs://[::1]:7221"])
        expect(listeners[0].tls == nil)
        let tls = try #require(listeners[1].tls)
        expect([tls.certificateFile, tls.keyFile] == ["/etc/racd/c.pem", "/k.pem"])
        expect(tls.clients == .optional(authorityFile: "/etc/racd/ca.pem"))
        #expect(file.access.isClosed)
        expect(file.access.tokenFile == "/run/tokens")
        expect(file.access.roles.map(\.isAdministrator) == [false, true])
        expect(RoleBound.allCases.map { file.access.roles[1].bounds[$0] } == [1, 2, 3, 4, 5, 6])
        expect(file.access.roles[0].bounds == RoleBounds())
        let principal = try #require(file.access.principals.first)
        expect(principal.unixUsers == [0, 1])
        expect(principal.certificates == ["spiffe://lab/kiosk"])
        expect(principal.tokens == [.init(hash: TokenHash(of: "t"), expiresAt: 1_801_393_200_000)])
        let terms = IssuerTerms(issuer: "https://id.lab", audiences: ["racd"], algorithms: [.rs256, .edDSA])
        #expect(terms.rolesClaim == ["roles"] && terms.nameClaim == "sub" && terms.leeway == 60_000)
        let other = IssuerTerms(
            issuer: "other",
            audiences: ["a", "b"],
            algorithms: [.es256],
            rolesClaim: ["realm_access", "roles"],
            nameClaim: "email",
            leeway: 0
        )
        expect(file.access.issuers.map(\.terms) == [terms, other])
        expect(file.access.issuers.map(\.keyFile) == ["/etc/racd/jwks.json", "/run/jwks.json"])
        let policy = try #require(try file.access.policy())
        expect(policy.rights(of: .anonymous)?.allows(.read, try ChannelName("room/1")) == true)
    }

    @Test(
        "The path of a Unix socket begins in the folder of the file",
        arguments: [("unix:racd.sock", "/etc/racd/racd.sock"), ("unix:/run/racd.sock", "/run/racd.sock")]
    )
    func socketPath(written: String, path: String) throws {
        let file = try ConfigurationFile(text: "[[listen]]\naddress = \"\(written)\"", path: "/etc/racd/racd.toml")
        expect(file.settings.listeners?.map(\.address) == [.unix(path: path)])
    }

    @Test("An empty file sets nothing and leaves racd open", arguments: ["", "# nothing\n", "anonymous = []\n"])
    func empty(text: String) throws {
        let file = try ConfigurationFile(text: text, path: "f")
        expect(file.settings.listeners == nil)
        expect(file.settings.storage == nil)
        #expect(!file.access.isClosed)
        #expect(try file.access.policy() == nil)
    }

    @Test(
        "A value at fault has one line, with its key and what the key takes",
        arguments: [
            ("a = \"x\nb = 1", "f:1: this is no TOML, column 7: a string does not end"),
            ("a = 1\n[b", "f:2: this is no TOML, column 3: a header ends with ], not with the end of the file"),
            ("thread = 1", "f:1: thread: there is no such key; 'threads' may be meant"),
            ("\n\nlog = \"x\"", "f:3: log: there is no such key"),
            ("[jwt]\nissuer = \"x\"", "f:1: jwt: the value is a table, and the key takes tables, each"),
            ("threads = \"1\"", "f:1: threads: the value is a string, and the key takes an integer from 1 to 64"),
            ("threads = 65", "f:1: threads: the value is 65, and the key takes 1 to 64"),
            ("threads = 1.0", "f:1: threads: the value is a number with a point, and the key takes an integer"),
            ("max-frame = 1000", "f:1: max-frame: the value is 1000, and the key takes 1024 to 1073741824"),
            ("data = 1", "f:1: data: the value is an integer, and the key takes a string"),
            ("data = \"\"", "f:1: data: the value is empty"),
            ("memory = 1", "f:1: memory: the value is an integer, and the key takes true or false"),
            ("memory = true\ndata = \"d\"", "f:1: memory: 'memory' and 'data' exclude each other"),
            ("durability = \"high\"", "f:1: durability: the value is \"high\", and the key takes one of \"full\", "),
            ("log-level = \"loud\"", "f:1: log-level: the value is \"loud\", and the key takes one of \"trace\", "),
            ("socket-mode = \"888\"", "f:1: socket-mode: a mode is an octal number from 0 to 777, such as 0660"),
            (
                "socket-mode = 0o660",
                "f:1: socket-mode: the value is an integer, and the key takes an octal number in quotes"
            ),
            (
                "socket-mode = 0660",
                "f:1: this is no TOML, column 15: '0660' is no value; a mode such as 0660 stands in quotes"
            ),
            ("address = \"127.0.0.1:1\"", "f:1: address: the key belongs under [[listen]]"),
            ("certificate = \"c\"", "f:1: certificate: the key belongs under [[listen]] or [[principal]]"),
            ("[web]\ndurability = \"full\"", "f:2: web.durability: the key belongs above the first table"),
            ("[[role]]\nname = \"r\"\nthreads = 2", "f:3: role.threads: the key belongs above the first table"),
            ("socket-group = \"no such\"", "f:1: socket-group: there is no group 'no such'"),
            ("a = \"x\\u0000y\"", "f:1: this is no TOML, column 7: no value has the character U+0000"),
            ("[threads]\nx = 1", "f:1: threads: the value is a table, and the key takes an integer"),
        ]
    )
    func values(text: String, line: String) {
        Self.expectFault(text, line)
    }

    @Test(
        "A listener at fault has one line",
        arguments: [
            ("listen = [\"127.0.0.1:1\"]", "f:1: listen: the value is a string, and the key takes tables, each under"),
            (
                "[listen]\naddress = \"127.0.0.1:1\"",
                "f:1: listen: the value is a table, and the key takes tables, each"
            ),
            ("[[listen]]\n", "f:1: listen: the key 'address' is missing"),
            ("[[listen]]\naddress = \"7220\"", "f:2: listen.address: the host is missing: 127.0.0.1:7220 is for"),
            ("[[listen]]\naddress = \"rac://a:1\"", "f:2: listen.address: rac:// is for clients: write 'a:1'"),
            ("[[listen]]\naddress = \"[::1]:65536\"", "f:2: listen.address: a port is 0 to 65535, not 65536"),
            ("[[listen]]\naddress = \"x\"", "f:2: listen.address: an address is HOST:PORT or unix:PATH"),
            (
                "[[listen]]\naddress = \"unix:a\"\n[[listen]]\naddress = \"unix:a\"",
                "f:4: listen.address: another [[listen]] has this address, too"
            ),
            (
                "[[listen]]\naddress = \"0.0.0.0:1\"\n[[listen]]\naddress = \"127.0.0.1:1\"",
                "f:4: listen.address: 0.0.0.0:1 has this port already: leave one of the two out"
            ),
            ("[[listen]]\naddress = \"a:1\"\ntls = \"on\"", "f:3: listen.tls: the value is \"on\", and the key takes"),
            ("[[listen]]\naddress = \"a:1\"\ncertificate = \"c\"", "f:1: listen: the key 'key' is missing"),
            (
                "[[listen]]\naddress = \"a:1\"\ntls = \"off\"\nkey = \"k\"",
                "f:4: listen.key: the listener has no TLS: set tls = \"required\", or leave the key out"
            ),
            (
                "[[listen]]\naddress = \"a:1\"\ntls = \"either\"\ncertificate = \"c\"\nkey = \"k\"",
                "f:3: listen.tls: others can reach the address, so their tokens need TLS: set \"required\""
            ),
            (
                "[[listen]]\naddress = \"a:1\"\ncertificate = \"c\"\nkey = \"k\"\nclients = \"required\"",
                "f:5: listen.clients: client certificates need the key 'client-ca'"
            ),
            (
                "[[listen]]\naddress = \"unix:/s\"\ntls = \"required\"",
                "f:3: listen.tls: a Unix socket has no TLS: its mode and group say who reaches it; leave the key out"
            ),
            (
                "[[listen]]\naddress = \"unix:/s\"\nclients = \"required\"",
                "f:3: listen.clients: a Unix socket has no TLS: its mode and group say who reaches it; leave the key out"
            ),
            (
                "[[listen]]\naddress = \"a:1\"\ncertificate = \"c\"\nkey = \"k\"\nclient-ca = \"ca\"\nclients = \"none\"",
                "f:5: listen.client-ca: clients = \"none\" asks nobody for a certificate: leave one of the two keys out"
            ),
            (
                "[[listen]]\naddress = \"[::1]:1\"\ntls = \"either\"\ncertificate = \"c\"\nkey = \"k\"\nclient-ca = \"ca\"",
                "f:6: listen.client-ca: clients without TLS show no certificate: set tls = \"required\" or clients = \"optional\""
            ),
            ("[[listen]]\naddress = \"a:1\"\nport = 1", "f:3: listen.port: there is no such key"),
        ]
    )
    func listeners(text: String, line: String) {
        Self.expectFault(text, line)
    }

    @Test(
        "A role at fault has one line",
        arguments: [
            ("read = [\"a//b\"]", "f:4: role.read: the pattern 'a//b' is none: "),
            ("read = \"a\"", "f:4: role.read: the value is a string, and the key takes an array of strings"),
            ("read = [1]", "f:4: role.read: the value is an integer, and the key takes strings"),
            ("read = [\"a/{me}\"]", "f:4: role.read: in 'a/{me}' only {user} may have braces"),
            ("write = [\"$sys/version\"]", "f:4: role.write: '$sys/version' never applies: names that begin with $"),
            ("exec = [\"$a\"]", "f:4: role.exec: '$a' never applies: names that begin with $ can only be read"),
            ("lead = [\"a\"]\ndeny = [\"a\"]", "f:4: role.lead: 'a' never applies: deny has 'a', and a denial wins"),
            ("read = [\n\"a\",\n\"b/c\"]\ndeny = [\"b/*\"]", "f:4: role.read: 'b/c' never applies: deny has 'b/*'"),
            ("admin = [\"x\"]", "f:4: role.admin: the value is an array, and the key takes true or false"),
            ("reads = []", "f:4: role.reads: there is no such key; 'read' may be meant"),
            ("connections = 0", "f:4: role.connections: the value is 0, and the key takes 1 to 1000000"),
            ("channels = -1", "f:4: role.channels: the value is -1, and the key takes 0 to 1000000"),
            ("value-bytes = \"1k\"", "f:4: role.value-bytes: the value is a string, and the key takes an integer"),
            ("message-per-second = 1", "f:4: role.message-per-second: there is no such key; 'messages-per-second'"),
            ("[[role]]\nname = \"r\"", "f:5: role.name: another [[role]] has this name, too"),
            ("[[role]]\nread = []", "f:4: role: the key 'name' is missing"),
        ]
    )
    func roles(text: String, line: String) {
        Self.expectFault("anonymous = [\"r\"]\n[[role]]\nname = \"r\"\n" + text, line)
    }

    @Test(
        "A principal at fault has one line",
        arguments: [
            (
                "name = \"a/b\"\nroles = []\nunix-user = 1",
                "f:2: principal.name: the principal's name 'a/b' may have no /"
            ),
            ("name = \"a\"\nunix-user = 1", "f:1: principal: the key 'roles' is missing"),
            ("name = \"a\"\nroles = []\ncertificate = \"\"", "f:4: principal.certificate: the value is empty"),
            ("name = \"a\"\nroles = []", "f:1: principal: nobody can be this principal: give it 'token'"),
            ("name = \"a\"\nroles = []\ntoken = []", "f:4: principal.token: the array is empty"),
            ("name = \"a\"\nroles = []\ncertificate = []", "f:4: principal.certificate: the array is empty"),
            ("name = \"a\"\nroles = []\nunix-user = []", "f:4: principal.unix-user: the array is empty"),
            ("name = \"a\"\nroles = [\"r\"]\nunix-user = 1", "f:3: principal.roles: there is no role 'r'"),
            (
                "name = \"a\"\nroles = []\nunix-user = \"no such\"",
                "f:4: principal.unix-user: there is no user 'no such'"
            ),
            (
                "name = \"a\"\nroles = []\nunix-user = 1.5",
                "f:4: principal.unix-user: the value is a number with a point"
            ),
            (
                "name = \"a\"\nroles = []\nunix-user = 1\n[[principal]]\nname = \"b\"\nroles = []\nunix-user = 1",
                "f:8: principal.unix-user: 'a' has this value, too"
            ),
            (
                "name = \"a\"\nroles = []\ntoken-expires = 2027-01-01\nunix-user = 1",
                "f:4: principal.token-expires: the principal has no key 'token' that could expire"
            ),
            (
                "name = \"a\"\nroles = []\ntoken = \"\(hash)\"\ntoken-expires = 2027-01-01T00:00:00",
                "f:5: principal.token-expires: the value is a time without an offset, and the key takes a time with its"
            ),
        ]
    )
    func principals(text: String, line: String) {
        Self.expectFault("[[principal]]\n" + text, line)
    }

    @Test(
        "An issuer at fault has one line",
        arguments: [
            ("issuer", "", "f:2: jwt: the key 'issuer' is missing"),
            ("audience", "", "f:2: jwt: the key 'audience' is missing"),
            ("keys", "", "f:2: jwt: the key 'keys' is missing"),
            ("algorithms", "", "f:2: jwt: the key 'algorithms' is missing"),
            ("issuer", "issuer = 1", "f:3: jwt.issuer: the value is an integer, and the key takes a string"),
            ("issuer", "issuer = \"\"", "f:3: jwt.issuer: the value is empty"),
            ("audience", "audience = []", "f:4: jwt.audience: the array is empty"),
            ("audience", "audience = [\"\"]", "f:4: jwt.audience: the value is empty"),
            ("audience", "audience = [1]", "f:4: jwt.audience: the value is an integer, and the key takes strings"),
            ("algorithms", "algorithms = []", "f:6: jwt.algorithms: the array is empty"),
            (
                "algorithms", "algorithms = [\"HS256\"]",
                "f:6: jwt.algorithms: 'HS256' is no algorithm that racd takes: a secret that checks"
            ),
            ("algorithms", "algorithms = [\"none\"]", "f:6: jwt.algorithms: 'none' is no algorithm that racd"),
            ("leeway", "leeway = 3601", "f:7: jwt.leeway: the value is 3601, and the key takes 0 to 3600"),
            ("leeway", "leeway = \"60s\"", "f:7: jwt.leeway: the value is a string, and the key takes"),
            ("leeway", "roles-claim = []", "f:7: jwt.roles-claim: the array is empty"),
            ("leeway", "name-claim = \"\"", "f:7: jwt.name-claim: the value is empty"),
            ("leeway", "claim = \"x\"", "f:7: jwt.claim: there is no such key"),
        ]
    )
    func issuers(key: String, line: String, fault: String) {
        let lines = [
            "issuer = \"i\"", "audience = \"a\"", "keys = \"k\"", "algorithms = [\"ES256\"]", "leeway = 1",
        ]
        let text = lines.map { $0.hasPrefix(key + " ") ? line : $0 }.joined(separator: "\n")
        Self.expectFault("\n[[jwt]]\n\(text)\n", fault)
    }

    @Test("Two issuers of one name are refused, and an issuer alone closes racd")
    func twoIssuers() throws {
        let table = "[[jwt]]\nissuer = \"i\"\naudience = \"a\"\nkeys = \"k\"\nalgorithms = [\"ES256\"]\n"
        Self.expectFault(
            table + table,
            "f:7: jwt.issuer: another [[jwt]] has this issuer, too: 'audience' takes an array"
        )
        #expect(try ConfigurationFile(text: table, path: "f").access.isClosed)
    }

    @Test("Roles that nobody can have are refused, because racd would be open")
    func unused() {
        Self.expectFault(
            "\n[[role]]\nname = \"r\"",
            "f:2: role: nobody can have these roles, and racd would be open: add a"
        )
    }

    @Test(
        "A name, a proof or a role that does not fit another table is reported with the line of its key",
        arguments: [
            ("[[role]]\nname = \"r\"\n[[role]]\nname = \"r\"", "f:4: role.name: another [[role]] has this name, too"),
            (
                "anonymous = [\"room\"]\n[[role]]\nname = \"rooms\"",
                "f:1: anonymous: there is no role 'room'; 'rooms' may be"
            ),
            ("anonymous = [\"r\", \"r\"]\n[[role]]\nname = \"r\"", "f:1: anonymous: the role 'r' stands twice"),
            (
                "[[principal]]\nname = \"a\"\nroles = []\nunix-user = 1\n[[principal]]\nroles = []\nname = \"a\"\nunix-user = 2",
                "f:7: principal.name: another [[principal]] has this name, too"
            ),
            (
                "[[principal]]\nname = \"a\"\nroles = []\ncertificate = \"c\"\n"
                    + "[[principal]]\nname = \"b\"\nroles = []\ncertificate = [\"d\", \"c\"]",
                "f:8: principal.certificate: 'a' has this value, too"
            ),
            (
                "[[principal]]\nname = \"a\"\nroles = []\nunix-user = [1, 1]",
                "f:4: principal.unix-user: the value stands twice"
            ),
        ]
    )
    func betweenTables(text: String, line: String) {
        Self.expectFault(text, line)
    }

    @Test("Each key is known in every table that its fault message names")
    func keysOfTables() {
        let tables = ["listen", "role", "principal", "jwt"].map { "[[\($0)]]" } + ["[web]"]
        for header in tables {
            for key in TableKeys.headers.keys where TableKeys.headers[key]?.contains(header) == true {
                #expect(!faults("\(header)\n\(key) = 1").contains { $0.contains("no such key") }, "\(header) \(key)")
            }
        }
    }

    @Test("Several faults are reported at once, in the order of their lines, up to a limit")
    func several() {
        let lines = faults("threads = 0\n[[role]]\nreed = []\n[[listen]]\naddress = 1")
        expect(lines.count == 4)
        expect(lines.map { $0.prefix(4) } == ["f:1:", "f:2:", "f:3:", "f:5:"])
        let many = (0..<1000).map { "key-\($0) = 1" }.joined(separator: "\n")
        expect(faults(many).count == 20)
    }

    @Test(
        "No fault shows a token that stands in the wrong place",
        arguments: [
            "[[principal]]\nname = \"a\"\nroles = []\ntoken = \"TOKEN\"", "log-level = \"TOKEN\"", "TOKEN = 1",
            "data = TOKEN", "TOKEN = 1\nTOKEN = 2", "[[TOKEN]\n", "[[role]]\nname = \"r\"\nread = [\"TOKEN//\"]",
            "data = \"TOKEN", "anonymous = [\"TOKEN\"]", "[[principal]]\nname = \"TOKEN/\"\nroles = []",
        ]
    )
    func secrets(text: String) {
        let token = NewToken.make()
        let lines = faults(text.replacing("TOKEN", with: token))
        #expect(!lines.isEmpty)
        #expect(lines.allSatisfy { !$0.contains(token.dropFirst(12)) && !$0.contains("\n") }, "\(lines)")
    }

    @Test("A file that cannot be read is named with the reason")
    func unreadable() {
        let error = #expect(throws: ConfigurationError.self) { try ConfigurationFile(path: "/no/such/file") }
        expect(error?.lines == ["/no/such/file: the file cannot be read: No such file or directory"])
    }

    private static func expectFault(_ text: String, _ line: String) {
        let lines = faults(text)
        #expect(lines.count == 1 && lines.first?.hasPrefix(line) == true, "\(lines)")
    }
}
