/// A text that equals only a text of the same bytes.
///
/// For a `String`, the sign for Kelvin equals the letter K. An issuer that gives one of them out does not mean the other.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (one: ExactText, other: ExactText) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = self.text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Sequence<String> {
    /// Whether a text of the same bytes is among these.
    package func containsExactly(_ text: String) -> Bool { self.contains { $0.utf8.elementsEqual(text.utf8) } }
}
