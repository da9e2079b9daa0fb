import Glibc
package import Logging

/// The reader of standard error, which decides how a line of the log begins.
package enum LogReader: Sendable {
    case people
    /// The journal of systemd: it takes the priority from the beginning of a line, and has its own time.
    case journal

    /// The reader of this process's standard error.
    ///
    /// systemd names the file of its journal. Another file is one to which a shell has redirected the output.
    package static let present = Self(stream: getenv("JOURNAL_STREAM").map { String(cString: $0) }, of: STDERR_FILENO)

    /// - Parameters:
    ///   - stream: The device and the number of the journal's file: `8:12345`.
    ///   - descriptor: The file to which lines go.
    init(stream: String?, of descriptor: Int32) {
        var status = stat()
        let isJournal = fstat(descriptor, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
        self = isJournal ? .journal : .people
    }

    /// The beginning of a line with this level: nothing for people.
    package func prefix(_ level: Logger.Level) -> String {
        switch self {
        case .people: ""
        case .journal: "<\(Self.priority(level))>"
        }
    }

    /// The priority of syslog.
    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}
