/// The two messages that a daemon writes for nearly every send, as ``ServerMessage`` writes them but in little more than half the time.
extension FrameBytes {
    /// More than the keys and numbers of these messages take.
    private static let plainBytes = 160

    /// Appends the `next` that brings a terminal a value.
    package mutating func append(_ valuation: Valuation, of terminal: TerminalID) {
        valuation.value.withBytes {
            self.append(value: $0, as: valuation.revision, from: valuation.cause, of: terminal)
        }
    }

    /// Appends the `next` of a value that is JSON in place.
    package mutating func append(_ value: Span<UInt8>, as revision: Revision, of terminal: TerminalID) {
        value.withUnsafeBytes { self.append(value: $0, as: revision, from: nil, of: terminal) }
    }

    @inline(__always)
    private mutating func append(
        value: UnsafeRawBufferPointer,
        as revision: Revision,
        from cause: Revision?,
        of terminal: TerminalID
    ) {
        self.appendFrame(atMost: Self.plainBytes + value.count) { frame in
            frame.write(#"{"op":"next","t":"#)
            frame.write(terminal.number)
            frame.write(#","rev":"#)
            frame.write(revision.number)
            if let cause {
                frame.write(#","cause":"#)
                frame.write(cause.number)
            }
            frame.write(#","value":"#)
            frame.write(value)
            frame.write("}")
        }
    }

    /// Appends the `ack` of all sends of a terminal up to this one.
    package mutating func append(ackOf number: SendNumber, of terminal: TerminalID, as revision: Revision) {
        self.appendFrame(atMost: Self.plainBytes) { frame in
            frame.write(#"{"op":"ack","t":"#)
            frame.write(terminal.number)
            frame.write(#","n":"#)
            frame.write(number.number)
            frame.write(#","rev":"#)
            frame.write(revision.number)
            frame.write("}")
        }
    }
}
