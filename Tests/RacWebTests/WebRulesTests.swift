import Expectations
import NIOHTTP1
import RacProtocol
import RacWeb
import Testing

/// The rules for pages that talk to the daemon.
@Suite struct WebRulesTests {
    private static let rules = WebRules(
        WebSettings(origins: ["https://lab.example"], hosts: ["racd.example"]),
        addresses: ["127.0.0.1", "::1"]
    )

    private static func head(
        _ host: String?,
        origin: String? = nil,
        _ method: HTTPMethod = .GET,
        upgrade: Bool = false
    ) -> HTTPRequestHead {
        var headers = HTTPHeaders()
        if let host { headers.add(name: "Host", value: host) }
        if let origin { headers.add(name: "Origin", value: origin) }
        if upgrade { headers.add(name: "Upgrade", value: "websocket") }
        return HTTPRequestHead(version: .http1_1, method: method, uri: "/", headers: headers)
    }

    private static func page(_ head: HTTPRequestHead, isTLS: Bool = false) throws -> WebRules.Page {
        let page = try Self.rules.judge(head, local: "10.0.0.7", isTLS: isTLS)
        try page.admit(head)
        return page
    }

    private static func status(_ head: HTTPRequestHead) -> UInt? {
        do {
            _ = try Self.page(head)
            return nil
        } catch {
            return (error as? WebProblem)?.status.code
        }
    }

    @Test(
        "A host is an address of the daemon, localhost or a configured name, with any port",
        arguments: [
            "127.0.0.1", "127.0.0.1:7220", "localhost", "LocalHost:80", "[::1]:7220", "10.0.0.7:1", "racd.example:443",
            "localhost.", "LocalHost.:80", "racd.example.", "127.0.0.1:", "localhost:", "[::1]:",
        ]
    )
    func host(host: String) throws {
        expect(try Self.page(Self.head(host)) == .own)
    }

    @Test(
        "A page of another site whose request has no origin is foreign",
        arguments: [("cross-site", true), ("same-site", true), ("same-origin", false), ("none", false)]
    )
    func site(told: String, isForeign: Bool) throws {
        var head = Self.head("localhost:7220")
        head.headers.add(name: "Sec-Fetch-Site", value: told)
        expect(try Self.page(head) == (isForeign ? .foreign(nil) : .own))
    }

    @Test("A host is the IPv4 address by which a client reaches a socket of IPv6")
    func mapped() throws {
        let head = Self.head("192.0.2.5:7220")
        expect(try Self.rules.judge(head, local: "::ffff:192.0.2.5", isTLS: false) == .own)
        let mapped = Self.head("[::ffff:192.0.2.5]:7220")
        expect(try Self.rules.judge(mapped, local: "::ffff:192.0.2.5", isTLS: false) == .own)
        #expect(throws: WebProblem.self) { try Self.rules.judge(head, local: "::ffff:192.0.2.6", isTLS: false) }
    }

    @Test(
        "Another host is misdirected",
        arguments: [
            "evil.example", "127.0.0.1.evil.example", "evil.example:7220", "localhost..", "xlocalhost", "127.0.0.2",
            "localhost:x", "localhost:70000", "localhost:+80", "localhost:80:", "", ".", ":", ":80", "[::1", "[::1]x",
            "localhost@evil.example", "lab.example",
        ]
    )
    func foreignHost(host: String) {
        expect(Self.status(Self.head(host)) == 421)
    }

    @Test("A request has one Host")
    func oneHost() {
        expect(Self.status(Self.head(nil)) == 400)
        var head = Self.head("localhost")
        head.headers.add(name: "host", value: "localhost")
        expect(Self.status(head) == 400)
    }

    @Test("A request of HTTP/1.0 without Host is no page's, unless a browser says so")
    func healthCheck() throws {
        var head = HTTPRequestHead(version: .http1_0, method: .OPTIONS, uri: "/")
        expect(try Self.page(head) == .own)
        head.headers = ["Sec-Fetch-Site": "cross-site"]
        expect(Self.status(head) == 403)
        head.headers = ["Origin": "http://evil.example"]
        expect(Self.status(head) == 400)
    }

    @Test("The refusal of a page names its origin, for the log")
    func namedOrigin() {
        let head = Self.head("localhost", origin: "https://evil.example", .PUT)
        let problem = #expect(throws: WebProblem.self) { try Self.page(head) }
        expect(problem?.refusal.error.message.contains("'https://evil.example'") == true)
    }

    @Test("An origin is compared whole with the host of the request")
    func origin() throws {
        expect(try Self.page(Self.head("localhost:7220", origin: "http://localhost:7220", .PUT)) == .own)
        expect(try Self.page(Self.head("localhost", origin: "https://localhost", .PUT), isTLS: true) == .own)
        let configured = Self.head("localhost", origin: "https://lab.example", .PUT)
        expect(try Self.page(configured) == .configured("https://lab.example"))
    }

    @Test(
        "A page of another origin may do nothing but a simple GET",
        arguments: [
            "http://evil.example", "null", "http://localhost:3000", "https://localhost:7220", "http://localhost",
            "http://localhost:7220.evil.example", "https://lab.example.evil.example", "https://lab.example:444", "",
            "http://lab.example", "file://", "http://127.0.0.1:7220",
        ]
    )
    func foreignOrigin(origin: String) throws {
        expect(try Self.page(Self.head("localhost:7220", origin: origin)) == .foreign(origin))
        for method in [HTTPMethod.PUT, .POST, .DELETE, .OPTIONS, .PATCH] {
            expect(Self.status(Self.head("localhost:7220", origin: origin, method)) == 403)
        }
        expect(Self.status(Self.head("localhost:7220", origin: origin, upgrade: true)) == 403)
    }
}
