package import RacProtocol

/// The value that a program shows of a channel, with everything that is known of it.
///
/// Of a paired channel it is the value that came last from the other side.
///
/// Semantics: protocol.md, "Agreement" and "Over connections".
package struct ShownValue: Equatable, Sendable {
    /// The maker of the value.
    private enum Origin: Equatable, Sendable {
        /// Another program; the daemon sent it.
        case daemon(Revision)
        /// This program wrote it, with that cause.
        case program(cause: Revision?)
    }

    private struct Value: Equatable, Sendable {
        let text: JSONText
        /// The change that it began with; nil if that is a write of this program that has no revision yet.
        var root: Revision?
        var origin: Origin
        /// Whether the daemon has lost or refused it and has no other value.
        var isLost = false
    }

    private var value: Value?
    /// The newest revision that the daemon reported; nil until it has reported how the channel is.
    package private(set) var reported: Revision?
    /// Whether a write was refused and the refusal did not have the channel's value.
    private var isUnsure = false

    package init() {}

    /// The text, nil before the first value.
    package var text: JSONText? { self.value?.text }

    /// The change that the value began with; nil if that has no revision yet.
    package var root: Revision? { self.value?.root }

    /// Whether the daemon has lost or refused the value and has no other one.
    package var isLost: Bool { self.value?.isLost ?? false }

    /// The revision that the value came with; nil for a write of this program.
    package var revision: Revision? {
        if case .daemon(let revision) = self.value?.origin { revision } else { nil }
    }

    /// The revision whose value the daemon need not send again; nil if it must send the channel's value.
    package var since: Revision? { self.isUnsure ? nil : self.reported }

    /// The write that the value is, with its cause; nil if another program made the value.
    package var write: (text: JSONText, cause: Revision?)? {
        guard let value = self.value, case .program(let cause) = value.origin else { return nil }
        return (value.text, cause)
    }

    /// The value as a write of it, unless the daemon has lost or refused it; one that came through a link has a cause.
    package var known: (text: JSONText, cause: Revision?)? {
        guard let value = self.value, !value.isLost else { return nil }
        return self.write ?? (value.text, value.root == self.revision ? nil : value.root)
    }

    /// Whether the text is shown.
    package func shows(_ text: JSONText) -> Bool {
        self.value?.text == text
    }

    /// Whether the text is shown, and began with that change.
    package func shows(_ text: JSONText, from root: Revision?) -> Bool {
        self.value.map { $0.text == text && $0.root == root } ?? false
    }

    /// Whether the value stays beside a text that a link passes on, whose change began with `cause`.
    ///
    /// A write without a revision will get a greater one than each cause.
    package func isNewer(than text: JSONText, from cause: Revision) -> Bool {
        guard let value = self.value, !value.isLost else { return false }
        return value.root.map { !cause.replaces($0, by: text, over: value.text) } ?? true
    }
}

// MARK: Changes

extension ShownValue {
    /// The program wrote a value and shows it.
    package mutating func wrote(_ text: JSONText, cause: Revision?) {
        self.value = Value(text: text, root: cause, origin: .program(cause: cause))
    }

    /// The program shows a value that the daemon sent.
    package mutating func show(_ value: Valuation) {
        self.value = Value(text: value.value, root: value.root, origin: .daemon(value.revision))
    }

    /// The roots of an earlier epoch do not count: the value gives way to each one that the daemon has.
    package mutating func forgetRoots() {
        guard let value = self.value, value.root != nil else { return }
        self.value?.root = .first
        if case .program(.some) = value.origin { self.value?.origin = .program(cause: .first) }
    }

    /// The daemon of another epoch has the text that is shown, and has reported its root.
    package mutating func stands(from root: Revision) {
        self.value?.root = root
    }

    /// The channel has no value any more.
    package mutating func clear() {
        self.value = nil
    }

    /// The daemon has lost the value, or has refused it, and has no other one.
    package mutating func markLost() {
        self.value?.isLost = true
    }

    /// The newest write was applied: a value that began with it gets its revision as root.
    package mutating func stands(at revision: Revision) {
        if self.value?.root == nil { self.value?.root = revision }
    }
}

// MARK: Reports

extension ShownValue {
    /// The daemon bound the terminal and reported its revision, which may be an older one in another epoch.
    package mutating func bound(at revision: Revision) {
        self.reported = revision
        self.isUnsure = false
    }

    /// The daemon reported a change.
    package mutating func report(_ revision: Revision) {
        self.reported = max(self.reported ?? .never, revision)
    }

    /// The daemon refused a write; `standing` is the channel's value, if the refusal has it.
    package mutating func refused(standing: Valuation?) {
        guard let standing else {
            self.isUnsure = true
            return
        }
        self.report(standing.revision)
    }
}
