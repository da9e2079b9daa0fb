import RacProtocol

/// The values that all bindings of one side which take messages get in this tick.
///
/// Guarded by the host's isolation.
final class MessageLog {
    /// The number of bindings that read the log: without any it stays empty.
    var readers = 0

    private var list = MessageList()
    private var base: UInt64 = 0

    /// The place behind the newest message.
    var end: UInt64 { self.base + UInt64(self.list.messages.count) }

    func append(_ valuation: Valuation, of terminal: TerminalID) {
        guard self.readers > 0 else { return }
        self.list.append(.next(terminal, valuation))
    }

    /// Appends a value from where its JSON stands.
    func append(_ value: Span<UInt8>, as revision: Revision, of terminal: TerminalID) {
        guard self.readers > 0 else { return }
        let text = value.withUnsafeBytes { JSONText(unchecked: String(decoding: $0, as: UTF8.self)) }
        self.list.append(.next(terminal, Valuation(value: text, revision: revision, cause: nil)))
    }

    /// The messages behind a place of this tick; nil if there are none.
    func messages(from place: UInt64) -> MessageList? {
        let place = max(place, self.base)
        return place < self.end ? self.list.suffix(from: Int(place - self.base)) : nil
    }

    func endTick() {
        self.base = self.end
        self.list = MessageList()
    }
}
