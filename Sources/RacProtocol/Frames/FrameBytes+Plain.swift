/// The two messages that a daemon writes for nearly every send, as ``ServerMessage`` writes them but in little more than half the time.
extension FrameBytes {
    /// More than the keys and numbers of these messages take.
    private static let plainBytes = 160

    /// Appends the `next` that brings a terminal a value.
    package mutating func append(_ valuation: Valuation, of terminal: TerminalID) {
        let (value, revision, cause) = (valuation.value, valuation.revision, valuation.cause)
        guard value.byteCount >= Self.longBytes else {
            return value.withBytes { self.append(value: $0, as: revision, from: cause, of: terminal) }
        }
        self.appendFrame(atMost: Self.plainBytes, followedBy: value.byteCount + 1) {
            $0.writeNext(as: revision, from: cause, of: terminal)
        }
        self.append(long: value)
        self.append(atMost: 1) { room in
            room.storeBytes(of: UInt8(ascii: "}"), as: UInt8.self)
            return 1
        }
    }

    /// Appends the `next` of a value that is JSON in place.
    package mutating func append(_ value: Span<UInt8>, as revision: Revision, of terminal: TerminalID) {
        value.withUnsafeBytes { self.append(value: $0, as: revision, from: nil, of: terminal) }
    }

    /// Makes room for `next` of values whose plain sends have this many bytes: the memory then moves once at most.
    package mutating func reservePlain(_ bytes: Int) {
        self.reserve(bytes + bytes / 4 + Self.plainBytes)
    }

    @inline(__always)
    private mutating func append(
        value: UnsafeRawBufferPointer,
        as revision: Revision,
        from cause: Revision?,
        of terminal: TerminalID
    ) {
        self.appendFrame(atMost: Self.plainBytes + value.count) { frame in
            frame.writeNext(as: revision, from: cause, of: terminal)
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

extension FrameWriter {
    /// Writes a `next` up to its value.
    @inline(__always)
    fileprivate mutating func writeNext(as revision: Revision, from cause: Revision?, of terminal: TerminalID) {
        self.write(#"{"op":"next","t":"#)
        self.write(terminal.number)
        self.write(#","rev":"#)
        self.write(revision.number)
        if let cause {
            self.write(#","cause":"#)
            self.write(cause.number)
        }
        self.write(#","value":"#)
    }
}
