import RacProtocol
import RacWeb

/// The newest frames as messages of WebSockets: the next reader of the same bytes mostly takes them, too.
struct SharedMessages {
    private var frames = FrameBytes()
    private var messages = FrameBytes()

    mutating func messages(_ frames: FrameBytes) -> FrameBytes {
        // The bytes stay where they are while this keeps them.
        if frames.count != self.frames.count || frames.address != self.frames.address {
            (self.frames, self.messages) = (frames, frames.asWebSocketMessages)
        }
        return self.messages
    }

    /// Forgets the frames.
    mutating func endTick() {
        if !self.frames.isEmpty { self = SharedMessages() }
    }
}
