import Expectations
import Foundation
import RacConnection
import Testing

@testable import racctl

@Suite struct ContextTests {
    /// Does something with a folder for contexts, which is not there yet.
    private func withFolder(_ body: (ContextFolder) throws -> Void) throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "rac-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: home) }
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
        try body(ContextFolder { $0 == "HOME" ? home : nil })
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    // MARK: The text of a file

    @Test("A context is what its text says")
    func roundTrip() throws {
        let files = TLSFiles(authority: "/ca", certificate: "/cert", key: "/key")
        for context in [
            Context(server: "lab:7220"), Context(server: "unix:/a b", tokenFile: "/home/a = b/ c"),
            Context(server: "racs://lab", files: files),
        ] {
            expect(try Context(text: context.text) == context)
        }
        expect(try Context(text: "# a remark\n\n\tserver=h:1 \r\n") == Context(server: "h:1"))
    }

    @Test(
        "A text that is no context is reported with its line and what would be right",
        arguments: [
            ("", "the key 'server' is missing"), ("token-file = /a\n", "the key 'server' is missing"),
            (
                "server = h:1\ncolour = red\n",
                "line 2 has the unknown key 'colour': there are server, token-file, ca, cert, key"
            ),
            ("server\n", "line 1 is not of the form `key = value`"),
            ("server =\n", "line 1 is not of the form `key = value`"),
            ("server = a:1\nserver = b:1", "line 2 has the key 'server' again"),
        ]
    )
    func faults(text: String, reason: String) {
        #expect(throws: ContextFault(reason)) { try Context(text: text) }
    }

    @Test("A name is also that of a file", arguments: ["", ".", "..", "a/b", "-a", ".a", "ä", "a b", "a\0"])
    func names(text: String) throws {
        #expect(throws: (any Error).self) { try ContextName(text) }
        _ = try ContextName("Lab-1_2.x")
        #expect(throws: (any Error).self) { try ContextName(String(repeating: "a", count: 65)) }
    }

    // MARK: The folder

    @Test("Contexts are added, used and removed, and their files are their owner's alone")
    func folder() throws {
        try self.withFolder { folder in
            let (lab, home) = (try ContextName("lab"), try ContextName("home"))
            expect(folder.names == [])
            expect(try folder.used == .standard)
            try folder.add(Context(server: "lab:1", tokenFile: "/t"), as: lab)
            try folder.add(Context(server: "home:1"), as: home)
            expect(folder.names == [home, lab])
            let path = try #require(folder.path)
            for folder in [path, "\(path)/contexts"] { expect(try self.mode(folder) == 0o700) }
            try folder.use(lab)
            expect(try folder.used == lab)
            for file in ["context", "contexts/lab"] { expect(try self.mode("\(path)/\(file)") == 0o600) }
            expect(try folder.context(lab) == Context(server: "lab:1", tokenFile: "/t"))
            try folder.use(home)
            expect(try folder.used == home)
            try folder.remove(home)
            expect(try folder.used == .standard)
            expect(folder.names == [lab])
            expect(try FileManager.default.contentsOfDirectory(atPath: "\(path)/contexts") == ["lab"])
        }
    }

    @Test("A context takes the place of another one if that is wanted")
    func replacing() throws {
        try self.withFolder { folder in
            let name = try ContextName("lab")
            try folder.add(Context(server: "a:1"), as: name)
            try folder.add(Context(server: "b:1"), as: name, replacing: true)
            expect(try folder.context(name) == Context(server: "b:1"))
        }
    }

    @Test("An existing context is not written over, and a missing one is reported")
    func refusals() throws {
        try self.withFolder { folder in
            let (lab, lap) = (try ContextName("lab"), try ContextName("lap"))
            try folder.add(Context(server: "lab:1"), as: lab)
            let again = #expect(throws: CommandFailure.self) { try folder.add(Context(server: "x:1"), as: lab) }
            expect(again?.status == .conflict)
            expect(try folder.context(lab).server == "lab:1")
            for act in [folder.use, folder.remove, { _ = try folder.context($0) }] as [(ContextName) throws -> Void] {
                let missing = #expect(throws: CommandFailure.self) { try act(lap) }
                expect(missing?.status == .missing)
                expect(missing?.message == "there is no context 'lap': did you mean 'lab'?")
            }
        }
    }

    @Test("Many who add one context at once make it once, and every reader sees it whole")
    func atOnce() async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "rac-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: home) }
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
        let name = try ContextName("lab")
        let made = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let folder = ContextFolder { $0 == "HOME" ? home : nil }
                    let path = String(repeating: "x", count: 4000)
                    let context = Context(server: "h:\(number + 1)", tokenFile: "/\(path)")
                    let wasAdded = (try? folder.add(context, as: name)) != nil
                    expect((try? folder.context(name))?.tokenFile?.count == 4001)
                    return wasAdded
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        expect(made == 1)
    }

    @Test("A file that others can write is not trusted, and one with a fault is reported with its path")
    func distrust() throws {
        try self.withFolder { folder in
            let lab = try ContextName("lab")
            try folder.add(Context(server: "lab:1"), as: lab)
            let path = "\(try #require(folder.path))/contexts/lab"
            try FileManager.default.setAttributes([.posixPermissions: 0o620], ofItemAtPath: path)
            let open = #expect(throws: CommandFailure.self) { try folder.context(lab) }
            expect(open?.message == "other users can write \(path) (mode 0620): `chmod 600 \(path)` ends that")
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            expect(try folder.context(lab).server == "lab:1")
            try Data("nonsense".utf8).write(to: URL(filePath: path))
            let fault = #expect(throws: CommandFailure.self) { try folder.context(lab) }
            expect(fault?.message == "\(path): line 1 is not of the form `key = value`")
        }
    }

    @Test("XDG_CONFIG_HOME names the folder if it is a whole path, and without a home there are no contexts")
    func home() throws {
        let variables = ["XDG_CONFIG_HOME": "/x", "HOME": "/h"]
        expect(ContextFolder { variables[$0] }.path == "/x/rac")
        expect(ContextFolder { ["XDG_CONFIG_HOME": "x", "HOME": "/h"][$0] }.path == "/h/.config/rac")
        let none = ContextFolder { _ in nil }
        expect(none.names == [])
        expect(try none.used == .standard)
        #expect(throws: CommandFailure.self) { try none.add(Context(server: "a:1"), as: ContextName("a")) }
    }

    // MARK: The way to a daemon

    /// The address and the token file that words lead to, with `lab` among the contexts, in use or not.
    private func destination(_ words: Destination.Words, using: Bool) throws -> [String] {
        var result: [String] = []
        try self.withFolder { folder in
            try folder.add(Context(server: "lab:1", tokenFile: "/lab"), as: ContextName("lab"))
            if using { try folder.use(ContextName("lab")) }
            let destination = try Destination(words, in: folder)
            result = ["\(destination.address)", destination.tokenFile?.path ?? "-"]
        }
        return result
    }

    @Test("The command line comes first, then the environment, then the context in use, then this machine")
    func precedence() throws {
        var words = Destination.Words()
        expect(try self.destination(words, using: false) == ["127.0.0.1:7220", "-"])
        expect(try self.destination(words, using: true) == ["lab:1", "/lab"])
        words.tokenVariable = "/variable"
        expect(try self.destination(words, using: false) == ["127.0.0.1:7220", "/variable"])
        expect(try self.destination(words, using: true) == ["lab:1", "/variable"])
        words.tokenFile = "/option"
        expect(try self.destination(words, using: true) == ["lab:1", "/option"])
        words.context = try ContextName("lab")
        expect(try self.destination(words, using: false) == ["lab:1", "/option"])
        words.tokenFile = nil
        expect(try self.destination(words, using: false) == ["lab:1", "/lab"])
        words.address = try DaemonAddress("variable:1")
        expect(try self.destination(words, using: false) == ["lab:1", "/lab"])
        words.context = .standard
        expect(try self.destination(words, using: true) == ["127.0.0.1:7220", "-"])
    }

    @Test("A context has the files of TLS that nothing before it names")
    func files() throws {
        try self.withFolder { folder in
            let name = try ContextName("lab")
            let files = TLSFiles(authority: "/ca", certificate: "/cert", key: "/key")
            try folder.add(Context(server: "racs://lab:1", files: files), as: name)
            var words = Destination.Words(context: name)
            expect(try Destination(words, in: folder).tls == (try files.tls))
            words.files = TLSFiles(authority: "/other")
            expect(try Destination(words, in: folder).tls.trust == .file("/other"))
            expect(try Destination(words, in: folder).tls.identity == (try files.tls.identity))
            words = Destination.Words(address: try DaemonAddress("racs://other:1"))
            expect(try Destination(words, in: folder).tls == ClientTLS())
            words.files = TLSFiles(certificate: "/cert")
            let failure = #expect(throws: CommandFailure.self) { try Destination(words, in: folder) }
            expect(failure?.message == "--key is missing: a certificate and its key belong together")
            expect(failure?.status == .usage)
        }
    }

    @Test("A daemon that the command line or the environment names gets no context's token")
    func otherDaemon() throws {
        var words = Destination.Words(address: try DaemonAddress("other:1"))
        expect(try self.destination(words, using: true) == ["other:1", "-"])
        words.tokenVariable = "/variable"
        expect(try self.destination(words, using: true) == ["other:1", "/variable"])
        words.tokenFile = "/option"
        expect(try self.destination(words, using: true) == ["other:1", "/option"])
    }
}
