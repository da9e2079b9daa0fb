import Expectations
import Foundation
import NIOCore
import NIOHTTP1
import RacProtocol
import RacWeb
import Testing

/// The files of the page.
@Suite struct WebFileTests {
    private static func head(_ headers: HTTPHeaders) -> HTTPRequestHead {
        HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: headers)
    }

    private static func header(_ name: String, _ response: WebResponse) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    @Test("A file is compressed for clients that take it, and is not sent again to those that have it")
    func forms() throws {
        let file = WebFile(ByteBuffer(string: String(repeating: "la ", count: 500)), path: "song.js")
        let plain = file.answer(to: Self.head([:]))
        expect(plain.body.short == file.plain)
        expect(Self.header("Content-Type", plain) == "text/javascript; charset=utf-8")
        let zipped = file.answer(to: Self.head(["Accept-Encoding": "br, gzip;q=1.0"]))
        expect(Self.header("Content-Encoding", zipped) == "gzip")
        #expect(zipped.body.count < 100)
        for response in [plain, zipped] { expect(Self.header("Vary", response) == "Accept-Encoding") }
        let tag = try #require(Self.header("ETag", plain))
        expect(file.answer(to: Self.head(["If-None-Match": "\"x\", \(tag)"])).status == .notModified)
        expect(file.answer(to: Self.head(["If-None-Match": "\"x\""])).status == .ok)
    }

    @Test("Each form of a file has a tag, and a client that has one form does not know the other")
    func tags() throws {
        let file = WebFile(ByteBuffer(string: String(repeating: "la ", count: 500)), path: "song.js")
        let plain = try #require(Self.header("ETag", file.answer(to: Self.head([:]))))
        let zipped = try #require(Self.header("ETag", file.answer(to: Self.head(["Accept-Encoding": "gzip"]))))
        #expect(plain != zipped)
        for (coding, tag, other) in [("identity", plain, zipped), ("gzip", zipped, plain)] {
            for known in [tag, "W/\(tag)", "*"] {
                let answer = file.answer(to: Self.head(["Accept-Encoding": coding, "If-None-Match": known]))
                expect(answer.status == .notModified)
                expect(Self.header("ETag", answer) == tag)
                expect(Self.header("Content-Encoding", answer) == nil)
            }
            expect(file.answer(to: Self.head(["Accept-Encoding": coding, "If-None-Match": other])).status == .ok)
        }
    }

    @Test(
        "A file is compressed only for a client that accepts gzip",
        arguments: [
            ("gzip", true), ("GZIP", true), ("deflate, gzip;q=0.5", true), ("*", true), ("br;q=1, *;q=0.1", true),
            ("", false), ("identity", false), ("br, deflate", false), ("gzip;q=0", false), ("gzip; q=0.000", false),
            ("*;q=0", false), ("gzip;q=0, *", false),
        ]
    )
    func codings(accepted: String, isZipped: Bool) {
        let file = WebFile(ByteBuffer(string: String(repeating: "la ", count: 500)), path: "song.js")
        let answer = file.answer(to: Self.head(["Accept-Encoding": accepted]))
        expect(answer.body.short == (isZipped ? file.zipped : file.plain))
        expect(Self.header("Content-Encoding", answer) == (isZipped ? "gzip" : nil))
    }

    @Test(
        "The end of a name shows the type of a file, and a type that is compressed is not compressed again",
        arguments: [
            ("a/index.html", "text/html; charset=utf-8", false), ("a.b.mjs", "text/javascript; charset=utf-8", false),
            ("m.wasm", "application/wasm", false), ("f.woff2", "font/woff2", true), ("f.ttf", "font/ttf", false),
            ("site.webmanifest", "application/manifest+json", false), ("favicon.ico", "image/x-icon", false),
            ("A.JPG", "image/jpeg", true), ("a.jpeg", "image/jpeg", true), ("a.svg", "image/svg+xml", false),
            ("film.mp4", "video/mp4", true), ("sound.mp3", "audio/mpeg", true),
            ("mp4", "text/plain; charset=utf-8", false), ("a.js/README", "text/plain; charset=utf-8", false),
            ("a.", "text/plain; charset=utf-8", false),
        ]
    )
    func types(path: String, name: String, isCompressed: Bool) {
        let file = WebFile(ByteBuffer(string: String(repeating: "la ", count: 500)), path: path)
        expect(Self.header("Content-Type", file.answer(to: Self.head([:]))) == name)
        expect((file.zipped == file.plain) == isCompressed)
    }

    @Test("A folder whose path lacks the slash leads to the path with it, and keeps the query")
    func folders() throws {
        for (uri, location) in [
            ("/examples", "./examples/"), ("/a/examples?x=1?", "./examples/?x=1?"), ("/examples?", "./examples/?"),
            ("/b%20c", "./b%20c/"), ("/a:b", "./a:b/"),
        ] {
            let place = try #require(WebPlace(["examples"], EmbeddedFiles.file))
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: uri)
            let answer = place.answer(to: head)
            expect(answer.status == .movedPermanently)
            expect(Self.header("Location", answer) == location)
        }
        #expect(WebPlace(["rac"], EmbeddedFiles.file) == nil)
        #expect(WebPlace(["nothing", ""], EmbeddedFiles.file) == nil)
    }

    @Test("A file of the user's may use fonts, films and styles of its own, and a file of the program may not")
    func policies() {
        var common = CommonHeaders()
        let (own, users) = (common.bytes(at: 1000), common.bytes(at: 1000, isUsers: true))
        #expect(String(buffer: own).contains("Content-Security-Policy: default-src 'none'; "))
        #expect(String(buffer: users).contains("Content-Security-Policy: default-src 'self'; "))
        for bytes in [own, users] {
            #expect(String(buffer: bytes).hasSuffix("\r\n"))
            #expect(!String(buffer: bytes).contains("\r\n\r\n"))
            #expect(String(buffer: bytes).contains("X-Content-Type-Options: nosniff\r\n"))
        }
        let file = ByteBuffer(string: "a")
        #expect(WebFile(file, path: "a.html", isUsers: true).answer(to: Self.head([:])).isUsers)
        #expect(!WebFile(file, path: "a.html").answer(to: Self.head([:])).isUsers)
    }

    @Test("The page is part of the program, and a path that leads out of it names nothing")
    func embedded() throws {
        let page = try #require(EmbeddedFiles.file([""]))
        #expect(String(buffer: page.plain).hasPrefix("<!doctype html>"))
        #expect(EmbeddedFiles.file(["nothing"]) == nil)
        for segments in [["..", "a"], ["a", "..", "b"], [".hidden"], ["", "etc"], ["a\0"], ["a/b"]] {
            #expect(!EmbeddedFiles.isInside(segments))
        }
        #expect(EmbeddedFiles.isInside(["examples", "form.html"]))
    }

    @Test("The program has each file of the page and of rac.js, byte for byte")
    func complete() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let client = root.appending(path: "clients/javascript")
        var files = try Self.files(in: root.appending(path: "console"))
        for (path, file) in try Self.files(in: client.appending(path: "rac")) { files["rac/\(path)"] = file }
        for path in ["rac.js", "rac.d.ts"] { files[path] = client.appending(path: path) }
        expect(EmbeddedFiles.paths.sorted() == files.keys.sorted())
        for (path, file) in files {
            let embedded = try #require(EmbeddedFiles.file(path.split(separator: "/").map(String.init)), "\(path)")
            expect(try embedded.plain == ByteBuffer(bytes: Data(contentsOf: file)), "\(path)")
        }
    }

    /// The files below a folder, by their paths in it; hidden ones are no part of the page.
    private static func files(in folder: URL) throws -> [String: URL] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
        let files = paths.map { ($0, folder.appending(path: $0, directoryHint: .checkFileSystem)) }
            .filter { !$0.1.hasDirectoryPath }
        return Dictionary(uniqueKeysWithValues: files)
    }

    @Test("A browser loads at most 85 000 bytes for the page")
    func size() throws {
        // A page loads neither: types are for editors, and each example is a page.
        let loaded = EmbeddedFiles.paths.filter { $0 != "rac.d.ts" && !$0.hasPrefix("examples/") }
        let files = loaded.compactMap { EmbeddedFiles.file($0.split(separator: "/").map(String.init)) }
        expect(files.count == loaded.count)
        #expect(files.map(\.zipped.readableBytes).reduce(0, +) <= 85_000)
    }

    @Test(
        "A date is written as HTTP has it",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"),
            (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
        ]
    )
    func date(second: Int64, text: String) {
        expect(HTTPDate.text(of: second) == text)
    }
}
