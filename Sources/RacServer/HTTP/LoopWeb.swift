import NIOCore
import NIOHTTP1
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

extension WebFile {
    /// Reads a file below a folder; nil if there is none.
    init?(_ segments: [String], in folder: String) {
        let path = EmbeddedFiles.path(segments)
        guard let file = FileBytes.read("\(folder)/\(path)") else { return nil }
        self.init(file, path: path, isUsers: true)
    }
}
