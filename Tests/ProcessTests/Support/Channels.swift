import RacClient

/// Makes many channels faster than a process for each could.
enum Channels {
    static func create(_ names: [String], at url: String) async throws {
        let connection = try await DaemonConnection.open(to: DaemonAddress(url))
        for name in names { _ = try await connection.change(.create(Create(channel: ChannelName(name)))) }
        await connection.close()
    }
}
