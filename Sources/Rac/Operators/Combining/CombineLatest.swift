/// Combines the latest values of signals of any types.
///
/// No tuple comes before each member has sent a value; then each value of a member gives one. A completed member keeps
/// its last value. The result completes when all members have, and fails with the first failure. So an empty or a
/// silent member prevents all tuples. The members are observed in order: of their synchronous values, only the last of
/// each earlier member is seen. A signal that is given twice is observed twice, and half-updated tuples are seen.
/// Disposal reaches all. Semantics: docs/semantics.md, C064 to C067. ReactiveObjC: RACSignal combineLatest:.
///
/// - Parameter members: The signals, two or more.
/// - Returns: The tuples.
@inlinable
public func combineLatest<each Value: Sendable, Failure>(
    _ members: repeat Signal<each Value, Failure>
) -> Signal<(repeat each Value), Failure> {
    Signal<(repeat each Value), Failure>(serial: { sink in
        let places = (repeat LatestPlace<each Value>())
        let combination = Combination(LatestState(members: countOf(repeat each places)), sink: sink) {
            (repeat (each places).latest)
        }
        var index = 0
        for (member, place) in repeat (each members, each places) {
            combination.run(member, at: index) { place.stored = $0 }
            index += 1
        }
    })
}

/// Combines the latest values of signals of any types to one value.
///
/// The edge cases are those of `combineLatest` without a function. Semantics: docs/semantics.md, "Operators".
/// ReactiveObjC: RACSignal combineLatest:reduce:.
///
/// - Parameters:
///   - members: The signals, two or more.
///   - transform: Called once for each combination and observer.
/// - Returns: The function's results.
@inlinable
public func combineLatest<each Value: Sendable, Failure, Output>(
    _ members: repeat Signal<each Value, Failure>,
    transform: @escaping @Sendable (repeat each Value) -> Output
) -> Signal<Output, Failure> {
    Signal<Output, Failure>(serial: { sink in
        let places = (repeat LatestPlace<each Value>())
        let combination = Combination(LatestState(members: countOf(repeat each places)), sink: sink) {
            transform(repeat (each places).latest)
        }
        var index = 0
        for (member, place) in repeat (each members, each places) {
            combination.run(member, at: index) { place.stored = $0 }
            index += 1
        }
    })
}

/// Combines the latest values of two signals.
///
/// The edge cases are those of any number of members.
///
/// - Parameters:
///   - first: Observed first.
///   - second: Observed second.
/// - Returns: The pairs.
@inlinable
public func combineLatest<First, Second, Failure>(
    _ first: Signal<First, Failure>,
    _ second: Signal<Second, Failure>
) -> Signal<(First, Second), Failure> {
    combineLatest(first, second) { ($0, $1) }
}

/// Combines the latest values of two signals to one value.
///
/// The edge cases are those of any number of members.
///
/// - Parameters:
///   - first: Observed first.
///   - second: Observed second.
///   - transform: Called once for each combination and observer.
/// - Returns: The function's results.
@inlinable
public func combineLatest<First, Second, Failure, Output>(
    _ first: Signal<First, Failure>,
    _ second: Signal<Second, Failure>,
    transform: @escaping @Sendable (First, Second) -> Output
) -> Signal<Output, Failure> {
    // Most combinations are pairs, and the compiler specialises no parameter packs inside closures: pairs take a third
    // of the time.
    Signal<Output, Failure>(serial: { sink in
        let places = (LatestPlace<First>(), LatestPlace<Second>())
        let combination = Combination(LatestState(members: 2), sink: sink) {
            transform(places.0.latest, places.1.latest)
        }
        combination.run(first, at: 0) { places.0.stored = $0 }
        combination.run(second, at: 1) { places.1.stored = $0 }
    })
}

/// Combines the latest values of any number of signals of one type.
///
/// The edge cases are those of a fixed number of members; each number of members uses the same stack. Semantics:
/// docs/semantics.md, C068. ReactiveObjC: RACSignal combineLatest:.
///
/// - Parameters:
///   - members: The signals, in the order of the values in each array.
///   - whenEmpty: The only value of a combination without members; nil sends none. The result completes either way.
/// - Returns: Arrays with a value of each member.
@inlinable
public func combineLatest<Member: SignalSource>(
    _ members: [Member],
    whenEmpty: [Member.Value]? = nil
) -> Signal<[Member.Value], Member.Failure> {
    guard !members.isEmpty else { return whenEmpty.map { .just($0) } ?? .empty }
    return Signal<[Member.Value], Member.Failure>(serial: { sink in
        let board = LatestBoard<Member.Value>(members: members.count)
        let combination = Combination(LatestState(members: members.count), sink: sink) { board.latest }
        for (index, member) in members.enumerated() {
            combination.run(member.signal, at: index) { board.store($0, at: index) }
        }
    })
}
