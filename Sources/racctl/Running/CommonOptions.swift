import ArgumentParser
import Glibc
import RacConnection

/// The options of every subcommand.
struct CommonOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Where racd listens: HOST:PORT, rac://HOST:PORT or unix:/PATH. (default: RACD_SERVER, else 127.0.0.1:7220)",
            valueName: "address"
        )
    )
    var server: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            How long to wait for an answer (default: 10); a command that goes on fails with 7 after it (default: no \
            limit).
            """,
            valueName: "seconds"
        )
    )
    var timeout: Double?

    @Option(
        name: .customLong("name"),
        help: ArgumentHelp("This client's name in racctl who. (default: RACCTL_NAME)", valueName: "name")
    )
    var clientName: String?

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: "How to write results; with json errors are JSON, too."
    )
    var output: OutputFormat = .text

    private static let defaultTimeout = 10.0
    private static let longestTimeout = 1_000_000_000.0

    func validate() throws {
        _ = try self.address
        if let timeout = self.timeout, !Self.isTimeout(timeout) {
            throw ValidationError("--timeout must be above 0, in seconds")
        }
    }

    /// Whether a number of seconds is in the permitted range.
    static func isTimeout(_ seconds: Double) -> Bool {
        seconds > 0 && seconds <= Self.longestTimeout
    }

    var address: DaemonAddress {
        get throws(ValidationError) {
            guard let url = self.server ?? Self.variable("RACD_SERVER") else { return .local }
            do {
                return try DaemonAddress(url)
            } catch {
                throw ValidationError("\(self.server == nil ? "RACD_SERVER" : "--server"): \(error.message)")
            }
        }
    }

    /// The text of a variable of the environment; nil if it is empty.
    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The time limit of a command that runs until it is ended.
    var limit: Duration? {
        self.timeout.map { .seconds($0) }
    }

    var configuration: ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        configuration.agent = "racctl/\(Racctl.version)"
        configuration.name = self.clientName ?? Self.variable("RACCTL_NAME")
        configuration.connectTimeout = .seconds(self.timeout ?? Self.defaultTimeout)
        configuration.replyTimeout = configuration.connectTimeout
        return configuration
    }
}
