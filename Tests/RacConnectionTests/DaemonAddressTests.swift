import Expectations
import RacConnection
import Testing

@Suite struct DaemonAddressTests {
    @Test(
        "A URL names a host and a port, or the path of a socket",
        arguments: [
            ("rac://127.0.0.1:7220", .tcp(host: "127.0.0.1", port: 7220)),
            ("rac://example.org", .tcp(host: "example.org", port: 7220)),
            ("rac://example.org:1/", .tcp(host: "example.org", port: 1)),
            ("rac://[::1]:80", .tcp(host: "::1", port: 80)),
            ("rac://[::1]", .tcp(host: "::1", port: 7220)),
            ("racs://example.org", .tls(host: "example.org", port: 7220)),
            ("racs://[::1]:80/", .tls(host: "::1", port: 80)),
            ("unix:/run/rac/racd.sock", .unix(path: "/run/rac/racd.sock")),
            ("unix:here", .unix(path: "here")),
            ("127.0.0.1:7220", .tcp(host: "127.0.0.1", port: 7220)),
            ("localhost:1", .tcp(host: "localhost", port: 1)),
            ("[::1]:80", .tcp(host: "::1", port: 80)), ("localhost", .tcp(host: "localhost", port: 7220)),
            ("127.0.0.1", .tcp(host: "127.0.0.1", port: 7220)), ("[::1]", .tcp(host: "::1", port: 7220)),
        ] as [(String, DaemonAddress)]
    )
    func addresses(url: String, address: DaemonAddress) throws {
        expect(try DaemonAddress(url) == address)
    }

    @Test(
        "Any other text is refused with the right form",
        arguments: [
            "", "rac://", "rac://:7220", "rac://a:", "rac://a:x", "rac://a:+1",
            "rac://a/b", "racs://", "racs:a:1", "racs://a/b", "racs://u@a",
            "rac://u@a", "rac://[::1", "rac://[]:1", "rac://[::1]x", "rac://a b", "unix:", "http://a", "::1:80", "::1",
            "a]",
            "localhost:", "localhost:x", "/run/racd.sock", "u@a", "[::1]x", "\u{64C}a", "http://a:1",
            "rac://\u{64C}a:1", "\u{64C}a:1", "a\0b:1",
        ]
    )
    func refusals(url: String) {
        let error = #expect(throws: ClientError.self) { try DaemonAddress(url) }
        expect(error?.code == .invalidURL)
        expect(error?.message.contains("rac://host:port") == true)
    }

    @Test("A port out of range is refused with the range", arguments: ["0", "65536", "70000"])
    func ports(port: String) {
        for place in ["rac://a", "racs://a", "a", "127.0.0.1", "[::1]"] {
            let error = #expect(throws: ClientError.self) { try DaemonAddress("\(place):\(port)") }
            expect(error?.code == .invalidURL)
            expect(error?.message == "a port is 1 to 65535, not \(port)")
        }
    }

    @Test("An address is written as people write it")
    func descriptions() {
        expect(DaemonAddress.local.description == "127.0.0.1:7220")
        expect(DaemonAddress.tcp(host: "::1", port: 1).description == "[::1]:1")
        expect(DaemonAddress.unix(path: "/a").description == "unix:/a")
        expect(DaemonAddress.tls(host: "lab", port: 1).description == "racs://lab:1")
    }
}
