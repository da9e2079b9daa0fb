import RacClient

extension Daemon {
    /// Asks until the answer is yes, over one connection: a process for each question would keep the machine busy.
    func wait(until isSo: (DaemonConnection) async throws -> Bool) async throws {
        let connection = try await DaemonConnection.open(to: DaemonAddress(self.url))
        while try await !isSo(connection) { try await Task.sleep(for: .milliseconds(2)) }
        await connection.close()
    }

    /// Waits until a channel has this number of terminals bound.
    func waitForBound(_ channel: String, _ count: UInt64) async throws {
        var list = List()
        list.pattern = try ChannelPattern(channel)
        try await self.wait { try await $0.list(list).channels.first?.bound == count }
    }

    /// Waits until a command is hosted.
    func waitForHost() async throws {
        try await self.wait { try await !$0.commands(List()).commands.isEmpty }
    }
}

/// Makes many channels faster than a process for each could.
enum Channels {
    static func create(_ names: [String], at url: String) async throws {
        let connection = try await DaemonConnection.open(to: DaemonAddress(url))
        for name in names { _ = try await connection.change(.create(Create(channel: ChannelName(name)))) }
        await connection.close()
    }
}
