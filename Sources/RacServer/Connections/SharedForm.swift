import NIOCore
import RacProtocol
import RacWeb

/// The newest frames in the form of another dialect: the next reader of the same bytes mostly takes it, too.
struct SharedForm {
    private var frames = FrameBytes()
    private var form = FrameBytes()

    /// The payloads of frames as messages of WebSockets.
    mutating func messages(_ frames: FrameBytes) -> FrameBytes {
        self.form(of: frames) ?? self.keep(frames.asWebSocketMessages, of: frames)
    }

    /// The payloads of frames as a chunk of events; nil if one of them is more to a stream than an event.
    mutating func events(_ frames: FrameBytes) -> FrameBytes? {
        if let known = self.form(of: frames) { return known }
        var events = ByteBuffer()
        var areAll = true
        frames.forEachPayload { payload, _ in
            guard areAll, let event = HostExchange.event(of: ByteBuffer(bytes: payload)) else { return areAll = false }
            events.writeImmutableBuffer(event)
        }
        guard areAll, events.readableBytes > 0 else { return nil }
        return self.keep(FrameBytes(copying: .chunk(events)), of: frames)
    }

    private func form(of frames: FrameBytes) -> FrameBytes? {
        // The bytes stay where they are while this keeps them.
        frames.count == self.frames.count && frames.address == self.frames.address ? self.form : nil
    }

    private mutating func keep(_ form: FrameBytes, of frames: FrameBytes) -> FrameBytes {
        (self.frames, self.form) = (frames, form)
        return form
    }

    /// Forgets the frames.
    mutating func endTick() {
        guard !self.frames.isEmpty else { return }
        (self.frames, self.form) = (FrameBytes(), FrameBytes())
    }
}
