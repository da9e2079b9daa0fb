import RacConnection
import RacProtocol

/// The daemon's figures in its own channels.
struct DaemonStatus {
    private static let names = [
        "version", "uptime", "storage", "access", "connections", "transports", "channels", "bindings", "commands",
        "executions",
        "changes",
    ]

    private let address: DaemonAddress
    private let roundTrip: Duration
    private var figures: [String: JSONText] = [:]

    init(of connection: DaemonConnection) async throws {
        let start = ContinuousClock.now
        try await connection.ping()
        self.address = connection.address
        self.roundTrip = .now - start
        let channels = try Self.names.map { try ChannelName("$sys/\($0)") }
        // A daemon of another version may have other figures.
        for (name, snapshot) in zip(Self.names, try await connection.snapshots(of: channels)) {
            self.figures[name] = snapshot?.value
        }
    }

    /// The reason why the disk takes no changes; nil if it does.
    var storageFault: String? {
        let storage = self.text("storage")
        return storage.hasPrefix("failing") ? storage : nil
    }

    /// The version and the start of racd.
    var title: String {
        let version = self.text("version")
        let number = version.hasPrefix("racd/") ? String(version.dropFirst(5)) : version
        let uptime = Int(self.text("uptime")).map { "up \(Duration.seconds($0).inWords)" } ?? "running"
        return "racd \(number) at \(self.address), \(uptime)"
    }

    var lines: [String] {
        let figures = Self.names.dropFirst(2).filter { $0 != "transports" }.map { name in
            (name, self.text(name) + (name == "connections" ? self.transports : ""))
        }
        let rows = [("round trip", "\(self.milliseconds) ms")] + figures
        return [self.title] + rows.map { "  \($0.aligned(left: 12)) \($1)" }
    }

    /// The connections of each transport, as an addition to the number of all; empty if racd does not report them.
    private var transports: String {
        let members = (self.figures["transports"]?.onOneLine ?? "").filter { !"{}\" ".contains($0) }
        let words = members.replacing(":", with: " ").replacing(",", with: ", ")
        return words.isEmpty ? "" : " (\(words))"
    }

    var record: Record {
        var line = Record()
        line.add("server", .string(self.address.url))
        line.add("ms", self.milliseconds)
        for name in Self.names { line.add(name, self.figures[name]) }
        return line
    }

    private var milliseconds: Double { self.roundTrip.inMilliseconds }

    func figure(_ name: String) -> JSONText? {
        self.figures[name]
    }

    /// A figure without the quotes of a string.
    func text(_ name: String) -> String {
        guard let value = self.figures[name] else { return "?" }
        guard case .string(let characters)? = try? JSONTree(value) else { return value.onOneLine }
        return String(decoding: characters, as: UTF8.self).onOneLine
    }
}
