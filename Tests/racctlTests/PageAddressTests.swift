import Expectations
import RacConnection
import RacProtocol
import Testing

@testable import racctl

@Suite struct PageAddressTests {
    private static func url(_ address: String, code: String? = nil, _ channel: String? = nil) throws -> String? {
        try PageAddress(try DaemonAddress(address))?.url(code: code, channel: channel.map { try ChannelName($0) })
    }

    @Test("A daemon's page is where the daemon is")
    func places() throws {
        expect(try Self.url("lab:7221") == "http://lab:7221/")
        expect(try Self.url("rac://[::1]") == "http://[::1]:7220/")
        expect(try Self.url("racs://lab.example") == "https://lab.example:7220/")
        expect(try Self.url("racs://[::1]:7") == "https://[::1]:7/")
        expect(try Self.url("unix:/run/racd.sock") == nil)
    }

    @Test("A code and a channel stand in the fragment, and the bytes of a name mean nothing else there")
    func fragments() throws {
        expect(try Self.url("a:1", "room/volume") == "http://a:1/#channels/room/volume")
        expect(try Self.url("a:1", code: "rac_A-b_9") == "http://a:1/#sign-in=rac_A-b_9")
        expect(try Self.url("a:1", code: "c", "a/b") == "http://a:1/#sign-in=c/channels/a/b")
        expect(try Self.url("a:1", code: "-_0") == "http://a:1/#sign-in=-_0")
        let odd = "http://a:1/#channels/%24sys/50%25%20%C3%A9~%26%23%3D%22%3C%27"
        expect(try Self.url("a:1", "$sys/50% é~&#=\"<'") == odd)
    }

    @Test(
        "A code that could command a terminal or a browser is none",
        arguments: ["", "a\u{1B}]0;x\u{7}", "a\u{9B}2J", "\"><script>", "a/b", "a b", "é", "a\u{301}"]
    )
    func badCodes(code: String) {
        #expect(throws: CommandFailure.self) { try Self.url("a:1", code: code) }
    }

    @Test("The file for the browser has no other markup than its own")
    func file() {
        let page = Browser.page(leadingTo: "http://a\"'><script>&\u{301}<\u{301}:1/#c")
        #expect(page.contains("url=http://a&#34;&#39;&#62;&#60;script&#62;&#38;\u{301}&#60;\u{301}:1/#c\">"))
    }
}
