internal import OpenCombine
internal import Rac
internal import Synchronization

extension CoreCase {
    /// Two subjects combined and added up; one operation is one send, to each in turn.
    static let combineTwo = CoreCase(
        name: "combineLatest of 2",
        operations: 1_000_000,
        allocatesNothing: true,
        contenders: [
            Contender(.rac) {
                let subjects = [Rac.Subject<Int, Never>(), Rac.Subject<Int, Never>()]
                let tally = Tally()
                combineLatest(subjects[0].signal, subjects[1].signal) { $0 &+ $1 }.onValue { tally.add($0) }
                return { count in
                    for value in 0..<count { subjects[value & 1].send(value) }
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let board = Board(places: 2)
                let tally = Tally()
                let handle = Unchecked(board.latest.map { $0[0] &+ $0[1] }.sink { tally.add($0) })
                return { count in
                    for value in 0..<count { board.subjects[value & 1].send(value) }
                    return withExtendedLifetime(handle) { tally.sum }
                }
            },
        ]
    )

    /// Twenty subjects combined to arrays; one operation is one send, to each in turn.
    static let combineTwenty = CoreCase(
        name: "combineLatest of 20",
        operations: 200_000,
        contenders: [
            Contender(.rac) {
                let subjects = (0..<20).map { _ in Rac.Subject<Int, Never>() }
                let tally = Tally()
                combineLatest(subjects).onValue { tally.add($0.reduce(0, &+)) }
                return { count in
                    for value in 0..<count { subjects[value % 20].send(value) }
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let board = Board(places: 20)
                let tally = Tally()
                let handle = Unchecked(board.latest.sink { tally.add($0.reduce(0, &+)) })
                return { count in
                    for value in 0..<count { board.subjects[value % 20].send(value) }
                    return withExtendedLifetime(handle) { tally.sum }
                }
            },
        ]
    )
}

/// A combineLatest written by hand, because OpenCombine 0.14.0 has none.
///
/// `@unchecked Sendable` holds because a contender uses what it has prepared on one thread at a time.
private final class Board: @unchecked Sendable {
    let subjects: [PassthroughSubject<Int, Never>]
    let latest = PassthroughSubject<[Int], Never>()
    private let values: Mutex<[Int?]>
    private var handles: [AnyCancellable] = []

    init(places: Int) {
        self.subjects = (0..<places).map { _ in PassthroughSubject() }
        self.values = Mutex(Array(repeating: nil, count: places))
        for (place, subject) in self.subjects.enumerated() {
            subject.sink { [unowned self] in self.store($0, at: place) }.store(in: &self.handles)
        }
    }

    private func store(_ value: Int, at place: Int) {
        let values = self.values.withLock { values -> [Int]? in
            values[place] = value
            let known = values.compactMap { $0 }
            return known.count == values.count ? known : nil
        }
        if let values { self.latest.send(values) }
    }
}
