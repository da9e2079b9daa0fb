import ArgumentParser
import RacConnection

/// The options of every subcommand.
struct CommonOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            """
            Where racd listens: HOST or HOST:PORT, racs://HOST:PORT with TLS, or unix:/PATH; the port 7220 may be left \
            out. (default: RACD_SERVER, else the context in use, else 127.0.0.1)
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
        ),
        completion: .file()
    )
    var authority: String?

    @Option(
        name: .customLong("cert"),
        help: ArgumentHelp(
            "This client's certificate for racs://, a PEM file. (default: RACCTL_CERT)",
            valueName: "file"
        ),
        completion: .file()
    )
    var certificate: String?

    @Option(
        help: ArgumentHelp("The private key of --cert, a PEM file. (default: RACCTL_KEY)", valueName: "file"),
        completion: .file()
    )
    var key: String?

    @Option(
        help: ArgumentHelp("The racd and the token of a context: see racctl context.", valueName: "name"),
        completion: NameCompletion.contexts,
        transform: { try ContextName($0) }
    )
    var context: ContextName?

    @Option(
        help: ArgumentHelp(
            "The file with the token for a racd that wants one. (default: RACCTL_TOKEN_FILE)",
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: String?

    @Flag(help: "Send the token in clear text to another machine without TLS. (default: RACCTL_INSECURE=1)")
    var insecure = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            How long to wait for an answer (default: 10); a command that goes on, or that asks often, fails with 7 \
            after it (default: no limit).
            """,
            valueName: "seconds"
        )
    )
    var timeout: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            How long to try again while racd cannot be reached; exec tries again while nobody hosts the command, too \
            (default: 0).
            """,
            valueName: "seconds"
        )
    )
    var retry: Double?

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

    /// The end of a message about a number of seconds that is out of range.
    static let timeoutRange = "takes a number of seconds above 0, and at most 1000000000"

    func validate() throws {
        _ = try self.address
        guard self.server == nil || self.context == nil else {
            throw ValidationError("--server and --context exclude each other: a context has its own racd")
        }
        guard self.tokenFile != "" else { throw ValidationError("--token-file names no file") }
        // A context may have what is missing here.
        if self.context == nil, try self.address != nil { _ = try self.files.tls }
        if let timeout = self.timeout, !Self.isTimeout(timeout) {
            throw ValidationError("--timeout \(Self.timeoutRange)")
        }
        if let retry = self.retry, !Self.isTimeout(retry) { throw ValidationError("--retry \(Self.timeoutRange)") }
    }

    /// Whether a number of seconds is in the permitted range.
    static func isTimeout(_ seconds: Double) -> Bool {
        seconds > 0 && seconds <= Self.longestTimeout
    }

    /// The daemon and the files for it that the options, the environment and the contexts lead to.
    var destination: Destination {
        get throws {
            let words = Destination.Words(
                address: try self.address,
                context: self.context,
                tokenFile: self.tokenFile,
                tokenVariable: Environment.text(of: Destination.tokenVariable),
                files: self.files
            )
            return try Destination(words, in: ContextFolder(variable: Environment.text))
        }
    }

    /// The files of TLS that the options and the environment name; a context of the command line hides the environment.
    private var files: TLSFiles {
        let options = TLSFiles(authority: self.authority, certificate: self.certificate, key: self.key)
        return self.context == nil ? options.completed(by: .ofEnvironment) : options
    }

    /// The address that the options or the environment name; nil if they name none.
    private var address: DaemonAddress? {
        get throws(ValidationError) {
            guard let url = self.server ?? Environment.text(of: DaemonAddress.variable) else { return nil }
            do {
                return try DaemonAddress(url)
            } catch {
                throw ValidationError("\(self.server == nil ? DaemonAddress.variable : "--server"): \(error.message)")
            }
        }
    }

    /// Whether the token may travel in clear text to another machine.
    var allowsClearTextToken: Bool { self.insecure || Environment.text(of: Self.insecureVariable) == "1" }

    /// The variable that stands for `--insecure`.
    static let insecureVariable = "RACCTL_INSECURE"

    /// The time in which an attempt that fails for a reason that may pass is repeated.
    var patience: Duration { self.retry.map { .seconds($0) } ?? .zero }

    /// The time limit of a command that runs until it is ended.
    var limit: Duration? {
        self.timeout.map { .seconds($0) }
    }

    var configuration: ConnectionConfiguration {
        var configuration = ConnectionConfiguration()
        configuration.agent = "racctl/\(Racctl.version)"
        configuration.name = self.clientName ?? Environment.text(of: "RACCTL_NAME")
        configuration.allowsClearTextToken = self.allowsClearTextToken
        configuration.connectTimeout = .seconds(self.timeout ?? Self.defaultTimeout)
        configuration.replyTimeout = configuration.connectTimeout
        return configuration
    }
}
