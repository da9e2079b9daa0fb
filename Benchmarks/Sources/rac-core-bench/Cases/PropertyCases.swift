internal import OpenCombine
internal import Rac

extension CoreCase {
    /// A property that is set, with one observer.
    static let set = CoreCase(
        name: "property, set",
        operations: 1_000_000,
        allocatesNothing: true,
        contenders: [
            Contender(.rac) {
                let (property, tally) = (Property(0), Tally())
                property.onValue { tally.add($0) }
                return { count in
                    for value in 0..<count { property.value = value }
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let (subject, tally) = (Unchecked(CurrentValueSubject<Int, Never>(0)), Tally())
                let handle = Unchecked(subject.value.sink { tally.add($0) })
                return { count in
                    for value in 0..<count { subject.value.value = value }
                    return withExtendedLifetime(handle) { tally.sum }
                }
            },
        ]
    )

    /// A property that is read, outside any tracking of Swift's observation.
    static let read = CoreCase(
        name: "property, read",
        operations: 2_000_000,
        allocatesNothing: true,
        contenders: [
            Contender(.rac) {
                let (property, tally) = (Property(1), Tally())
                return { count in
                    for _ in 0..<count { tally.add(property.value) }
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let (subject, tally) = (Unchecked(CurrentValueSubject<Int, Never>(1)), Tally())
                return { count in
                    for _ in 0..<count { tally.add(subject.value.value) }
                    return tally.sum
                }
            },
        ]
    )

    /// A property that is changed depending on its value, with one observer.
    static let modify = CoreCase(
        name: "property, modify",
        operations: 1_000_000,
        allocatesNothing: true,
        contenders: [
            Contender(.rac) {
                let (property, tally) = (Property(0), Tally())
                property.onValue { tally.add($0) }
                return { count in
                    for value in 0..<count { property.modify { $0 &+= value } }
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let (subject, tally) = (Unchecked(CurrentValueSubject<Int, Never>(0)), Tally())
                let handle = Unchecked(subject.value.sink { tally.add($0) })
                return { count in
                    for value in 0..<count { subject.value.value &+= value }
                    return withExtendedLifetime(handle) { tally.sum }
                }
            },
        ]
    )

    /// A property that is made of a signal, with one observer; one operation is one value.
    static let propertyOfSignal = CoreCase(
        name: "property of a signal",
        operations: 1_000_000,
        allocatesNothing: true,
        contenders: [
            Contender(.rac) {
                let (source, tally) = (Rac.Subject<Int, Never>(), Tally())
                let property = ReadOnlyProperty(initial: 0, then: source)
                property.onValue { tally.add($0) }
                return { count in
                    for value in 0..<count { source.send(value) }
                    return withExtendedLifetime(property) { tally.sum }
                }
            },
            Contender(.openCombine) {
                let (source, tally) = (Unchecked(PassthroughSubject<Int, Never>()), Tally())
                let property = Unchecked(CurrentValueSubject<Int, Never>(0))
                let handles = Unchecked([
                    property.value.sink { tally.add($0) },
                    source.value.sink { property.value.value = $0 },
                ])
                return { count in
                    for value in 0..<count { source.value.send(value) }
                    return withExtendedLifetime(handles) { tally.sum }
                }
            },
        ]
    )
}
