import RacClient

/// What the daemon tells about itself in its own channels.
struct DaemonStatus {
    private static let names = ["version", "uptime", "storage", "connections", "channels", "bindings", "changes"]

    private let address: DaemonAddress
    private let roundTrip: Duration
    private var figures: [String: JSONText] = [:]

    init(of connection: Connection, roundTrip: Duration) async throws {
        self.address = connection.address
        self.roundTrip = roundTrip
        let channels = try Self.names.map { try ChannelName("$sys/\($0)") }
        // A daemon of another version may have other figures.
        for (name, snapshot) in zip(Self.names, try await connection.snapshots(of: channels)) {
            self.figures[name] = snapshot?.value
        }
    }

    /// Why the disk takes no changes; nil if it does.
    var storageFault: String? {
        let storage = self.text("storage")
        return storage.hasPrefix("failing") ? storage : nil
    }

    var lines: [String] {
        let uptime = Int(self.text("uptime")).map { "up \(Duration.seconds($0).inWords)" } ?? "running"
        let rows = [("round trip", "\(self.milliseconds) ms")] + Self.names.dropFirst(2).map { ($0, self.text($0)) }
        let version = self.text("version")
        return [
            "racd \(version.hasPrefix("racd/") ? String(version.dropFirst(5)) : version) at \(self.address), \(uptime)"
        ]
            + rows.map { "  \($0.aligned(left: 12)) \($1)" }
    }

    var json: String {
        var line = JSONLine()
        line.add("server", .string(self.address.url))
        line.add("ms", self.milliseconds)
        for name in Self.names { line.add(name, self.figures[name]) }
        return line.text
    }

    private var milliseconds: Double { self.roundTrip.inMilliseconds }

    /// A figure without the quotes of a string.
    private func text(_ name: String) -> String {
        guard let value = self.figures[name] else { return "?" }
        guard case .string(let characters)? = try? JSONTree(value) else { return value.onOneLine }
        return String(decoding: characters, as: UTF8.self).onOneLine
    }
}
