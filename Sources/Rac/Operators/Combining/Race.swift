public import Synchronization

/// Follows the signal that sends an event first, and cancels the others.
///
/// Any event decides the race, an end too. The members are observed in order; those behind one that sends synchronously
/// are not observed. No members give `[done]`. Disposal reaches all. Semantics: docs/semantics.md, C413, C414. RxSwift:
/// amb. ReactiveX: race.
///
/// - Parameter members: The signals.
/// - Returns: The events of the first to send one.
@inlinable
public func race<Member: SignalSource>(_ members: [Member]) -> Signal<Member.Value, Member.Failure> {
    guard !members.isEmpty else { return .empty }
    return Signal(serial: { sink in
        Race(runs: members.map { _ in Subscription(in: sink.subscription) }, sink: sink).run(members)
    })
}

/// Follows the signal that sends an event first, and cancels the others.
///
/// The edge cases are those of `race` of an array.
///
/// - Parameter members: The signals.
/// - Returns: The events of the first to send one.
@inlinable
public func race<Value, Failure>(_ members: Signal<Value, Failure>...) -> Signal<Value, Failure> {
    race(members)
}

/// One subscription to the first of several signals.
///
/// Only the winner's events pass, and they come one after another already, so no gate is needed.
@usableFromInline
final class Race<Value: Sendable, Failure: Error>: Sendable {
    /// The number of the winner, or -1 before there is one.
    @usableFromInline let winner = Atomic(-1)
    @usableFromInline let runs: [Subscription]
    @usableFromInline let sink: Sink<Value, Failure>

    @inlinable
    init(runs: [Subscription], sink: Sink<Value, Failure>) {
        self.runs = runs
        self.sink = sink
    }

    @inlinable
    func run<Member: SignalSource>(_ members: [Member]) where Member.Value == Value, Member.Failure == Failure {
        for (index, member) in members.enumerated() {
            member.signal.start(
                self.runs[index],
                value: { if self.wins(index) { self.sink.send($0) } },
                end: { if self.wins(index) { self.sink.end($0) } }
            )
        }
    }

    /// Whether the events of a member pass; the first member that asks wins.
    @inlinable
    func wins(_ member: Int) -> Bool {
        let known = self.winner.load(ordering: .relaxed)
        guard known == -1 else { return known == member }
        let first = self.winner.compareExchange(expected: -1, desired: member, ordering: .acquiringAndReleasing)
        guard first.exchanged else { return false }
        for (index, run) in self.runs.enumerated() where index != member { run.dispose() }
        return true
    }
}
