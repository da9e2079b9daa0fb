/// Pairs the values of signals of any types by position: first with first, second with second.
///
/// The result completes as soon as a completed member has no value waiting, so an empty member ends it at once. A
/// failure ends it at once, too, and drops waiting values. Values wait without bound for those of slower members, so an
/// endless synchronous member must come last. A signal that is given twice is observed twice. The members are observed
/// in order; disposal reaches all. Semantics: docs/semantics.md, C055 to C058. ReactiveObjC: RACStream zip:.
///
/// - Parameter members: The signals, two or more.
/// - Returns: The tuples.
@inlinable
public func zip<each Value: Sendable, Failure>(
    _ members: repeat Signal<each Value, Failure>
) -> Signal<(repeat each Value), Failure> {
    Signal<(repeat each Value), Failure>(serial: { sink in
        let places = (repeat ZipPlace<each Value>())
        let combination = Combination(ZipState(members: countOf(repeat each places)), sink: sink) {
            (repeat (each places).takeFirst())
        }
        var index = 0
        for (member, place) in repeat (each members, each places) {
            combination.run(member, at: index) { place.line.append($0) }
            index += 1
        }
    })
}

/// Makes one value of the values of signals of any types, by position.
///
/// The edge cases are those of `zip` without a function. Semantics: docs/semantics.md, "Operators". ReactiveObjC:
/// RACStream zip:reduce:.
///
/// - Parameters:
///   - members: The signals, two or more.
///   - transform: Called once for each row and observer.
/// - Returns: The function's results.
@inlinable
public func zip<each Value: Sendable, Failure, Output>(
    _ members: repeat Signal<each Value, Failure>,
    transform: @escaping @Sendable (repeat each Value) -> Output
) -> Signal<Output, Failure> {
    Signal<Output, Failure>(serial: { sink in
        let places = (repeat ZipPlace<each Value>())
        let combination = Combination(ZipState(members: countOf(repeat each places)), sink: sink) {
            transform(repeat (each places).takeFirst())
        }
        var index = 0
        for (member, place) in repeat (each members, each places) {
            combination.run(member, at: index) { place.line.append($0) }
            index += 1
        }
    })
}

/// Pairs the values of two signals, by position.
///
/// The edge cases are those of any number of members.
///
/// - Parameters:
///   - first: Observed first.
///   - second: Observed second.
/// - Returns: The pairs.
@inlinable
public func zip<First, Second, Failure>(
    _ first: Signal<First, Failure>,
    _ second: Signal<Second, Failure>
) -> Signal<(First, Second), Failure> {
    zip(first, second) { ($0, $1) }
}

/// Makes one value of the values of two signals, by position.
///
/// The edge cases are those of any number of members.
///
/// - Parameters:
///   - first: Observed first.
///   - second: Observed second.
///   - transform: Called once for each pair and observer.
/// - Returns: The function's results.
@inlinable
public func zip<First, Second, Failure, Output>(
    _ first: Signal<First, Failure>,
    _ second: Signal<Second, Failure>,
    transform: @escaping @Sendable (First, Second) -> Output
) -> Signal<Output, Failure> {
    // Most rows are pairs, and the compiler specialises no parameter packs inside closures.
    Signal<Output, Failure>(serial: { sink in
        let places = (ZipPlace<First>(), ZipPlace<Second>())
        let combination = Combination(ZipState(members: 2), sink: sink) {
            transform(places.0.takeFirst(), places.1.takeFirst())
        }
        combination.run(first, at: 0) { places.0.line.append($0) }
        combination.run(second, at: 1) { places.1.line.append($0) }
    })
}

/// Puts the values of any number of signals of one type into arrays, by position.
///
/// The edge cases are those of a fixed number of members; no members give `[done]`, one gives arrays of one value. Each
/// number of members uses the same stack. Semantics: docs/semantics.md, C061, C062. ReactiveObjC: RACStream zip:.
///
/// - Parameter members: The signals, in the order of the values in each array.
/// - Returns: Arrays with a value of each member.
@inlinable
public func zip<Member: SignalSource>(_ members: [Member]) -> Signal<[Member.Value], Member.Failure> {
    guard !members.isEmpty else { return .empty }
    return Signal<[Member.Value], Member.Failure>(serial: { sink in
        let places = members.map { _ in ZipPlace<Member.Value>() }
        let combination = Combination(ZipState(members: members.count), sink: sink) { places.map { $0.takeFirst() } }
        for (index, (member, place)) in zip(members, places).enumerated() {
            combination.run(member.signal, at: index) { place.line.append($0) }
        }
    })
}
