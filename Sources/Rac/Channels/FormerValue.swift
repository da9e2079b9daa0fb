/// The value of a property from before its binding, for a remote side that ends without ever having had a value.
///
/// An edit that this side has not taken goes back to it.
@usableFromInline
struct FormerValue<Value: Sendable>: Sendable {
    @usableFromInline let change: Change<Value>
    @usableFromInline let isWanted: @Sendable () -> Bool
    /// The place in which answers are made: two sides without a value answer each other once.
    @usableFromInline let number = SerialNumber.next()

    /// Notes the value of a property of this program; nil if it is none, or the other side is not remote.
    @inlinable
    init?<Failure, OtherFailure>(
        of property: TerminalPort<Value, Failure>,
        beside other: TerminalPort<Value, OtherFailure>
    ) {
        guard property.tied != nil, other.answer != nil, let remoteness = other.remoteness else { return nil }
        let (reading, found) = (Subscription(), SerialCell(Change<Value>?.none))
        property.add(Sink(reading, value: { found.state = $0 }, end: { _ in }), .present)
        reading.dispose()
        guard let change = found.state else { return nil }
        self.change = change
        self.isWanted = remoteness.isBlank
    }

    /// The answer to a change that comes behind the end.
    @inlinable
    func answer(_ change: Change<Value>) -> Change<Value>? {
        guard self.isWanted(), !change.isRenewal, !change.hasPassed(self.number) else { return nil }
        var answer = Change(self.change.value, in: self.number)
        answer.trail = Trail(number: change.birthplace, formerRank: 0, before: change.trail)
        return answer
    }

    /// Gives the property its value back, behind the end.
    @inlinable
    func restore<Failure>(_ property: TerminalPort<Value, Failure>) {
        guard self.isWanted() else { return }
        let (reading, present) = (Subscription(), SerialCell(Change<Value>?.none))
        property.add(Sink(reading, value: { present.state = $0 }, end: { _ in }), .present)
        reading.dispose()
        guard let edit = present.state, edit.identity != self.change.identity, let former = self.answer(edit) else {
            return
        }
        property.take(former)
    }
}
