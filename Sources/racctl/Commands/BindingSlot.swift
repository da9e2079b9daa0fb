import RacConnection

/// The present binding of a command whose connections come and go.
actor BindingSlot {
    private var binding: ChannelBinding?
    private var isOver = false
    /// Whether the command ends the binding's connection by itself.
    private(set) var isAbandoned = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The binding, once there is one; nil when no other one comes.
    func current() async -> ChannelBinding? {
        while self.binding == nil, !self.isOver { await withCheckedContinuation { self.waiting.append($0) } }
        return self.binding
    }

    /// A connection stands, and has this binding.
    func enter(_ binding: ChannelBinding) {
        self.binding = binding
        self.wake()
    }

    /// A binding's connection is lost.
    ///
    /// The next binding's terminal may be entered already: it has another connection.
    func lost(_ binding: ChannelBinding) {
        if self.binding?.isSame(as: binding) == true { self.binding = nil }
    }

    /// The command ends the binding's connection by itself: that is no loss.
    func abandon() {
        self.isAbandoned = true
    }

    /// No other binding comes.
    func close() {
        self.binding = nil
        self.isOver = true
        self.wake()
    }

    private func wake() {
        let waiting = self.waiting
        self.waiting = []
        for continuation in waiting { continuation.resume() }
    }
}
