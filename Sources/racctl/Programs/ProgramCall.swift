import Glibc
import RacConnection
import RacProtocol

/// A program to start, as it stands on the command line.
struct ProgramCall: Sendable {
    /// The program's name or path, then its arguments.
    let words: [String]
    /// The variables of its environment beside those of racctl.
    var environment: [String: String] = [:]

    var name: String { self.words[0] }

    /// A program that has nothing to do with racd.
    init(_ name: String, _ argument: String) {
        self.words = [name, argument]
    }

    /// Nil if no program is named.
    init?(_ words: [String], for context: CommandContext) {
        guard !words.isEmpty else { return nil }
        self.words = words
        // A racctl that the program starts reaches the same racd.
        self.environment[DaemonAddress.variable] = context.connection.address.url
        self.environment[Destination.tokenVariable] = context.tokenFile?.path.absolutePath ?? ""
        self.environment[CommonOptions.insecureVariable] = context.configuration.allowsClearTextToken ? "1" : ""
        self.environment.merge(context.configuration.tls.variables) { $1 }
    }
}

extension ProgramCall {
    /// Looks for the program, as the system will for each start.
    ///
    /// - Throws: ``CommandFailure`` if there is none that may be run.
    func check() throws(CommandFailure) {
        let folders = self.name.utf8.contains(UInt8(ascii: "/")) ? nil : Environment.text(of: "PATH") ?? "/bin:/usr/bin"
        let paths = folders?.split(separator: ":", omittingEmptySubsequences: false).map {
            "\($0.isEmpty ? "." : $0)/\(self.name)"
        }
        let faults = (paths ?? [self.name]).map(Self.fault)
        guard !faults.contains(nil) else { return }
        throw CommandFailure(self, SystemFailure(number: faults.contains(EACCES) ? EACCES : ENOENT))
    }

    /// The number of the error that a start of this file has; nil if it has none.
    private static func fault(_ path: String) -> Int32? {
        var status = stat()
        guard stat(path, &status) == 0, access(path, X_OK) == 0 else { return errno }
        return status.st_mode & S_IFMT == S_IFDIR ? EACCES : nil
    }
}

/// The end of a program.
enum ProgramEnd: Equatable {
    case exited(Int32)
    case signalled(Int32)

    var isSuccess: Bool { self == .exited(0) }

    /// The end in words for people.
    var text: String {
        switch self {
        case .exited(let status): "ended with status \(status)"
        case .signalled(let number): "was ended by signal \(number)"
        }
    }

    /// The exit code by the shells' convention.
    var status: Int32 {
        switch self {
        case .exited(let status): status
        case .signalled(let number): 128 + number
        }
    }
}

extension CommandFailure {
    /// A program that cannot be started.
    init(_ call: ProgramCall, _ failure: SystemFailure) {
        self.init(.other, code: "program", "cannot run \(call.name): \(failure.reason)")
    }

    /// A program that did not succeed.
    init(_ call: ProgramCall, _ end: ProgramEnd) {
        self.init(.other, code: "program", "\(call.name) \(end.text)")
        self.data = try? JSONText("{\"status\":\(end.status)}")
    }
}

extension ClientTLS {
    /// The variables by which another racctl finds the same files; empty ones hide those of this process.
    fileprivate var variables: [String: String] {
        var authority = ""
        if case .file(let path) = self.trust { authority = path.absolutePath }
        return [
            TLSFiles.Variable.authority: authority,
            TLSFiles.Variable.certificate: self.identity?.certificateFile.absolutePath ?? "",
            TLSFiles.Variable.key: self.identity?.keyFile.absolutePath ?? "",
        ]
    }
}

extension DaemonAddress {
    /// An address in the form that RACD_SERVER and --server take.
    var url: String {
        switch self {
        case .tcp: "rac://\(self)"
        case .tls, .unix: "\(self)"
        }
    }
}
