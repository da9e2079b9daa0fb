package import Rac

/// A button as a user interface would have it: it executes its command when pressed, and is enabled when that is.
package final class Button: Sendable {
    /// Whether it can be pressed.
    package let isEnabled = Property(true)

    private let presses = Subject<Void, Never>()
    private let wiring = SerialDisposable()

    /// Makes a button that does nothing.
    package init() {}

    deinit {
        self.wiring.dispose()
    }

    /// Each press, from now on.
    package var clicks: Signal<Void, Never> { self.presses.signal }

    /// Gives the button a command, in place of the one that it had.
    ///
    /// - Parameter command: Kept by the button, which it knows nothing of.
    package func perform<Output, Failure>(_ command: Command<Void, Output, Failure>) {
        // A property takes one live binding, so the one before goes first.
        self.wiring.inner = nil
        let enabledness = self.isEnabled.bind(to: command.isEnabled)
        let execution = self.presses.onValue { command.execute() }
        self.wiring.inner = CompositeDisposable([enabledness, execution])
    }

    /// The user presses the button, which has no effect while it is not enabled.
    package func press() {
        guard self.isEnabled.value else { return }
        self.presses.send(())
    }
}
