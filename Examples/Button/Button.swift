package import Rac

/// A button of a user interface: a press executes its command, and it is enabled while the command is.
package final class Button: Sendable {
    /// Whether the user can press it.
    package let isEnabled = Property(true)

    private let presses = Subject<Void, Never>()
    private let wiring = SerialDisposable()

    /// Makes a button that does nothing.
    package init() {}

    deinit {
        self.wiring.dispose()
    }

    /// Each later press.
    package var clicks: Signal<Void, Never> { self.presses.signal }

    /// Replaces the command of the button.
    ///
    /// - Parameter command: The button holds it; the command does not know the button.
    package func perform<Output, Failure>(_ command: Command<Void, Output, Failure>) {
        // A property has at most one live binding, so the previous one ends first.
        self.wiring.inner = nil
        let enabledness = self.isEnabled.bind(to: command.isEnabled)
        let execution = self.presses.onValue { command.execute() }
        self.wiring.inner = CompositeDisposable([enabledness, execution])
    }

    /// Presses the button as a user would; a disabled button does nothing.
    package func press() {
        guard self.isEnabled.value else { return }
        self.presses.send(())
    }
}
