extension Envelope {
    package func revision(_ key: Key) throws(MessageError) -> Revision? {
        try self.count(key).map(Revision.init(_:))
    }

    package func requiredRevision(_ key: Key) throws(MessageError) -> Revision {
        Revision(try self.requiredCount(key))
    }

    package func terminal() throws(MessageError) -> TerminalID {
        TerminalID(try self.requiredCount(.t))
    }

    package func channel(_ key: Key = .channel) throws(MessageError) -> ChannelName {
        let text = try self.requiredString(key)
        do {
            return try ChannelName(text)
        } catch {
            throw MessageError(.badName, error.description)
        }
    }

    func requiredPattern() throws(MessageError) -> ChannelPattern {
        guard let pattern = try self.pattern() else { throw self.missing(.pattern, "a string") }
        return pattern
    }

    package func pattern() throws(MessageError) -> ChannelPattern? {
        guard let text = try self.string(.pattern) else { return nil }
        do {
            return try ChannelPattern(text)
        } catch {
            throw MessageError(.badName, error.description)
        }
    }

    func requiredError() throws(MessageError) -> WireError {
        guard let error = try self.wireError() else { throw self.missing(.error, "an object with code and message") }
        return error
    }

    package func wireError(_ key: Key = .error) throws(MessageError) -> WireError? {
        guard let object = try self.object(key) else { return nil }
        let code = try object.requiredString(.code)
        guard (1...WireError.maximumCodeBytes).contains(code.utf8.count) else {
            throw self.wrong(key, "an error whose code has 1 to \(WireError.maximumCodeBytes) bytes")
        }
        return WireError(
            code: code,
            message: try object.string(.message) ?? "",
            data: object.json(.data)?.detached
        )
    }

    /// A channel's state, with the error of a failed one.
    package func state() throws(MessageError) -> ChannelState? {
        switch try self.word(.state, as: ChannelStateWord.self) {
        case .open: .open
        case .completed: .completed
        case .failed: .failed(try self.wireError() ?? WireError(code: "unknown", message: ""))
        case .deleted, nil: nil
        }
    }
}

extension ObjectWriter {
    package mutating func write(_ key: Key, _ revision: Revision?) {
        self.write(key, revision?.number)
    }

    package mutating func write(_ terminal: TerminalID) {
        self.write(.t, terminal.number)
    }

    package mutating func write(_ number: SendNumber) {
        self.write(.n, number.number)
    }

    package mutating func write(_ channel: ChannelName) {
        self.write(.channel, channel.text)
    }

    package mutating func write(_ key: Key, _ error: WireError?) {
        guard let error else { return }
        self.write(key) { object in
            object.write(.code, error.code)
            object.write(.message, error.message)
            object.write(.data, error.data)
        }
    }

    package mutating func write(_ valuation: Valuation) {
        self.write(.rev, valuation.revision)
        self.write(.cause, valuation.cause)
        self.write(.value, valuation.value)
    }

    /// Writes a true flag and omits a false one.
    package mutating func write(_ key: Key, ifTrue flag: Bool) {
        if flag { self.write(key, true) }
    }
}
