import Expectations
import NIOHTTP1
import RacProtocol
import Testing

@testable import RacWeb

/// The forms in which a head may come, and what conditions of it mean.
@Suite struct PlainHeadTests {
    private static func head(_ uri: String, _ headers: HTTPHeaders = [:]) -> HTTPRequestHead {
        HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: headers)
    }

    @Test("White space at the ends of a header's value is no part of it")
    func space() {
        let head = Self.head("/", ["Content-Length": "1 ", "Host": "\tlocalhost", "User-Agent": "a b"]).plain
        expect(head.headers["content-length"] == ["1"])
        expect(head.headers["host"] == ["localhost"])
        expect(head.headers["user-agent"] == ["a b"])
    }

    @Test(
        "The host of an absolute target takes the place of Host",
        arguments: [
            ("http://racd.example:7220/v1/channels/a?sync", "racd.example:7220", "/v1/channels/a?sync"),
            ("HTTPS://racd.example", "racd.example", "/"), ("http://racd.example?x", "racd.example", "/?x"),
            ("/v1/http://other", "localhost", "/v1/http://other"), ("*", "localhost", "*"),
        ]
    )
    func absolute(uri: String, host: String, rest: String) {
        let head = Self.head(uri, ["Host": "localhost"]).plain
        expect(head.headers["host"] == [host])
        expect(head.uri == rest)
    }

    @Test(
        "A tag is known by itself, in a list, as a weak one and by *",
        arguments: [
            (["\"41\""], true), (["\"1\", \"41\""], true), (["\"1\"", "W/\"41\""], true), (["*"], true),
            (["\"4\""], false), (["41"], false), (["w/\"41\""], false),
        ]
    )
    func tags(values: [String], isKnown: Bool) throws {
        let tags = try #require(EntityTags(Self.head("/", HTTPHeaders(values.map { ("If-None-Match", $0) }))))
        expect(tags.contains(Revision(41)) == isKnown)
    }

    @Test("A channel without a value has no tag for *, and a head without the header has no tags")
    func noTags() {
        expect(EntityTags(Self.head("/", ["If-None-Match": "*"]))?.contains(.never) == false)
        expect(EntityTags(Self.head("/")) == nil)
    }
}
