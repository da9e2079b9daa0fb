import NIOCore
import NIOHTTP1
import RacProtocol
import RacWeb

/// A request of HTTP: its method and its target in the first line, headers up to an empty line, then the body.
///
/// A refusal has a status from 400 on and a body that is JSON. A request that is taken becomes a message, which the codec of the
/// protocol reads as the same one. No target leads to a file outside the page.
enum RequestTarget {
    private static let rules = WebRules(WebSettings(origins: ["https://lab.example"]), addresses: ["127.0.0.1"])

    static func run(_ input: [UInt8]) throws {
        guard let request = Self.request(input) else { return }
        let route: WebRoute
        do throws(WebProblem) {
            try Self.judge(request.head)
            route = try WebRouter.route(request)
        } catch {
            return try Self.check(error)
        }
        try Self.check(route, request)
    }

    private static func request(_ input: [UInt8]) -> WebRequest? {
        var lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        let words = String(decoding: lines.popFirst() ?? [], as: UTF8.self).split(separator: " ")
        guard words.count == 2 else { return nil }
        var headers = HTTPHeaders()
        while let line = lines.popFirst(), !line.isEmpty {
            let parts = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1)
            // The parser of HTTP refuses other names, and HTTPHeaders ends the process at them.
            guard parts.count == 2, parts[0].utf8.allSatisfy({ $0 < 0x80 }) else { continue }
            headers.add(name: String(parts[0]), value: String(parts[1]))
        }
        let method = HTTPMethod(rawValue: String(words[0]))
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: String(words[1]), headers: headers)
        return WebRequest(head, body: ByteBuffer(bytes: lines.joined(separator: [UInt8(ascii: "\n")])))
    }

    /// No host but those that are known, and no foreign origin but for a simple GET.
    private static func judge(_ head: HTTPRequestHead) throws(WebProblem) {
        guard head.headers.contains(name: "host") else { return }
        try Self.rules.judge(head, local: nil, isTLS: false).admit(head)
    }

    private static func check(_ problem: WebProblem) throws {
        guard problem.status.code >= 400 else { throw Finding("\(problem) has a status of success") }
        guard (try? JSONText(validating: problem.body.whole)) != nil else {
            throw Finding("\(problem) has no body of JSON")
        }
    }

    private static func check(_ route: WebRoute, _ request: WebRequest) throws {
        switch route {
        case .host(let asked, _):
            var bytes = ByteBuffer()
            ClientMessage.request(RequestID(0), asked).write(to: &bytes)
            bytes.moveReaderIndex(forwardBy: FrameHeader.byteCount)
            guard try ClientMessage(payload: bytes) == .request(RequestID(0), asked) else {
                throw Finding("\(asked) is read otherwise")
            }
        case .file(let segments):
            let path = EmbeddedFiles.path(segments)
            guard !EmbeddedFiles.isInside(segments) || !"/\(path)/".contains("/../") else {
                throw Finding("\(path) leads out of the page")
            }
        case .document, .webSocket, .sessionState, .signIn, .signOut, .makeCode, .options: break
        }
    }
}
