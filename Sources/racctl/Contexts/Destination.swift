import ArgumentParser
import Glibc
import RacConnection

/// The daemon of a command, and the files with what it wants to see.
struct Destination: Equatable {
    var address = DaemonAddress.local
    var tokenFile: AccessTokenFile?
    var tls = ClientTLS()

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
        /// The files of TLS that the options name, and the environment unless `--context` hides it.
        var files = TLSFiles()
    }

    /// Follows the words: the command line first, then the environment, then the context in use.
    ///
    /// A context's files are for its own daemon: they go to no address that the command line or the environment names. A
    /// context that the command line names is followed as a whole, whatever the environment says.
    ///
    /// - Throws: ``CommandFailure`` if the context is not there or cannot be read.
    init(_ words: Words, in folder: ContextFolder) throws(CommandFailure) {
        var destination = Self()
        var files = words.files
        if let name = words.context {
            destination = try Self(name, &files, in: folder)
        } else if let address = words.address {
            destination.address = address
            destination.tokenFile = words.tokenVariable.map(AccessTokenFile.init(path:))
        } else {
            destination = try Self(try folder.used, &files, in: folder)
            if let path = words.tokenVariable { destination.tokenFile = AccessTokenFile(path: path) }
        }
        if let path = words.tokenFile { destination.tokenFile = AccessTokenFile(path: path) }
        do {
            destination.tls = try files.tls
        } catch {
            throw CommandFailure(.usage, code: "usage", error.message)
        }
        self = destination
    }

    private init() {}

    private init(_ name: ContextName, _ files: inout TLSFiles, in folder: ContextFolder) throws(CommandFailure) {
        guard name != .standard else { return }
        let context = try folder.context(name)
        do {
            self.address = try DaemonAddress(context.server)
        } catch {
            throw CommandFailure(.other, code: "context", "the context '\(name)': \(error.message)")
        }
        self.tokenFile = context.tokenFile.map(AccessTokenFile.init(path:))
        files = files.completed(by: context.files)
    }
}

extension String {
    /// The path from the root, for a context and for programs in other folders.
    var absolutePath: String {
        guard !self.hasPrefix("/"), let folder = getcwd(nil, 0) else { return self }
        defer { free(folder) }
        return "\(String(cString: folder))/\(self)"
    }
}

extension ClientTLS {
    /// Reports a key that other users have rights to.
    func reportKey(as format: OutputFormat) {
        var status = stat()
        guard let path = self.identity?.keyFile, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_mode & 0o077 != 0
        else { return }
        let mode = "0" + String(status.st_mode & 0o777, radix: 8)
        let warning = "other users have rights to the key file \(path) (mode \(mode)): `chmod 600 \(path)` ends that"
        var notice = CommandFailure.warning(code: "key-file", warning)
        notice.report(as: format)
    }
}

extension AccessTokenFile {
    /// Reads the token, and reports a file that is not private.
    ///
    /// - Throws: `ClientError` with code `badToken`.
    func token(reportingAs format: OutputFormat) throws(ClientError) -> AccessToken {
        let contents = try self.read()
        if let warning = contents.warning {
            var notice = CommandFailure.warning(code: "token-file", warning)
            notice.report(as: format)
        }
        return contents.token
    }
}
