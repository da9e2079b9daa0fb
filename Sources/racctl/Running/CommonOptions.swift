import ArgumentParser
import Glibc
import RacConnection

/// The options of every subcommand.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where racd listens: rac://host:port or unix:/path. (default: RACD_SERVER, else rac://127.0.0.1:7220)",
            valueName: "url"
        )
    )
    var server: String?

    @Option(
        help: ArgumentHelp(
            "How long to wait for each answer (default: 10); how long to run, if the command goes on (default: no limit).",
            valueName: "seconds"
        )
    )
    var timeout: Double?

    @Option(name: [.customShort("o"), .long], help: "How to write results and errors.")
    var output: OutputFormat = .text

    private static let defaultTimeout = 10.0
    private static let longestTimeout = 1_000_000_000.0

    func validate() throws {
        _ = try self.address
        if let timeout = self.timeout, !Self.isTimeout(timeout) {
            throw ValidationError("--timeout takes a number of seconds greater than 0")
        }
    }

    /// Whether a number of seconds is in the permitted range.
    static func isTimeout(_ seconds: Double) -> Bool {
        seconds > 0 && seconds <= Self.longestTimeout
    }

    var address: DaemonAddress {
        get throws(ValidationError) {
            let named = getenv("RACD_SERVER").map { String(cString: $0) } ?? ""
            guard let url = self.server ?? (named.isEmpty ? nil : named) else { return .local }
            do {
                return try DaemonAddress(url)
            } catch {
                throw ValidationError("\(self.server == nil ? "RACD_SERVER" : "--server"): \(error.message)")
            }
        }
    }

    /// The time limit of a command that runs until it is ended.
    var limit: Duration? {
        self.timeout.map { .seconds($0) }
    }

    var configuration: ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        configuration.agent = "racctl/\(Racctl.version)"
        configuration.connectTimeout = .seconds(self.timeout ?? Self.defaultTimeout)
        configuration.replyTimeout = configuration.connectTimeout
        return configuration
    }
}
