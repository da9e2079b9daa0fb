import CSpawn
import Dispatch
import Glibc

/// The end of a pipe to which the signals' handler writes their numbers; set once, before the handler is.
nonisolated(unsafe) private var noted: Int32 = -1

/// Reports the first of some signals; the second one ends the process at once, as without a listener.
///
/// The signals of a process are noted from ``note()`` on, so that one that comes before the listener is not lost.
struct ProcessSignals {
    /// The signals by which people, shells and closed terminals end a command.
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]
    /// The other end of the pipe; nil if the system has no pipe left.
    nonisolated(unsafe) private static var notes: Int32?

    private let source: (any DispatchSourceRead)?

    /// Notes signals from now on; to be called once, first in the process.
    ///
    /// Signals that the parent has had ignored, as nohup does, stay ignored.
    static func note() {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else { return }
        Self.notes = ends[0]
        noted = ends[1]
        for number in Self.numbers where !Self.isIgnored(number) {
            signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(noted, &byte, 1)
            }
        }
    }

    /// Lets the signals end the process, as they do by default.
    static func release() {
        for number in Self.numbers where !Self.isIgnored(number) { signal(number, SIG_DFL) }
    }

    init(_ act: @escaping @Sendable () -> Void) {
        self.source = Self.notes.map { notes in
            let source = DispatchSource.makeReadSource(
                fileDescriptor: notes,
                queue: DispatchQueue(label: "racctl.signals")
            )
            source.setEventHandler {
                var byte: UInt8 = 0
                guard read(notes, &byte, 1) == 1 else { return }
                Self.release()
                act()
            }
            source.activate()
            return source
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    func cancel() {
        self.source?.cancel()
    }
}
