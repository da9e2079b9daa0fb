import Dispatch
import Glibc

/// Reports the first of some signals; the second one ends the process at once, as without a listener.
struct ProcessSignals {
    private let sources: [any DispatchSourceSignal]

    init(_ signals: [Int32], _ act: @escaping @Sendable () -> Void) {
        self.sources = signals.map { number in
            // The source sees ignored signals, too; a signal that is not ignored would end the process.
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
