import Foundation
import Glibc
import Synchronization

/// The end of a process that this one started.
final class Exit: Sendable {
    private struct State {
        var status: Int32?
        var waiting: [CheckedContinuation<Int32, Never>] = []
    }

    private let process: Int32
    private let state = Mutex(State())

    /// Waits for a process on a thread of its own.
    init(of process: Int32) {
        self.process = process
        Thread.detachNewThread { [self] in
            // The process stays a zombie until it is waited for under the lock, so that a signal cannot reach another
            // one that got its number.
            var information = siginfo_t()
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            self.ended()
        }
    }

    private func ended() {
        let (status, waiting) = self.state.withLock { state in
            var wait: Int32 = 0
            waitpid(self.process, &wait, 0)
            let signal = wait & 0x7F
            let status = signal == 0 ? (wait >> 8) & 0xFF : 128 + signal
            state.status = status
            defer { state.waiting = [] }
            return (status, state.waiting)
        }
        for continuation in waiting { continuation.resume(returning: status) }
    }

    func signal(_ number: Int32) {
        self.state.withLock { state in
            if state.status == nil { kill(self.process, number) }
        }
    }

    var isOver: Bool { self.state.withLock { $0.status != nil } }

    /// The exit code; 128 and the signal's number if a signal ended it.
    func status() async -> Int32 {
        await withCheckedContinuation { continuation in
            let status = self.state.withLock { state in
                if state.status == nil { state.waiting.append(continuation) }
                return state.status
            }
            if let status { continuation.resume(returning: status) }
        }
    }
}
