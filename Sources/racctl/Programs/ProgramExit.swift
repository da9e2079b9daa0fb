import Dispatch
import Glibc
import Synchronization

/// The end of a program, awaited from its beginning.
final class ProgramExit: Sendable {
    private struct State {
        var end: ProgramEnd?
        var waiting: [CheckedContinuation<ProgramEnd, Never>] = []
        var wasTold = false
    }

    private let process: pid_t
    private let state = Mutex(State())

    /// - Parameter process: A child of this process, and the leader of its process group.
    init(of process: pid_t) {
        self.process = process
        DispatchQueue(label: "racctl.program").async {
            // The process stays a zombie until the wait under the lock, so no signal reaches another process with its
            // number.
            var information = siginfo_t()
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            self.reap()
        }
    }

    private func reap() {
        let (end, waiting) = self.state.withLock { state in
            // Processes that the program has left behind were sent the signal to end as well.
            if state.wasTold { kill(-self.process, SIGKILL) }
            var status: Int32 = 0
            while waitpid(self.process, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            let end = signal == 0 ? ProgramEnd.exited((status >> 8) & 0xFF) : .signalled(signal)
            state.end = end
            defer { state.waiting = [] }
            return (end, state.waiting)
        }
        for continuation in waiting { continuation.resume(returning: end) }
    }

    /// Sends a signal to the program and the processes that it has started, if it still runs.
    func signal(_ number: Int32) {
        self.state.withLock { state in
            guard state.end == nil else { return }
            state.wasTold = true
            kill(-self.process, number)
        }
    }

    /// Sends a signal later, if the program still runs then.
    func signal(_ number: Int32, after time: Duration) {
        DispatchQueue.global().asyncAfter(deadline: .now() + time / .seconds(1)) { [weak self] in self?.signal(number) }
    }

    /// Waits for the end.
    func end() async -> ProgramEnd {
        await withCheckedContinuation { continuation in
            let end = self.state.withLock { state in
                if state.end == nil { state.waiting.append(continuation) }
                return state.end
            }
            if let end { continuation.resume(returning: end) }
        }
    }
}
