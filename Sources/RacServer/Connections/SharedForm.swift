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
        var events = SplitText()
        for payload in frames.payloads {
            guard let event = HostExchange.event(of: payload) else { return nil }
            events.append(event)
        }
        guard events.count > 0 else { return nil }
        return self.keep(FrameBytes(.chunk(events)), of: frames)
    }

    /// Whether the other form of these frames is known.
    func knows(_ frames: FrameBytes) -> Bool { self.form(of: frames) != nil }

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
