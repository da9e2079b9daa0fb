import RacConnection
import RacProtocol

extension CommandContext {
    /// Sets a channel to a function of its value, again until nobody has written in between, and shows the new value.
    ///
    /// In a paired channel it sets the wish, to a function of the wish, or of the value as long as there is no wish.
    func update(
        _ channel: ChannelName,
        sync: Bool,
        _ change: (JSONText?) throws -> JSONText
    ) async throws {
        var (revision, value) = try await self.standing(of: channel)
        while true {
            var set = SetValue(channel: channel, value: try change(value))
            set.condition = revision
            set.sync = sync
            let new: Revision
            do throws(ClientError) {
                new = try await self.connection.change(.set(set))
            } catch {
                guard error.code == .conflict else { throw CommandFailure(error, of: channel) }
                revision = error.revision ?? .never
                value = if let value = error.value { value } else { try await self.standing(of: channel).value }
                continue
            }
            var record = Record()
            record.add("channel", .string(channel.text))
            record.add("rev", new)
            record.add("value", set.value)
            return try await self.show(record, text: self.results.text(of: set.value))
        }
    }

    /// The revision that the next change replaces, and the value that it begins from.
    private func standing(of channel: ChannelName) async throws -> (revision: Revision, value: JSONText?) {
        do throws(ClientError) {
            let got = try await self.connection.get(channel)
            guard got.mode == .paired else { return (got.revision, got.value) }
            return (got.wishRevision ?? .never, got.wish ?? got.value)
        } catch {
            guard error.code == .noSuchChannel else { throw CommandFailure(error, of: channel) }
            return (.never, nil)
        }
    }
}
