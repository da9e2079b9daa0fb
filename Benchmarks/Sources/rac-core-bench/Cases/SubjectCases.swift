internal import OpenCombine
internal import Rac

extension CoreCase {
    /// A subject that so many observe; one operation is one send.
    static func subject(observers: Int) -> CoreCase {
        var contenders = [
            Contender(.rac) {
                let subject = Rac.Subject<Int, Never>()
                let tally = Tally()
                for _ in 0..<observers { subject.onValue { tally.add($0) } }
                return { count in
                    for value in 0..<count { subject.send(value) }
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let subject = Unchecked(PassthroughSubject<Int, Never>())
                let tally = Tally()
                let handles = Unchecked((0..<observers).map { _ in subject.value.sink { tally.add($0) } })
                return { count in
                    for value in 0..<count { subject.value.send(value) }
                    return withExtendedLifetime(handles) { tally.sum }
                }
            },
        ]
        if observers == 1 { contenders.append(Self.stream) }
        return CoreCase(
            name: observers == 1 ? "subject, 1 observer" : "subject, \(observers) observers",
            operations: 2_000_000 / (observers + 1),
            allocatesNothing: true,
            contenders: contenders
        )
    }

    /// A stream that is fed and read in turn by one task, which therefore never waits.
    private static var stream: Contender {
        Contender(.asyncSequence) {
            let tally = Tally()
            return { count in
                let (stream, continuation) = AsyncStream<Int>.makeStream()
                var iterator = stream.makeAsyncIterator()
                for value in 0..<count {
                    continuation.yield(value)
                    if let value = await iterator.next() { tally.add(value) }
                }
                return tally.sum
            }
        }
    }
}
