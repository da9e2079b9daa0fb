/// Combines the latest values of signals of any types.
///
/// Silent until every member has spoken; from then on each value of any member gives one tuple. A member that has
/// completed keeps its last value; the result completes when all have, and fails with the first failure. So with an
/// empty member no value ever comes, and with one that never speaks nothing does. The members are observed in order: of
/// the values that they send synchronously only the last of each earlier one is seen. A signal that is given twice is
/// observed twice, and half-updated tuples are seen. Disposal reaches all. Semantics: docs/semantics.md, C064 to C067.
/// ReactiveObjC: RACSignal combineLatest:.
///
/// - Parameter members: What to combine, two or more.
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
/// As `combineLatest` without a function, which has the edge cases. Semantics: docs/semantics.md, "Operators".
/// ReactiveObjC: RACSignal combineLatest:reduce:.
///
/// - Parameters:
///   - members: What to combine, two or more.
///   - transform: Called once for each combination and observer.
/// - Returns: What the function makes of the combinations.
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
/// As with any number of members, which has the edge cases.
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
/// As with any number of members, which has the edge cases.
///
/// - Parameters:
///   - first: Observed first.
///   - second: Observed second.
///   - transform: Called once for each combination and observer.
/// - Returns: What the function makes of the combinations.
@inlinable
public func combineLatest<First, Second, Failure, Output>(
    _ first: Signal<First, Failure>,
    _ second: Signal<Second, Failure>,
    transform: @escaping @Sendable (First, Second) -> Output
) -> Signal<Output, Failure> {
    // Pairs are what is combined most, and the compiler specialises no parameter packs inside closures: these take a third
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

/// Combines the latest values of signals of one type, however many there are.
///
/// As with a fixed number of members, which has the edge cases; any number of members uses the same stack. Semantics:
/// docs/semantics.md, C068. ReactiveObjC: RACSignal combineLatest:.
///
/// - Parameters:
///   - members: What to combine, in the order of the values in each array.
///   - whenEmpty: What to send if there are no members: then the result is this value and completes, or only completes
///     if it is nil.
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
