@testable import RacServer

extension ConnectionHandler {
    /// The conversation of a client that has sent frames, or messages of a WebSocket.
    var frames: FrameConversation {
        guard let frames = self.conversation as? FrameConversation else {
            preconditionFailure("the client has sent no frame")
        }
        return frames
    }

    /// The bytes that are kept for the client.
    var keptBytes: Int { self.conversation?.keptBytes ?? 0 }
}
