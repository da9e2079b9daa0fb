import Dispatch
import Glibc

/// Tells the first of some signals; the second one ends the process at once, as if nobody had listened.
struct SignalSource {
    private let sources: [any DispatchSourceSignal]

    init(_ signals: [Int32], _ act: @escaping @Sendable () -> Void) {
        self.sources = signals.map { number in
            // A signal source sees what the process ignores; it would die of what it does not ignore.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                signal(number, SIG_DFL)
                act()
            }
            source.activate()
            return source
        }
    }

    func cancel() {
        for source in self.sources { source.cancel() }
    }
}
