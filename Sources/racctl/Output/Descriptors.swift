import Dispatch
import Glibc

/// The process's standard files, without the buffers of the C library.
enum Descriptors {
    static let input = Descriptor(number: STDIN_FILENO)
    static let output = Descriptor(number: STDOUT_FILENO)
    static let error = Descriptor(number: STDERR_FILENO)

    /// To be called first in a process.
    static func prepare() {
        // A closed pipe is the result of a write, not a death.
        signal(SIGPIPE, SIG_IGN)
        // A job in the background goes on with its connection: it waits for the terminal instead of being stopped.
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
                if count >= 0 {
                    written += count
                } else {
                    let fault = errno
                    if !self.isWorthRepeating(POLLOUT, behind: fault) { return fault }
                }
            }
            return nil
        }
    }

    /// The time between two looks whether the job has the terminal: a shell need not signal a job that it brings to the
    /// foreground.
    private static let pauseInBackground: UInt32 = 200_000

    /// Reads some bytes, none at the end of the file; waits until there are some.
    ///
    /// A job in the background waits until it has the terminal.
    func read(upTo count: Int) throws(SystemFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let count = Glibc.read(self.number, &bytes, bytes.count)
            if count >= 0 { return Array(bytes.prefix(count)) }
            let fault = errno
            if fault == EIO, tcgetpgrp(self.number) >= 0 {
                repeat { usleep(Self.pauseInBackground) } while self.isOfAnotherJob
            } else if !self.isWorthRepeating(POLLIN, behind: fault) {
                throw SystemFailure(number: fault)
            }
        }
    }

    /// Whether the descriptor has bytes, its end or an error to read at once.
    var isReadable: Bool { !self.isOfAnotherJob && self.isReady(for: POLLIN, within: 0) }

    /// Whether this is the terminal of another job of the shell, which is in the foreground.
    private var isOfAnotherJob: Bool {
        let foreground = tcgetpgrp(self.number)
        return foreground >= 0 && foreground != getpgrp()
    }

    /// Whether a person types or reads there.
    var isTerminal: Bool { isatty(self.number) == 1 }

    /// Whether a call that failed can succeed now; waits for a descriptor that another process made non-blocking.
    private func isWorthRepeating(_ events: Int32, behind fault: Int32) -> Bool {
        guard fault == EAGAIN || fault == EWOULDBLOCK else { return fault == EINTR }
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
