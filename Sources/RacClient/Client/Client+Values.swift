public import RacProtocol

extension Client {
    /// Reads a channel's value.
    ///
    /// - Parameters:
    ///   - channel: The channel's name.
    ///   - type: The type of the value, read from JSON.
    /// - Returns: The value; nil if the channel has none or does not exist.
    /// - Throws: `ClientError` with code `badName`, `badValue`, or as ``ping()``.
    public func get<Value: Decodable>(
        _ channel: some NameText,
        as type: Value.Type = Value.self
    ) async throws(ClientError) -> Value? {
        do throws(ClientError) {
            guard let text = try await self.get(channel).value else { return nil }
            return try text.decoded(as: type, self.loop.coders)
        } catch {
            guard error.code == .noSuchChannel else { throw error }
            return nil
        }
    }

    /// Gives a channel a value, which is written as JSON.
    ///
    /// - Parameters:
    ///   - channel: The channel's name.
    ///   - value: The value.
    ///   - role: The side that it comes from, which matters in a paired channel.
    ///   - revision: The revision that the channel's value must still have; 0 for a channel without a value.
    ///   - sync: Whether to wait until it is on disk.
    /// - Returns: The revision of the change.
    /// - Throws: `ClientError` with code `badValue`, or as for JSON text.
    @discardableResult
    public func set<Value: Encodable>(
        _ channel: some NameText,
        _ value: Value,
        as role: Role = .following,
        ifUnchangedSince revision: Revision? = nil,
        sync: Bool = false
    ) async throws(ClientError) -> Revision {
        let text = try JSONText(encoding: value, self.loop.coders)
        return try await self.set(channel, text, as: role, ifUnchangedSince: revision, sync: sync)
    }
}

extension ChannelValue {
    /// Names a value for a channel, which `put` writes as JSON with the encoder of its client.
    ///
    /// - Parameters:
    ///   - channel: The channel's name.
    ///   - value: The value.
    ///   - revision: The revision that the channel's value must still have; 0 for a channel without a value.
    /// - Throws: `ClientError` with code `badValue` if a client that sets no encoder could not write the value.
    public init(
        _ channel: some NameText,
        _ value: some Encodable & Sendable,
        ifUnchangedSince revision: Revision? = nil
    ) throws(ClientError) {
        self.init(channel, try JSONText(encoding: value), ifUnchangedSince: revision)
        self.encode = { coders throws(ClientError) in try JSONText(encoding: value, coders) }
    }

    /// The text of the value for a client with these coders.
    func text(by coders: Coders) throws(ClientError) -> JSONText {
        try self.encode?(coders) ?? self.value
    }
}
