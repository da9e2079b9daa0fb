package import Rac

/// A text field as a user interface would have it: it sends what the user types and shows what it is given.
///
/// It hands out the leading terminal of a channel: edits come out of it, and texts go in. Nothing is echoed, so two
/// fields can be joined in both directions. A field that goes away ends nothing that it was joined to.
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

    /// The shown text; setting it in code is no edit.
    package var text: String {
        get { self.shown.value }
        set { self.shown.value = newValue }
    }

    /// The user replaces the text.
    ///
    /// - Parameter text: The text that the field shows from then on, and sends.
    package func type(_ text: String) {
        self.shown.value = text
        self.channel.following.send(text)
    }

    /// The text of now, and after each edit, until the field goes away.
    package var texts: Signal<String, Never> {
        let ended = self.lifetime.ended
        return Signal.deferred { [shown, terminal] in
            terminal.signal.map { $0 ?? "" }.starting(with: shown.value).take(until: ended)
        }
    }
}
