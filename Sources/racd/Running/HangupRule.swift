import Glibc

/// Decides what SIGHUP means: the operator wants files to be read again, or the terminal of racd has closed.
struct HangupRule {
    enum OnHangup: Equatable {
        case reload
        case shutDown
        case nothing
    }

    /// Whether racd has a configuration file or certificates.
    private let hasFiles: Bool
    /// Whether racd ends with its terminal: it had one at the start, and no parent such as nohup has had the signal ignored.
    private let needsTerminal: Bool

    init(hasFiles: Bool, hasTerminal: Bool, isIgnored: Bool) {
        self.hasFiles = hasFiles
        self.needsTerminal = hasTerminal && !isIgnored
    }

    /// A SIGHUP has come.
    func hungUp(hasTerminal: Bool) -> OnHangup {
        if self.hasFiles { return .reload }
        return self.needsTerminal && !hasTerminal ? .shutDown : .nothing
    }

    /// Whether a terminal controls the process.
    static var hasTerminal: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        close(terminal)
        return true
    }
}
