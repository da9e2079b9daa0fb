package import RacProtocol

extension Host {
    /// Brings the `$sys` channels up to date; a channel with an unchanged figure is left alone.
    ///
    /// - Parameter constants: Figures from outside the host, by the names behind `$sys/`.
    package func refreshFigures(_ constants: [(name: String, value: JSONText)]) {
        for (name, value) in constants { self.show(value, as: name) }
        self.show(.integer(Int((self.time.uptime - self.startedAt) / 1000)), as: "uptime")
        self.show(.integer(self.connections.count), as: "connections")
        self.show(self.transportFigure, as: "transports")
        self.show(.integer(self.connections.values.reduce(0) { $0 + $1.bindings.count }), as: "bindings")
        self.show(.integer(self.directory.clientChannelCount), as: "channels")
        self.show(.integer(Int(clamping: self.changeCount)), as: "changes")
        self.show(.integer(self.commands.hostedCount), as: "commands")
        self.show(.integer(self.commands.executions.count), as: "executions")
        self.show(self.storageFigure, as: Self.storageName)
        self.show(.string(self.access == nil ? "open" : "closed"), as: "access")
        self.show(.integer(self.directory.valueBytes), as: "memory/values")
        self.show(.integer(self.wills.bytes), as: "memory/wills")
        self.show(.integer(self.refusals.all.bytes), as: "memory/refusals")
    }

    private var transportFigure: JSONText {
        let members = Transport.allCases.compactMap { transport in
            self.transports[transport].flatMap { $0 > 0 ? #""\#(transport.rawValue)":\#($0)"# : nil }
        }
        return JSONText(unchecked: "{\(members.joined(separator: ","))}")
    }

    private static let storageName = "storage"

    /// Shows a failure of the disk, or its end, at once instead of with the other figures.
    func refreshStorageFigure() {
        guard let name = try? ChannelName("$sys/\(Self.storageName)"), self.directory[name] != nil else { return }
        self.show(self.storageFigure, as: Self.storageName)
    }

    private var storageFigure: JSONText {
        switch self.storage.condition {
        case .memory: .string("memory")
        case .well: .string("ok")
        case .failing(let why): .string("failing: \(why)")
        }
    }

    private func show(_ value: JSONText, as name: String) {
        guard let name = try? ChannelName("$sys/\(name)"), let channel = self.channel(name),
            channel.machine.record.value?.value != value, self.revisions.has(1)
        else { return }
        _ = self.accept(value, on: channel, from: .leading)
    }
}
