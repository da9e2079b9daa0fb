import Expectations
import RacServer
import Testing

@Suite struct ListenAddressTests {
    @Test(
        "An address is read as it is written",
        arguments: [
            ("127.0.0.1:7220", ListenAddress.tcp(host: "127.0.0.1", port: 7220)),
            ("localhost:0", .tcp(host: "localhost", port: 0)),
            ("example.org:65535", .tcp(host: "example.org", port: 65535)),
            ("[::1]:80", .tcp(host: "::1", port: 80)),
            ("unix:/run/rac d.sock", .unix(path: "/run/rac d.sock")),
            ("unix:relative:1", .unix(path: "relative:1")),
            ("racs://[::1]:7220", .tls(host: "::1", port: 7220)),
            ("rac://tls:80", .tcp(host: "tls", port: 80)),
            ("either:localhost:1", .either(host: "localhost", port: 1)),
        ]
    )
    func reads(text: String, address: ListenAddress) {
        expect(ListenAddress(text) == address)
        expect(address.description == text)
    }

    @Test("An address may be written as clients write it, or with a word for TLS")
    func otherWords() {
        expect(ListenAddress("rac://[::1]:80") == .tcp(host: "::1", port: 80))
        expect(ListenAddress("tls:0.0.0.0:7220") == .tls(host: "0.0.0.0", port: 7220))
    }

    @Test(
        "A text that is no address is not read",
        arguments: [
            "", ":", "7220", ":7220", "host", "host:", "host:port", "host:65536", "host:-1", "::1:80", "[::1]", "[]:80",
            "[host]:80", "[::1:80", "::1]:80", "unix:", "host: 80",
            "tls:", "tls:unix:/a", "racs://", "racs://host", "racs:host:1", "either:host", "either:tls:host:1",
            "tls:::1:80",
        ]
    )
    func refuses(text: String) {
        expect(ListenAddress(text) == nil)
    }

    @Test(
        "Addresses that exclude each other have one port, and one of them contains the other one",
        arguments: [
            ("127.0.0.1:1", "127.0.0.1:1", true), ("127.0.0.1:1", "tls:127.0.0.1:1", true),
            ("127.0.0.1:1", "127.0.0.1:2", false), ("127.0.0.1:0", "0.0.0.0:0", false),
            ("127.0.0.1:1", "0.0.0.0:1", true), ("localhost:1", "tls:0.0.0.0:1", true), ("[::1]:1", "[::]:1", true),
            ("[::1]:1", "0.0.0.0:1", false), ("[::]:1", "0.0.0.0:1", false), ("[::]:1", "127.0.0.1:1", false),
            ("*:1", "[::]:1", true), ("*:1", "127.0.0.1:1", true), ("unix:/a", "unix:/b", false),
            ("127.0.0.1:1", "127.0.0.2:1", false),
        ]
    )
    func overlaps(one: String, other: String, overlaps: Bool) throws {
        let (one, other) = (try #require(ListenAddress(one)), try #require(ListenAddress(other)))
        expect(one.overlaps(other) == overlaps)
        expect(other.overlaps(one) == overlaps)
    }

    @Test(
        "Clients reach a wildcard by the name of the host, or by an address of this machine",
        arguments: [
            ("0.0.0.0:1", "lab.example", "lab.example:1"), ("racs://*:1", "lab.example", "racs://lab.example:1"),
            ("0.0.0.0:1", nil, "127.0.0.1:1"), ("[::]:1", nil, "[::1]:1"), ("*:1", nil, "127.0.0.1:1"),
            ("127.0.0.1:1", "lab.example", "127.0.0.1:1"), ("unix:/a", "lab.example", "unix:/a"),
        ]
    )
    func reachable(text: String, name: String?, expected: String) throws {
        expect(try #require(ListenAddress(text)).reachable(by: name).description == expected)
    }

    @Test(
        "Only loopback addresses and unix sockets are local",
        arguments: [
            ("127.0.0.1:1", true), ("127.8.9.10:1", true), ("[::1]:1", true), ("localhost:1", true),
            ("unix:/a", true), ("0.0.0.0:1", false), ("[::]:1", false), ("10.0.0.1:1", false),
            ("127.0.0.1.example.org:1", false), ("127.example.org:1", false), ("[fe80::1]:1", false),
            ("[::ffff:10.0.0.1]:1", false), ("*:1", false), ("tls:127.0.0.1:1", true), ("racs://10.0.0.1:1", false),
            ("either:localhost:1", true), ("either:[::]:1", false),
        ]
    )
    func isLocal(text: String, isLocal: Bool) throws {
        expect(try #require(ListenAddress(text)).isLocal == isLocal)
    }
}
