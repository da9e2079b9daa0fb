package import Rac

/// A text field of a user interface: it sends the user's edits and shows the texts that it receives.
///
/// It exposes the leading terminal of a channel: edits come out of it, and texts go in. It echoes nothing, so two
/// fields can be joined in both directions. The release of a field ends nothing that it was joined to.
package final class TextField: Sendable {
    /// The terminal of edits and shown texts; nil is shown as no text.
    package var terminal: ChannelTerminal<String?, Never> { self.channel.leading }

    private let channel = TwoWayChannel<String?, Never>()
    private let shown = Property("")
    private let lifetime = Lifetime()

    /// Makes an empty field.
    package init() {
        self.shown.bind(to: self.channel.following, whenNil: "")
    }

    /// The shown text; setting it in code is not an edit.
    package var text: String {
        get { self.shown.value }
        set { self.shown.value = newValue }
    }

    /// Replaces the text as a user would.
    ///
    /// - Parameter text: The text that the field shows and sends.
    package func type(_ text: String) {
        self.shown.value = text
        self.channel.following.send(text)
    }

    /// The present text, and the text after each edit, until the field is released.
    package var texts: Signal<String, Never> {
        let ended = self.lifetime.ended
        return Signal.deferred { [shown, terminal] in
            terminal.signal.map { $0 ?? "" }.starting(with: shown.value).take(until: ended)
        }
    }
}
