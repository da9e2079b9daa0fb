/// The place of one member's latest value, in a combination whose members differ in type.
///
/// `@unchecked Sendable` holds because it is touched inside the gate of its combination only.
@usableFromInline
final class LatestPlace<Value: Sendable>: @unchecked Sendable {
    @usableFromInline var stored: Value?

    @inlinable
    init() {}

    /// The value, if there is one yet.
    @inlinable
    var latest: Value {
        guard let stored = self.stored else {
            preconditionFailure("A combination is made only after each member has sent a value.")
        }
        return stored
    }
}

/// The places of the latest values of members of one type.
///
/// `@unchecked Sendable` holds because it is touched inside the gate of its combination only.
@usableFromInline
final class LatestBoard<Value: Sendable>: @unchecked Sendable {
    @usableFromInline var incomplete: [Value?]
    @usableFromInline var silent: Int
    /// The values, once all are there.
    ///
    /// They change in place, so a combination that nobody keeps costs no copy.
    @usableFromInline var latest: [Value] = []

    @inlinable
    init(members: Int) {
        self.incomplete = Array(repeating: nil, count: members)
        self.silent = members
    }

    /// Stores the value of a member.
    @inlinable
    func store(_ value: Value, at index: Int) {
        guard self.latest.isEmpty else { return self.latest[index] = value }
        if self.incomplete[index] == nil { self.silent -= 1 }
        self.incomplete[index] = value
        guard self.silent == 0 else { return }
        self.latest = self.incomplete.compactMap(\.self)
        self.incomplete = []
    }
}
