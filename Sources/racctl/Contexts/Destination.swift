import Glibc
import RacConnection

/// The daemon of a command, and the file with the token for it.
struct Destination: Equatable {
    var address = DaemonAddress.local
    var tokenFile: AccessTokenFile?

    /// The variable that names the file with the token.
    static let tokenVariable = "RACCTL_TOKEN_FILE"

    /// The words of the command line and of the environment that lead to a daemon.
    struct Words {
        /// The address of `--server`, else that of `RACD_SERVER`.
        var address: DaemonAddress?
        /// The name behind `--context`.
        var context: ContextName?
        /// The path behind `--token-file`.
        var tokenFile: String?
        /// The path in `RACCTL_TOKEN_FILE`.
        var tokenVariable: String?
    }

    /// Follows the words: the command line first, then the environment, then the context in use.
    ///
    /// A context's token is for its own daemon: it goes to no address that the command line or the environment names. A
    /// context that the command line names is followed as a whole, whatever the environment says.
    ///
    /// - Throws: ``CommandFailure`` if the context is not there or cannot be read.
    init(_ words: Words, in folder: ContextFolder) throws(CommandFailure) {
        var destination = Self()
        if let name = words.context {
            destination = try Self(name, in: folder)
        } else if let address = words.address {
            destination.address = address
            destination.tokenFile = words.tokenVariable.map(AccessTokenFile.init(path:))
        } else {
            destination = try Self(try folder.used, in: folder)
            if let path = words.tokenVariable { destination.tokenFile = AccessTokenFile(path: path) }
        }
        if let path = words.tokenFile { destination.tokenFile = AccessTokenFile(path: path) }
        self = destination
    }

    private init() {}

    private init(_ name: ContextName, in folder: ContextFolder) throws(CommandFailure) {
        guard name != .standard else { return }
        let context = try folder.context(name)
        do {
            self.address = try DaemonAddress(context.server)
        } catch {
            throw CommandFailure(.other, code: "context", "the context '\(name)': \(error.message)")
        }
        self.tokenFile = context.tokenFile.map(AccessTokenFile.init(path:))
    }
}

extension AccessTokenFile {
    /// The path from the root, for a context and for programs in other folders.
    var absolutePath: String {
        guard !self.path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return self.path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(self.path)"
    }

    /// Reads the token, and reports a file that is not private.
    ///
    /// - Throws: `ClientError` with code `badToken`.
    func token(reportingAs format: OutputFormat) throws(ClientError) -> AccessToken {
        let contents = try self.read()
        if let warning = contents.warning {
            var notice = CommandFailure(.other, code: "token-file", "warning: \(warning)")
            notice.report(as: format)
        }
        return contents.token
    }
}
