import RacProtocol
import RacWeb

/// The newest messages as a chunk of events: the next reader of a stream mostly gets the same ones.
struct SharedEvents {
    /// Readers of one stream share the array, so that mostly its place in memory is all that is compared.
    private var messages: [ServerMessage] = []
    private var chunk = FrameBytes()

    /// The messages as a chunk of events; nil if one of them is more to a stream than an event.
    mutating func chunk(of messages: [ServerMessage]) -> FrameBytes? {
        if self.knows(messages) { return self.chunk }
        var events = SplitText()
        for message in messages {
            guard let event = HostExchange.event(of: message) else { return nil }
            events.append(event)
        }
        (self.messages, self.chunk) = (messages, FrameBytes(.chunk(events)))
        return self.chunk
    }

    /// Whether the chunk of these messages is known.
    func knows(_ messages: [ServerMessage]) -> Bool { messages == self.messages }

    /// Forgets the messages.
    mutating func endTick() {
        if !self.messages.isEmpty { self = SharedEvents() }
    }
}
