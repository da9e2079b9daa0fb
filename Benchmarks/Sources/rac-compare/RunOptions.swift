import ArgumentParser
import LoadGenerator

/// The works to measure, the rounds, and the servers.
struct RunOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The works to do, by commas: \(Self.works.joined(separator: ", ")).", valueName: "works")
    )
    var only: String?

    @Option(help: ArgumentHelp("The servers, by commas: \(Self.peers.joined(separator: ", ")).", valueName: "peers"))
    var peers: String?

    @Option(help: "How often each measurement is taken, in turn with all the others of its kind. (default: 5)")
    var rounds: Int?

    @Option(help: "How many seconds a measurement takes, besides a third as long to warm up. (default: 1)")
    var seconds: Double?

    @Flag(
        name: .customLong("quick"),
        help: "About a minute: one round, short and smaller; to see that it works, not for figures."
    )
    var isQuick = false

    @Option(help: ArgumentHelp("Append every measurement to a file, as lines of JSON.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write a chart of the medians, as SVG.", valueName: "file"))
    var chart: String?

    @Option(help: ArgumentHelp("The racd to measure.", valueName: "path"))
    var racd: String

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("One more argument for `racd serve`; may be given several times.", valueName: "argument")
    )
    var racdArgument: [String] = []

    @Option(help: ArgumentHelp("Where data and logs go: a folder on the disk to measure.", valueName: "path"))
    var folder: String

    @Option(help: ArgumentHelp("A line to print and note with the figures, such as versions.", valueName: "text"))
    var about: [String] = []

    static let works = ["fanout", "pairs", "pingpong", "durable", "idle", "random", "stalled", "channels"]
    static let peers = ["racd", "racd-memory", "relay", "mosquitto", "nats", "redis"]

    var roundCount: Int {
        self.rounds ?? (self.isQuick ? 1 : 5)
    }

    var duration: Double {
        self.seconds ?? (self.isQuick ? 0.2 : 1)
    }

    var chosenWorks: [String] {
        Self.chosen(self.only, of: Self.works)
    }

    var chosenPeers: [String] {
        Self.chosen(self.peers, of: Self.peers)
    }

    private static func chosen(_ list: String?, of all: [String]) -> [String] {
        list?.split(separator: ",").map(String.init) ?? all
    }

    func validate() throws {
        guard self.roundCount >= 1 else { throw ValidationError("--rounds must be at least 1") }
        guard self.duration > 0 else { throw ValidationError("--seconds must be more than 0") }
        try Self.check(self.chosenWorks, "--only", Self.works)
        try Self.check(self.chosenPeers, "--peers", Self.peers)
    }

    private static func check(_ chosen: [String], _ option: String, _ all: [String]) throws {
        for name in chosen where !all.contains(name) {
            throw ValidationError("\(option) does not know \(name); it knows \(all.joined(separator: ", "))")
        }
    }
}
