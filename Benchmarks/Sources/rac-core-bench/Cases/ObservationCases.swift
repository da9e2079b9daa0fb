internal import OpenCombine
internal import Rac

extension CoreCase {
    /// An observer that comes to a subject and leaves it; nine others stay.
    static let comeAndGo = CoreCase(
        name: "observe and dispose",
        operations: 300_000,
        contenders: [
            Contender(.rac) {
                let (subject, tally) = (Rac.Subject<Int, Never>(), Tally())
                for _ in 0..<9 { subject.onValue { tally.add($0) } }
                return { count in
                    for _ in 0..<count { subject.onValue { tally.add($0) }.dispose() }
                    subject.send(count)
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let (subject, tally) = (Unchecked(PassthroughSubject<Int, Never>()), Tally())
                let handles = Unchecked((0..<9).map { _ in subject.value.sink { tally.add($0) } })
                return { count in
                    for _ in 0..<count { subject.value.sink { tally.add($0) }.cancel() }
                    subject.value.send(count)
                    return withExtendedLifetime(handles) { tally.sum }
                }
            },
        ]
    )

    /// A late observer, which gets the stored value and leaves.
    ///
    /// OpenCombine has no replaying subject: a subject of the present value does the same for one value.
    static let replay = CoreCase(
        name: "replay to a late observer",
        operations: 300_000,
        contenders: [
            Contender(.rac) {
                let (subject, tally) = (ReplaySubject<Int, Never>(capacity: 1), Tally())
                return { count in
                    for value in 0..<count {
                        subject.send(value)
                        subject.observe(value: { tally.add($0) }, end: { _ in }).dispose()
                    }
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let (subject, tally) = (Unchecked(CurrentValueSubject<Int, Never>(0)), Tally())
                return { count in
                    for value in 0..<count {
                        subject.value.send(value)
                        subject.value.sink { tally.add($0) }.cancel()
                    }
                    return tally.sum
                }
            },
        ]
    )
}
