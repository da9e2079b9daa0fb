import Expectations
import RacConfiguration
import RacTesting
import Testing

/// The files and folders that a configuration file names.
@Suite struct PlaceTests {
    private let folder: ScratchFolder

    init() throws {
        self.folder = try ScratchFolder()
    }

    /// The lines of all faults without the path of the file.
    private func faults(_ text: String) throws -> [Substring] {
        let path = self.folder.path("racd.toml")
        let configuration = Configuration(file: try ConfigurationFile(text: text, path: path))
        do throws(ConfigurationError) {
            try configuration.checkPlaces()
            return []
        } catch {
            return error.lines.map { $0.dropFirst(path.count) }
        }
    }

    @Test("A certificate, a key or an authority that cannot be used has the line of its key")
    func certificates() throws {
        let authority = try TestAuthority()
        let (good, other) = (try authority.sign("racd"), try authority.sign("other"))
        func listen(_ certificate: String, _ key: String, _ authority: String) -> String {
            """
            [[listen]]
            address = "127.0.0.1:0"
            certificate = "\(certificate)"
            key = "\(key)"
            client-ca = "\(authority)"
            """
        }
        expect(try self.faults(listen(good.certificate, good.key, authority.file)) == [])
        let missing = self.folder.path("c.pem")
        expect(
            try self.faults(listen("c.pem", good.key, authority.file))
                == [":3: listen.certificate: cannot read \(missing): No such file or directory"]
        )
        let none = try self.faults(listen(good.key, good.key, authority.file))
        #expect(none.count == 1 && none[0].hasPrefix(":3: listen.certificate: \(good.key) is no PEM file with a cert"))
        let misfit = try self.faults(listen(good.certificate, other.key, authority.file))
        #expect(misfit.count == 1 && misfit[0].hasPrefix(":4: listen.key: the key in \(other.key) does not belong to"))
        let clients = try self.faults(listen(good.certificate, good.key, "ca.pem"))
        #expect(clients.count == 1 && clients[0].hasPrefix(":5: listen.client-ca: cannot read "))
    }

    @Test("A folder that is not there, or a folder in the place of a file, has the line of its key, all at once")
    func folders() throws {
        let text = """
            token-file = "none/tokens"
            [web]
            console = "page"
            [[listen]]
            address = "unix:\(self.folder.path("none/s"))"
            """
        let path = self.folder.path
        expect(
            try self.faults(text) == [
                ":1: token-file: there is no folder \(path("none")) for the file",
                ":3: web.console: there is no folder \(path("page"))",
                ":5: listen.address: there is no folder \(path("none")) for the socket",
            ]
        )
        let folder = path("")
        expect(
            try self.faults("token-file = \"\(folder)\"")
                == [":1: token-file: \(folder) is a folder, and the key takes a file in it"]
        )
    }

    @Test("A token file that is not there yet, and the folder that a service makes for a socket, are no faults")
    func later() throws {
        expect(try self.faults("token-file = \"tokens\"") == [])
        let text = "[[listen]]\naddress = \"unix:/run/rac-none/s\""
        expect(try self.faults(text) == [])
        let held = try HeldConfiguration(Configuration(file: try ConfigurationFile(text: text, path: "f")))
        expect(held.warnings == ["there is no folder /run/rac-none yet: the service has to make it"])
    }
}
