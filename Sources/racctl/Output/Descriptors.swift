import Dispatch
import Glibc

/// The process's standard files, without the buffers of the C library.
enum Descriptors {
    static let input = Descriptor(number: STDIN_FILENO)
    static let output = Descriptor(number: STDOUT_FILENO)
    static let error = Descriptor(number: STDERR_FILENO)

    /// To be called first in a process.
    static func prepare() {
        // A closed pipe is the result of a write, and reading a terminal from the background an error: not deaths.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGTTIN, SIG_IGN)
        // A socket must not get the number of a standard file that somebody closed. Writing to a closed output fails.
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
            _ = open("/dev/null", number == STDOUT_FILENO ? O_RDONLY : O_RDWR)
        }
    }
}

/// A file descriptor, whose calls block.
struct Descriptor: Sendable {
    let number: Int32

    /// Writes everything; returns the error's number if that fails.
    @discardableResult
    func write(_ text: String) -> Int32? {
        var text = text
        return text.withUTF8 { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(self.number, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                if count >= 0 { written += count } else if !self.isWorthRepeating(POLLOUT) { return errno }
            }
            return nil
        }
    }

    /// Reads some bytes, none at the end of the file; waits until there are some.
    func read(upTo count: Int) throws(SystemFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let count = Glibc.read(self.number, &bytes, bytes.count)
            if count >= 0 { return Array(bytes.prefix(count)) }
            if !self.isWorthRepeating(POLLIN) { throw SystemFailure(number: errno) }
        }
    }

    /// Whether the descriptor has bytes, its end or an error to read at once.
    var isReadable: Bool { self.isReady(for: POLLIN, within: 0) }

    /// Whether a person types or reads there.
    var isTerminal: Bool { isatty(self.number) == 1 }

    /// Whether a call that failed can succeed now; waits for a descriptor that another process made non-blocking.
    private func isWorthRepeating(_ events: Int32) -> Bool {
        guard errno == EAGAIN || errno == EWOULDBLOCK else { return errno == EINTR }
        return self.isReady(for: events, within: -1)
    }

    private func isReady(for events: Int32, within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: self.number, events: Int16(events), revents: 0)
        while true {
            let count = poll(&entry, 1, milliseconds)
            if count >= 0 || errno != EINTR { return count != 0 }
        }
    }

    /// Calls back when the other end of a pipe closes.
    func whenNobodyReads(_ act: @escaping @Sendable () -> Void) {
        let number = self.number
        DispatchQueue(label: "racctl.output.watch").async {
            var entry = pollfd(fd: number, events: 0, revents: 0)
            while poll(&entry, 1, -1) < 0, errno == EINTR {}
            if entry.revents & Int16(POLLERR) != 0 { act() }
        }
    }
}
