import ArgumentParser
import Glibc
import RacConnection

/// The options of every subcommand.
struct CommonOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            """
            Where racd listens: HOST:PORT, racs://HOST:PORT with TLS, or unix:/PATH. (default: RACD_SERVER, else \
            127.0.0.1:7220)
            """,
            valueName: "address"
        )
    )
    var server: String?

    @Option(
        name: .customLong("ca"),
        help: ArgumentHelp(
            "The CA of a racs:// daemon, a PEM file. (default: RACCTL_CA, else the system's)",
            valueName: "file"
        )
    )
    var authority: String?

    @Option(
        name: .customLong("cert"),
        help: ArgumentHelp(
            "This client's certificate for racs://, a PEM file. (default: RACCTL_CERT)",
            valueName: "file"
        )
    )
    var certificate: String?

    @Option(help: ArgumentHelp("The private key of --cert, a PEM file. (default: RACCTL_KEY)", valueName: "file"))
    var key: String?

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
        _ = try self.tls
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

    /// The trust in the daemon, and the certificate of this client.
    var tls: ClientTLS {
        get throws(ValidationError) {
            let authority = self.authority ?? Self.variable("RACCTL_CA")
            let trust = authority.map { ClientTLS.Trust.file($0) } ?? .system
            switch (self.certificate ?? Self.variable("RACCTL_CERT"), self.key ?? Self.variable("RACCTL_KEY")) {
            case (nil, nil): return ClientTLS(trust: trust)
            case (let certificate?, let key?):
                return ClientTLS(trust: trust, identity: .init(certificateFile: certificate, keyFile: key))
            case (nil, _?): throw ValidationError("--cert is missing: a certificate and its key belong together")
            case (_?, nil): throw ValidationError("--key is missing: a certificate and its key belong together")
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
        // Parsing has refused a certificate without a key.
        configuration.tls = (try? self.tls) ?? ClientTLS()
        configuration.connectTimeout = .seconds(self.timeout ?? Self.defaultTimeout)
        configuration.replyTimeout = configuration.connectTimeout
        return configuration
    }
}
