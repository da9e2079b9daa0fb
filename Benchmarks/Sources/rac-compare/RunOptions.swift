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

    @Flag(
        name: .customLong("tls"),
        help: "All servers speak TLS 1.3 with AES-128-GCM, with one certificate; without the relay, which has no TLS."
    )
    var hasTLS = false

    @Flag(
        name: .customLong("rules"),
        help: "All servers know one user, who may use some channels and no more; racd-open is a racd without rules."
    )
    var hasRules = false

    @Flag(
        name: .customLong("websocket"),
        help: "All servers that can are spoken to over WebSocket; racd-tcp is a racd that is spoken to over TCP."
    )
    var hasWebSocket = false

    /// The transport between the generator and the servers, in words.
    var transportName: String { self.hasWebSocket ? "WebSocket" : self.hasTLS ? "TLS" : "TCP" }

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

    @Option(help: ArgumentHelp("The certificate for --tls, a PEM file.", valueName: "path"))
    var certificate: String?

    @Option(help: ArgumentHelp("The key of that certificate, a PEM file.", valueName: "path"))
    var key: String?

    @Option(help: ArgumentHelp("Where data and logs go: a folder on the disk to measure.", valueName: "path"))
    var folder: String

    @Option(help: ArgumentHelp("A line to print and note with the figures, such as versions.", valueName: "text"))
    var about: [String] = []

    static let works = [
        "fanout", "pairs", "pingpong", "handshakes", "durable", "idle", "random", "stalled", "channels", "http",
    ]
    static let peers = [
        "racd", "racd-open", "racd-tcp", "racd-memory", "relay", "mosquitto", "nats", "redis", "webdis", "etcd",
    ]

    /// The works that TLS and rules may slow down: these are done with them unless others are chosen.
    private static let protectedWorks = ["fanout", "pairs", "pingpong", "handshakes", "idle"]
    private static let worksOfTLS = ["handshakes"]
    /// The works that are done over WebSocket unless others are chosen, and the servers that speak it.
    private static let worksOfWebSocket = ["fanout", "pairs", "idle"]
    private static let peersOfWebSocket = ["racd", "racd-open", "racd-tcp", "racd-memory", "mosquitto", "nats"]

    var roundCount: Int {
        self.rounds ?? (self.isQuick ? 1 : 5)
    }

    var duration: Double {
        self.seconds ?? (self.isQuick ? 0.2 : 1)
    }

    var chosenWorks: [String] {
        let all =
            self.hasWebSocket
            ? Self.worksOfWebSocket : self.hasTLS || self.hasRules ? Self.protectedWorks : Self.works
        return Self.chosen(self.only, of: all.filter { self.hasTLS || !Self.worksOfTLS.contains($0) })
    }

    var chosenPeers: [String] {
        Self.chosen(self.peers, of: self.possiblePeers)
    }

    private var possiblePeers: [String] {
        let all = self.hasWebSocket ? Self.peersOfWebSocket : Self.peers.filter { $0 != "racd-tcp" }
        return all.filter { self.hasRules || $0 != "racd-open" }
    }

    var transport: Peer.Transport { self.hasWebSocket ? .webSocket : .tcp }

    var protection: Protection {
        var protection = Protection(hasRules: self.hasRules)
        if self.hasTLS, let certificate, let key {
            protection.certificate = Protection.Certificate(certificateFile: certificate, keyFile: key)
        }
        return protection
    }

    private static func chosen(_ list: String?, of all: [String]) -> [String] {
        list?.split(separator: ",").map(String.init) ?? all
    }

    func validate() throws {
        guard self.roundCount >= 1 else { throw ValidationError("--rounds must be at least 1") }
        guard self.duration > 0 else { throw ValidationError("--seconds must be more than 0") }
        try Self.check(self.chosenWorks, "--only", Self.works)
        try Self.check(self.chosenPeers, "--peers", Self.peers)
        guard !self.hasTLS || self.certificate != nil && self.key != nil else {
            throw ValidationError("--tls needs --certificate and --key")
        }
        for name in self.chosenWorks where Self.worksOfTLS.contains(name) && !self.hasTLS {
            throw ValidationError("--only \(name) needs --tls")
        }
        guard self.hasRules || !self.chosenPeers.contains("racd-open") else {
            throw ValidationError("--peers racd-open needs --rules: without rules racd is open, too")
        }
        guard self.hasWebSocket || !self.chosenPeers.contains("racd-tcp") else {
            throw ValidationError("--peers racd-tcp needs --websocket: without it racd is spoken to over TCP, too")
        }
        guard !self.hasWebSocket || !self.hasTLS else {
            throw ValidationError("--websocket is without --tls")
        }
        for name in self.chosenPeers where !self.possiblePeers.contains(name) {
            throw ValidationError("\(name) speaks no WebSocket")
        }
        guard !self.chosenWorks.contains("http") || !self.hasWebSocket && !self.hasTLS && !self.hasRules else {
            throw ValidationError("--only http is without --websocket, --tls and --rules")
        }
    }

    private static func check(_ chosen: [String], _ option: String, _ all: [String]) throws {
        for name in chosen where !all.contains(name) {
            throw ValidationError("\(option) does not know \(name); it knows \(all.joined(separator: ", "))")
        }
    }
}
