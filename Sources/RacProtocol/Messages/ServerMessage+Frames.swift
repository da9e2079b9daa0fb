extension FrameBytes {
    /// Makes one frame with a message of the daemon.
    package init(_ message: ServerMessage) {
        self.init()
        self.append(message)
    }

    /// Appends a message of the daemon as one frame.
    package mutating func append(_ message: ServerMessage) {
        if case .next(let terminal, let valuation) = message { return self.append(valuation, of: terminal) }
        self.appendFrame(object: { message.write(to: &$0) })
    }
}
