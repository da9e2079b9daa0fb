package import RacProtocol

/// The record of one channel, and the rules of its changes.
///
/// Every change is judged first and then accepted with a revision of its own. So several channels can be judged before
/// any of them changes.
///
/// The getters are inlined: a call would copy the machine out of its channel, with a dozen references to count.
///
/// Semantics: protocol.md, "Channels", "Links".
package struct ChannelStateMachine: Sendable {
    package enum Verdict: Equatable, Sendable {
        case accepted
        /// The cause is no newer than the root of the present value: the send is acknowledged with that value, and
        /// nothing changes.
        case stale(Valuation)
        case refused(Refusal)
    }

    package private(set) var record: ChannelRecord

    package init(_ record: ChannelRecord) {
        self.record = record
    }

    /// Whether the channel ever changed, so that clients may know of it.
    @inline(__always)
    package var isKnown: Bool { self.record.revision > .never }

    /// The bytes of its values.
    @inline(__always)
    package var valueBytes: Int { self.record.valueBytes }

    /// The valuation that a terminal of this side shows.
    @inline(__always)
    package func shown(to role: Role) -> Valuation? {
        switch (self.record.mode, role) {
        case (.shared, _), (.paired, .following): self.record.value
        case (.paired, .leading): self.record.wish
        }
    }

    /// The last valuation sent by this side; in a shared channel, by either side.
    @inline(__always)
    package func sent(by role: Role) -> Valuation? {
        switch (self.record.mode, role) {
        case (.shared, _), (.paired, .leading): self.record.value
        case (.paired, .following): self.record.wish
        }
    }

    /// Judges a value of this side; only with a cause does its text count.
    @inline(__always)
    package func judgeValue(
        _ value: JSONText? = nil,
        from sender: Role,
        condition: Revision?,
        cause: Revision?
    ) -> Verdict {
        self.isOpen && condition == nil && cause == nil ? .accepted : self.judge(value, sender, condition, cause)
    }

    private func judge(
        _ value: JSONText?,
        _ sender: Role,
        _ condition: Revision?,
        _ cause: Revision?
    ) -> Verdict {
        // The verdict may wait for a commit, so its value must not keep the received bytes.
        let present = self.sent(by: sender)?.detached
        guard self.isOpen else { return .refused(self.terminated(present)) }
        if let condition, let conflict = Self.conflict(condition, present) { return .refused(conflict) }
        if let cause, let present, !present.givesWay(to: value, from: cause) { return .stale(present) }
        return .accepted
    }

    /// The refusal if what this side sent last has another revision; an ended channel is compared, too.
    package func conflict(with condition: Revision, from sender: Role) -> Refusal? {
        Self.conflict(condition, self.sent(by: sender)?.detached)
    }

    private static func conflict(_ condition: Revision, _ present: Valuation?) -> Refusal? {
        let revision = present?.revision ?? .never
        guard condition != revision else { return nil }
        let text =
            condition == .never
            ? "the channel has a value already, of revision \(revision)"
            : "the channel is at revision \(revision), not \(condition)"
        return Refusal(WireError(.conflict, text), standing: present)
    }

    /// Takes a value that was judged as accepted; `detachValues` follows before the store gets it.
    package mutating func acceptValue(
        _ valuation: Valuation,
        from sender: Role,
        at time: Int64,
        by author: Author? = nil
    ) {
        switch (self.record.mode, sender) {
        case (.shared, _), (.paired, .leading): self.record.value = valuation
        case (.paired, .following): self.record.wish = valuation
        }
        self.changed(as: valuation.revision, at: time, by: author)
    }

    /// Copies the values, so that they do not keep the received bytes.
    package mutating func detachValues() {
        self.record.value = self.record.value?.detached
        self.record.wish = self.record.wish?.detached
    }

    /// Judges an end.
    package func judgeEnd() -> Verdict {
        self.isOpen ? .accepted : .refused(self.terminated(self.record.value?.detached))
    }

    package mutating func acceptEnd(_ end: ChannelEnd, as revision: Revision, at time: Int64, by author: Author? = nil)
    {
        self.record.state = end.state
        self.changed(as: revision, at: time, by: author)
    }

    /// Whether the channel has no end, so that reopening it changes nothing.
    @inline(__always)
    package var isOpen: Bool {
        if case .open = self.record.state { true } else { false }
    }

    package mutating func acceptReopening(as revision: Revision, at time: Int64, by author: Author? = nil) {
        self.record.state = .open
        self.changed(as: revision, at: time, by: author)
    }

    /// Takes the mode of the channel's creator; no client knew of the channel before.
    package mutating func acceptCreation(
        mode: ChannelMode,
        as revision: Revision,
        at time: Int64,
        by author: Author? = nil
    ) {
        self.record.mode = mode
        self.changed(as: revision, at: time, by: author)
    }

    /// Drops the values: a holder of the deleted channel must not store or show them.
    package mutating func acceptDeletion(as revision: Revision, at time: Int64, by author: Author? = nil) {
        self.record.value = nil
        self.record.wish = nil
        self.changed(as: revision, at: time, by: author)
    }

    private mutating func changed(as revision: Revision, at time: Int64, by author: Author?) {
        self.record.author = author
        self.record.revision = revision
        self.record.changedAt = time
    }

    private func terminated(_ present: Valuation?) -> Refusal {
        let how = self.record.state == .completed ? "completed" : "ended with an error"
        return Refusal(WireError(.terminated, "the channel has \(how): reopen it first"), standing: present)
    }
}

extension ChannelMode {
    /// Whether the terminals of a side show the values of a sender's side.
    package func shows(_ role: Role, from sender: Role) -> Bool {
        self == .shared || role != sender
    }
}
