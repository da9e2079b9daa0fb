import RacProtocol
import RacWeb

/// The newest frames as messages of WebSockets: the next reader of the same bytes mostly takes them, too.
struct SharedMessages {
    private var frames = FrameBytes()
    private var messages = FrameBytes()

    /// The payloads of frames as messages.
    mutating func messages(_ frames: FrameBytes) -> FrameBytes {
        // The bytes stay where they are while this keeps them.
        if frames.count == self.frames.count, frames.address == self.frames.address { return self.messages }
        let messages = frames.asWebSocketMessages
        (self.frames, self.messages) = (frames, messages)
        return messages
    }

    /// Forgets the messages.
    mutating func endTick() {
        guard !self.frames.isEmpty else { return }
        (self.frames, self.messages) = (FrameBytes(), FrameBytes())
    }
}
