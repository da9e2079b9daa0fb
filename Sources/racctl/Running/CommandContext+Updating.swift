import RacConnection
import RacProtocol

extension CommandContext {
    /// Sets a channel to a function of its value, again until nobody has written in between, and shows the new value.
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
                (revision, value) = (error.revision ?? .never, error.value)
                continue
            }
            var record = Record()
            record.add("channel", .string(channel.text))
            record.add("rev", new)
            record.add("value", set.value)
            return try await self.show(record, text: self.results.text(of: set.value))
        }
    }

    private func standing(of channel: ChannelName) async throws -> (Revision, JSONText?) {
        do throws(ClientError) {
            let got = try await self.connection.get(channel)
            return (got.revision, got.value)
        } catch {
            guard error.code == .noSuchChannel else { throw CommandFailure(error, of: channel) }
            return (.never, nil)
        }
    }
}
