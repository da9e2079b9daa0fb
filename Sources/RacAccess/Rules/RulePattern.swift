import RacProtocol

/// A pattern of a rule: a pattern of names in which the segment `{user}` stands for the principal's name.
///
/// Semantics: protocol.md, "Access".
package struct RulePattern: Hashable, Sendable, CustomStringConvertible {
    private static let user = "{user}"

    /// The pattern as it was written.
    package let text: String

    /// Checks a text for use as a rule's pattern, and throws ``RuleError`` with the fault.
    package init(_ text: String) throws(RuleError) {
        for segment in text.split(separator: "/") where segment != Self.user {
            guard !segment.contains("{"), !segment.contains("}") else {
                throw RuleError("in '\(text)' only {user} may have braces, and it stands for a whole segment")
            }
        }
        do throws(NameError) {
            _ = try ChannelPattern(Self.resolve(text, for: "x"))
        } catch {
            throw RuleError("the pattern '\(text)' is none: \(error)")
        }
        self.text = text
    }

    package var description: String { self.text }

    /// The pattern of one principal's names; nil if the principal's name makes it longer than a pattern may be.
    func resolved(for principal: PrincipalName) -> ChannelPattern? {
        try? ChannelPattern(Self.resolve(self.text, for: principal.text))
    }

    private static func resolve(_ text: String, for user: String) -> String {
        text.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0 == Self.user ? user : String($0) }
            .joined(separator: "/")
    }
}

/// The fault of a rule, a role, a principal or a key set, in one line that names the remedy.
package struct RuleError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
