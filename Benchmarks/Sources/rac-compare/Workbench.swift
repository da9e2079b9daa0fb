import FoundationEssentials
import LoadGenerator

/// Starts the servers, reports progress and keeps the single figures.
final class Workbench {
    /// The results of each contender of a cell, in the order of the table.
    struct CellResult {
        var cell: Work.Cell
        var contenders: [Contender] = []
    }

    struct Contender {
        var name: String
        var series = Series()
        /// See ``Peer/Setup/caveat``.
        var caveat: String?
        /// Why a measurement could not be taken.
        var failure: String?
    }

    /// More than any work opens.
    private static let openFiles = 10_500

    let machine: Machine
    let about: [String]
    private let options: RunOptions
    private let peers: [Peer]
    private let json: JSONLines?
    private var started = 0

    init(_ options: RunOptions) throws {
        self.options = options
        self.machine = try Machine()
        try self.machine.raiseOpenFiles(toAtLeast: Self.openFiles)
        self.json = try options.json.map { try JSONLines(path: $0) }
        self.peers = try Self.peers(options)
        try FileManager.default.createDirectory(atPath: options.folder, withIntermediateDirectories: true)
        let pinning =
            if let server = self.machine.serverCore, let generator = self.machine.generatorCore {
                "servers on core \(server), load generator on core \(generator)"
            } else {
                "servers and load generator share one core: expect figures far below what is possible"
            }
        var protections: [String] = []
        if options.hasTLS { protections.append("TLS 1.3, AES-128-GCM, a certificate with a P-256 key") }
        if options.hasWebSocket { protections.append("WebSocket, but racd-tcp") }
        if options.hasRules { protections.append("one user with rules, but racd-open and the relay have none") }
        let extent = "medians of \(options.roundCount) × \(options.duration.text(decimals: 1)) s"
        self.about =
            options.about + [Machine.summary, "\(pinning); \(extent)"] + protections + Machine.warnings
        Output.standardOutput(self.about.joined(separator: "\n") + "\n\n")
        try self.json?.append(JSONLines.Setting(about: self.about, settings: self.settings))
    }

    /// Whether racd is compared with the contender of that name, which is no yardstick.
    func isRival(_ name: String) -> Bool {
        self.peers.contains { $0.name == name && $0.isRival }
    }

    /// Takes each measurement of a cell once per round, in turn, so that slow changes of the machine meet all alike.
    func measure(_ cell: Work.Cell, of work: Work) throws -> CellResult {
        var result = CellResult(cell: cell)
        let able = self.peers.filter { self.setup($0, cell.purpose) != nil }
        result.contenders = able.map { Contender(name: $0.name, caveat: self.setup($0, cell.purpose)?.caveat) }
        if let yardstick = cell.yardstick { result.contenders.append(Contender(name: yardstick.name)) }
        for round in 1...self.options.roundCount {
            for index in result.contenders.indices where result.contenders[index].failure == nil {
                do {
                    let figures = try self.take(cell, index < able.count ? able[index] : nil)
                    result.contenders[index].series.add(figures)
                    try self.note(work, cell, result.contenders[index].name, round, figures)
                } catch {
                    // One server that fails must not cost the figures of the others.
                    result.contenders[index].failure = "\(error)"
                    Output.standardError("\(result.contenders[index].name) failed: \(error)\n")
                }
            }
        }
        return result
    }

    /// One measurement in a folder of its own; without a peer that of the yardstick.
    private func take(_ cell: Work.Cell, _ peer: Peer?) throws -> Figures {
        self.started += 1
        let folder = "\(self.options.folder)/\(self.started)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if let peer {
            let core = cell.isOnAnyCore ? nil : self.machine.serverCore
            return try cell.measure(
                Starter(
                    peer: peer,
                    purpose: cell.purpose,
                    protection: self.options.protection,
                    core: core,
                    folder: folder
                )
            )
        }
        return try cell.yardstick?.measure(folder) ?? [:]
    }

    /// Progress goes where it does not get between the tables.
    private func note(_ work: Work, _ cell: Work.Cell, _ name: String, _ round: Int, _ figures: Figures) throws {
        let result = work.figures[0]
        let figure = figures[result.name, default: 0].text(decimals: result.decimals)
        let place = "\(work.name), \(cell.label), \(round)/\(self.options.roundCount)"
        Output.standardError("\(place)  \(name): \(figure) \(result.title)\n")
        let line = JSONLines.Measurement(
            work: work.name,
            cell: cell.label,
            peer: name,
            round: round,
            figures: figures
        )
        try self.json?.append(line)
    }

    private func setup(_ peer: Peer, _ purpose: Peer.Purpose) -> Peer.Setup? {
        peer.setup(for: purpose, self.options.protection)
    }

    /// The settings of each peer for each purpose, as far as it has a like of it.
    private var settings: [String: [String: String]] {
        let purposes: [(String, Peer.Purpose)] = [
            ("traffic", .broadcast), ("durable", .durable), ("kept", .kept), ("http", .http),
        ]
        var settings: [String: [String: String]] = [:]
        for peer in self.peers {
            for (name, purpose) in purposes {
                settings[peer.name, default: [:]][name] = self.setup(peer, purpose)?.description
            }
        }
        return settings
    }

    private static func peers(_ options: RunOptions) throws -> [Peer] {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = program[..<(program.lastIndex(of: "/") ?? program.startIndex)]
        let (racd, arguments, transport) = (options.racd, options.racdArgument, options.transport)
        let all: [Peer] = [
            .racd(racd, arguments, over: transport), .racdOpen(racd, arguments, over: transport),
            .racdOverTCP(racd, arguments), .racdInMemory(racd, arguments, over: transport),
            .relay("\(folder)/relay"), .mosquitto(over: transport), .nats(over: transport), .redis, .webdis, .etcd,
        ]
        return all.filter { options.chosenPeers.contains($0.name) }
    }
}
