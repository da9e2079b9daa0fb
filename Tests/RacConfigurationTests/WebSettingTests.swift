import Expectations
import RacConfiguration
import RacWeb
import Testing

/// The table `[web]` of the configuration file.
@Suite struct WebSettingTests {
    private static func web(_ text: String) throws -> WebSettings? {
        Configuration(file: try ConfigurationFile(text: text, path: "f")).web
    }

    @Test("The table says who may use HTTP, and whether anybody may")
    func table() throws {
        let text = "[web]\norigins = [\"https://lab.example:8443\"]\nhosts = [\"racd.example\"]\nconsole = \"/c\"\n"
        let settings = WebSettings(origins: ["https://lab.example:8443"], hosts: ["racd.example"], folder: "/c")
        expect(try Self.web(text) == settings)
        expect(try Self.web("") == WebSettings())
        expect(try Self.web("[web]\nhttp = false") == nil)
        expect(try Self.web("web.http = true") == WebSettings())
    }

    @Test(
        "An origin or a host that no browser would send is a fault with its line",
        arguments: [
            #"origins = ["lab.example"]"#, #"origins = ["https://lab.example/"]"#, #"origins = ["https://*"]"#,
            #"origins = ["HTTPS://lab.example"]"#, #"origins = ["null"]"#, #"origins = ["https://"]"#,
            #"hosts = ["racd.example:7220"]"#, #"hosts = ["*"]"#, #"hosts = ["a b"]"#, "origin = []", "http = 1",
        ]
    )
    func faults(line: String) {
        #expect {
            try Self.web("[web]\n\(line)\n")
        } throws: { error in
            (error as? ConfigurationError)?.lines.first?.contains("f:2: web.") == true
        }
    }

    @Test("An option wins over the file")
    func options() throws {
        var settings = Settings()
        settings.isHTTP = false
        let file = try ConfigurationFile(text: "web.http = true", path: "f")
        let configuration = Configuration(file: file, words: .init(settings))
        expect(configuration.web == nil)
        #expect("\(configuration.origin(of: .http))".contains("http"))
    }
}
