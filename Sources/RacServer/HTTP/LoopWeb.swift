import NIOCore
import NIOHTTP1
import RacAccess
import RacProtocol
import RacWeb

/// The part of HTTP that the connections of one loop have in common.
///
/// Isolation: the loop's.
final class LoopWeb {
    let rules: WebRules
    let sessions: WebSessions
    let folder: String?
    private var common = CommonHeaders()
    /// The memory in which answers are put together.
    private var answer = ByteBuffer()

    init(_ settings: WebSettings, _ addresses: [ListenAddress], _ sessions: WebSessions) {
        self.rules = WebRules(settings, addresses: addresses.compactMap { $0.place?.host })
        self.sessions = sessions
        self.folder = settings.folder
    }

    /// Writes an answer of this moment, in milliseconds since 1970 UTC.
    func write(
        _ response: WebResponse,
        _ framing: ResponseWriter.Framing,
        by writer: ResponseWriter,
        at wall: Int64
    ) -> FrameBytes {
        writer.write(response, framing, self.common.bytes(at: wall, isUsers: response.isUsers), into: &self.answer)
        defer { if self.answer.capacity > Self.keptAnswerBytes { self.answer = ByteBuffer() } }
        var bytes = FrameBytes(copying: self.answer)
        if writer.hasBody, !response.body.long.isEmpty { bytes.append(response.body) }
        return bytes
    }

    /// The memory that is kept for further answers.
    private static let keptAnswerBytes = 4 << 10
}

@available(*, unavailable)
extension LoopWeb: Sendable {}

/// The proofs of identity that a request brings: its token, or the secret of a session in its cookie.
struct HTTPProof: Equatable {
    var token: TokenHash?
    var session: String?

    init(_ request: WebRequest, _ cookie: SessionCookie, isTLS: Bool) throws(WebProblem) {
        self.token = try request.token().map(TokenHash.init(of:))
        self.session = self.token == nil ? cookie.secret(in: request, isTLS: isTLS) : nil
    }
}

extension WebFile {
    /// Reads a file below a folder; nil if there is none.
    init?(_ segments: [String], in folder: String) {
        let path = EmbeddedFiles.path(segments)
        guard let file = FileBytes.read("\(folder)/\(path)") else { return nil }
        self.init(file, path: path, isUsers: true)
    }
}
