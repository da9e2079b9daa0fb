import ArgumentParser
import FoundationEssentials
import Glibc
import LoadGenerator

/// Counts what racd and the reactive core ask of memory for one thing at a time, and fails where that is more than it was.
@main
struct RacCosts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "costs",
        abstract: "Counts racd's allocations for one operation, and fails where they are above their limits.",
        discussion: "README.md tells what is counted. The limits stand in Limit.swift."
    )

    @Option(help: ArgumentHelp("The racd to measure.", valueName: "path"))
    var racd: String

    @Option(help: ArgumentHelp("Where data and logs go.", valueName: "path"))
    var folder: String

    func run() throws {
        let counts = try self.preload()
        var table = Table(
            "What racd asks of memory for one operation",
            explanation: ["One at a time, 20 bytes unless told otherwise; limits behind the figures."],
            columns: ["allocations", "limit", "bytes", "limit"]
        )
        var excess: [String] = []
        for hasRules in [false, true] {
            let measured = try self.measure(Costs(counts: counts), Protection(hasRules: hasRules))
            table.add(hasRules ? "with rules:" : "without rules:", [])
            let limits = hasRules ? Limit.all.map(\.withRules) : Limit.all
            for (limit, cost) in zip(limits, measured) {
                table.add("  \(limit.name)", limit.cells(cost))
                if !limit.holds(cost) { excess.append(limit.name + (hasRules ? ", with rules" : "")) }
            }
        }
        print(table)
        let sends = CoreSends.measure()
        print(sends.table)
        excess += sends.excess
        guard excess.isEmpty else {
            print("Above the limit: \(excess.joined(separator: "; "))")
            throw ExitCode.failure
        }
    }

    /// The costs in the order of the limits.
    private func measure(_ costs: Costs, _ protection: Protection) throws -> [Costs.Cost] {
        let folder = self.folder + (protection.hasRules ? "/rules" : "/open")
        let memory = try self.start(.racdInMemory(self.racd), for: .broadcast, protection, "\(folder)/memory")
        let disk = try self.start(.racd(self.racd), for: .durable, protection, "\(folder)/disk")
        let single = try costs.measure(.send(readers: 1, valueBytes: 20), memory.server)
        let many = try costs.measure(.send(readers: 101, valueBytes: 20), memory.server)
        let measured = try [
            costs.measure(.ping, memory.server),
            costs.measure(.get, memory.server),
            costs.measure(.set, memory.server),
            costs.measure(.durableSet, disk.server),
            single,
            costs.measure(.send(readers: 1, valueBytes: 1024), memory.server),
            many.less(single, dividedBy: 100),
        ]
        try memory.stop()
        try disk.stop()
        return measured
    }

    private func start(
        _ peer: Peer,
        for purpose: Peer.Purpose,
        _ protection: Protection,
        _ folder: String
    ) throws -> ServerProcess {
        try ServerProcess(peer, for: purpose, protection, core: nil, folder: folder)
    }

    /// Lets every program that is started from now on count into a file, whose path this returns.
    private func preload() throws -> String {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let library = "\(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])/libAllocationCounter.so"
        guard FileManager.default.fileExists(atPath: library) else {
            throw SetupError("there is no \(library): build the product AllocationCounter")
        }
        let counts = "\(self.folder)/counts"
        try Data(count: 16).write(to: URL(filePath: counts))
        setenv("LD_PRELOAD", library, 1)
        setenv("RAC_ALLOCATIONS", counts, 1)
        return counts
    }
}
