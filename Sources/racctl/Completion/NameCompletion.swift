import ArgumentParser
import Glibc
import RacConnection
import RacProtocol

/// Names for a shell that completes a command line: soon, and none, silently, if no daemon answers.
enum NameCompletion {
    /// Longer than a daemon on another continent takes; a person at a prompt waits no longer, unless the line says so.
    private static let timeout = Duration.milliseconds(400)
    private static let maximumNames: UInt64 = 500

    /// Finds the names with a prefix.
    private typealias Search = @Sendable (_ prefix: String, DaemonConnection) async throws -> [String]

    /// Names of channels.
    static let channels = Self.kind { try await Self.channels(beginningWith: $0, over: $1) }

    /// Names of commands.
    static let commands = Self.kind { prefix, connection in
        let list = try Self.list(prefix)
        var names = try await connection.commands(list).commands.map(\.command.text)
        if let whole = list.after, try await Self.isCommand(whole, over: connection) { names.insert(whole.text, at: 0) }
        return names
    }

    private static func isCommand(_ name: ChannelName, over connection: DaemonConnection) async throws -> Bool {
        var list = List()
        list.pattern = try ChannelPattern(name.text)
        return try await !connection.commands(list).commands.isEmpty
    }

    private static func kind(_ search: @escaping Search) -> CompletionKind {
        .custom { words, _, prefix in
            let line = CompletedLine(words: words, prefix: prefix, shell: CompletionShell.requesting)
            let names = (try? await Self.names(of: line, search)) ?? []
            return names.map(line.written)
        }
    }

    private static func names(of line: CompletedLine, _ search: Search) async throws -> [String] {
        var options = CommonOptions()
        options.server = line.server
        let timeout = line.timeout ?? Self.timeout
        var configuration = ConnectionConfiguration()
        configuration.connectTimeout = timeout
        configuration.replyTimeout = timeout
        configuration.byeTimeout = timeout
        let connection = try await DaemonConnection.open(to: options.address, configuration: configuration)
        let names = (try? await search(line.prefix, connection)) ?? []
        await connection.close()
        return names.filter { $0.utf8.starts(with: line.prefix.utf8) }
    }

    private static func channels(
        beginningWith prefix: String,
        over connection: DaemonConnection
    ) async throws -> [String] {
        let list = try Self.list(prefix)
        var names = try await connection.list(list).channels.map(\.channel.text)
        if let whole = list.after, (try? await connection.get(whole)) != nil { names.insert(whole.text, at: 0) }
        return names
    }

    /// Names stand in the order of their bytes, so those with a prefix follow it.
    private static func list(_ prefix: String) throws -> List {
        var list = List()
        list.limit = Self.maximumNames
        list.after = try? ChannelName(prefix)
        let folder = prefix.lastIndex(of: "/").map { String(prefix[..<$0]) }
        // The daemon's own channels are in no pattern that does not name them.
        if let folder = folder ?? (prefix.hasPrefix("$") ? "$sys" : nil) {
            list.pattern = try ChannelPattern("\(folder)/**")
        }
        return list
    }
}
