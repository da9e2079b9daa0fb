internal import OpenCombine
internal import Rac

extension CoreCase {
    /// A value to the other side of a channel, and its answer; one operation is there and back.
    static let pingPong = CoreCase(
        name: "channel, there and back",
        operations: 500_000,
        contenders: [
            Contender(.rac) {
                let channel = TwoWayChannel<Int, Never>()
                let tally = Tally()
                channel.following.onValue { [following = channel.following] in following.send($0 &+ 1) }
                channel.leading.onValue { tally.add($0) }
                return { count in
                    for value in 0..<count { channel.leading.send(value) }
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let forth = Unchecked(PassthroughSubject<Int, Never>())
                let back = Unchecked(PassthroughSubject<Int, Never>())
                let tally = Tally()
                let handles = Unchecked([
                    forth.value.sink { back.value.send($0 &+ 1) },
                    back.value.sink { tally.add($0) },
                ])
                return { count in
                    for value in 0..<count { forth.value.send(value) }
                    return withExtendedLifetime(handles) { tally.sum }
                }
            },
        ]
    )
}
