import RacProtocol

/// The name of a principal: one segment of a channel's name, so that `{user}` can stand for it.
///
/// Names are compared by their bytes, as names of channels are.
package struct PrincipalName: Hashable, Sendable, CustomStringConvertible {
    /// The principal of clients that show nothing; no other principal has this name.
    package static let anonymous = PrincipalName(checked: "anonymous")

    private static let barred = "/{}".utf8

    private let exact: ExactText

    package var text: String { self.exact.text }

    /// Checks a text for use as a principal's name, and throws ``RuleError`` with the fault.
    package init(_ text: String) throws(RuleError) {
        do throws(NameError) {
            _ = try ChannelName(text)
        } catch {
            throw RuleError("the principal's name '\(text)' is no segment of a channel's name: \(error)")
        }
        // Bytes part a name, not characters: a `/` with an accent is a character of its own.
        let bytes = text.utf8
        guard bytes.first != UInt8(ascii: "$"), !bytes.contains(where: Self.barred.contains) else {
            throw RuleError("the principal's name '\(text)' may have no / and no braces, and may not begin with $")
        }
        // All readers of a channel learn the names of its writers.
        guard Secrets.hidden(in: text) == text else {
            throw RuleError("the principal's name '\(text)' is a token: choose a name that everybody may see")
        }
        guard text != Self.anonymous.text else {
            throw RuleError("the principal's name '\(text)' is that of clients which show nothing: choose another one")
        }
        self.exact = ExactText(text)
    }

    private init(checked text: String) {
        self.exact = ExactText(text)
    }

    package var description: String { self.text }
}
