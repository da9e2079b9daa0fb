internal import OpenCombine
internal import Rac

extension CoreCase {
    /// A property that follows another one, with one observer.
    static let oneWay = CoreCase(
        name: "binding, one way",
        operations: 1_000_000,
        allocatesNothing: true,
        contenders: [
            Contender(.rac) {
                let (source, target, tally) = (Property(0), Property(0), Tally())
                target <~ source
                target.onValue { tally.add($0) }
                return { count in
                    for value in 0..<count { source.value = value }
                    return withExtendedLifetime(target) { tally.sum }
                }
            },
            Contender(.openCombine) {
                let source = Unchecked(CurrentValueSubject<Int, Never>(0))
                let target = Unchecked(CurrentValueSubject<Int, Never>(0))
                let tally = Tally()
                let handles = Unchecked([
                    source.value.sink { target.value.value = $0 },
                    target.value.sink { tally.add($0) },
                ])
                return { count in
                    for value in 0..<count { source.value.value = value }
                    return withExtendedLifetime(handles) { tally.sum }
                }
            },
        ]
    )

    /// Two properties that follow each other, with one observer; one operation sets either one.
    ///
    /// OpenCombine has no such binding: two sinks leave out the value that the other side has.
    static let twoWay = CoreCase(
        name: "binding, two ways",
        operations: 1_000_000,
        allocatesNothing: true,
        contenders: [
            Contender(.rac) {
                let (left, right, tally) = (Property(0), Property(0), Tally())
                left <~> right
                left.onValue { tally.add($0) }
                return { count in
                    for value in 0..<count {
                        if value & 1 == 0 { left.value = value } else { right.value = value }
                    }
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let left = Unchecked(CurrentValueSubject<Int, Never>(0))
                let right = Unchecked(CurrentValueSubject<Int, Never>(0))
                let tally = Tally()
                let handles = Unchecked([
                    right.value.sink { if left.value.value != $0 { left.value.value = $0 } },
                    left.value.sink { if right.value.value != $0 { right.value.value = $0 } },
                    left.value.sink { tally.add($0) },
                ])
                return { count in
                    for value in 0..<count {
                        if value & 1 == 0 { left.value.value = value } else { right.value.value = value }
                    }
                    return withExtendedLifetime(handles) { tally.sum }
                }
            },
        ]
    )
}
