internal import OpenCombine
internal import Rac

extension CoreCase {
    /// A million values of a sequence, mapped, filtered, mapped; one operation is one value.
    static let coldChain = CoreCase(
        name: "map·filter·map, a sequence",
        operations: 1_000_000,
        contenders: [
            Contender(.rac) {
                let tally = Tally()
                return { count in
                    Signal<Int, Never>(values: 0..<count)
                        .map { $0 &* 3 }.filter { $0 & 1 == 0 }.map { $0 &+ 1 }
                        .onValue { tally.add($0) }
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let tally = Tally()
                return { count in
                    // Erased, as a signal is: a bare sequence's map would make an array and send nothing.
                    let handle = (0..<count).publisher.eraseToAnyPublisher()
                        .map { $0 &* 3 }.filter { $0 & 1 == 0 }.map { $0 &+ 1 }
                        .sink { tally.add($0) }
                    return withExtendedLifetime(handle) { tally.sum }
                }
            },
            Contender(.asyncSequence) {
                let tally = Tally()
                return { count in
                    let values = Numbers(count: count).map { $0 &* 3 }.filter { $0 & 1 == 0 }.map { $0 &+ 1 }
                    for await value in values { tally.add(value) }
                    return tally.sum
                }
            },
        ]
    )

    /// That chain behind a subject; one operation is one send.
    static let hotChain = CoreCase(
        name: "map·filter·map, a subject",
        operations: 1_000_000,
        allocatesNothing: true,
        contenders: [
            Contender(.rac) {
                let subject = Rac.Subject<Int, Never>()
                let tally = Tally()
                subject.signal.map { $0 &* 3 }.filter { $0 & 1 == 0 }.map { $0 &+ 1 }.onValue { tally.add($0) }
                return { count in
                    for value in 0..<count { subject.send(value) }
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let subject = Unchecked(PassthroughSubject<Int, Never>())
                let tally = Tally()
                let handle = Unchecked(
                    subject.value.map { $0 &* 3 }.filter { $0 & 1 == 0 }.map { $0 &+ 1 }.sink { tally.add($0) }
                )
                return { count in
                    for value in 0..<count { subject.value.send(value) }
                    return withExtendedLifetime(handle) { tally.sum }
                }
            },
        ]
    )

    /// The newest of the signals that a subject's values are made into; one operation is one send.
    static let latest = CoreCase(
        name: "flatMap latest, just one",
        operations: 200_000,
        contenders: [
            Contender(.rac) {
                let subject = Rac.Subject<Int, Never>()
                let tally = Tally()
                subject.signal.flatMap(.latest) { .just($0 &+ 1) }.onValue { tally.add($0) }
                return { count in
                    for value in 0..<count { subject.send(value) }
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let subject = Unchecked(PassthroughSubject<Int, Never>())
                let tally = Tally()
                let handle = Unchecked(
                    subject.value.map { Just($0 &+ 1) }.switchToLatest().sink { tally.add($0) }
                )
                return { count in
                    for value in 0..<count { subject.value.send(value) }
                    return withExtendedLifetime(handle) { tally.sum }
                }
            },
        ]
    )
}

/// 0, 1, 2… as an asynchronous sequence that never waits.
private struct Numbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let count: Int
    private var position = 0

    init(count: Int) {
        self.count = count
    }

    mutating func next() async -> Int? {
        guard self.position < self.count else { return nil }
        defer { self.position += 1 }
        return self.position
    }

    func makeAsyncIterator() -> Numbers {
        self
    }
}
