import CAllocations
import LoadGenerator
import Rac

/// A kind of send in the reactive core that must ask for no memory once its observers are there.
struct CoreSends {
    private static let count = 10_000

    var name: String
    /// Makes the observers; the result sends a value.
    var prepare: (Tally) -> (Int) -> Void

    static var all: [CoreSends] {
        [
            CoreSends(name: "a subject with one observer") { tally in
                let subject = Subject<Int, Never>()
                subject.onValue { tally.add($0) }
                return { subject.send($0) }
            },
            CoreSends(name: "a subject with 100 observers") { tally in
                let subject = Subject<Int, Never>()
                for _ in 0..<100 { subject.onValue { tally.add($0) } }
                return { subject.send($0) }
            },
            CoreSends(name: "map, filter and map behind a subject") { tally in
                let subject = Subject<Int, Never>()
                subject.signal.map { $0 &* 3 }.filter { $0 & 1 == 0 }.map { $0 &+ 1 }.onValue { tally.add($0) }
                return { subject.send($0) }
            },
            CoreSends(name: "combineLatest of two subjects") { tally in
                let subjects = [Subject<Int, Never>(), Subject<Int, Never>()]
                combineLatest(subjects[0].signal, subjects[1].signal) { $0 &+ $1 }.onValue { tally.add($0) }
                return { subjects[$0 & 1].send($0) }
            },
            CoreSends(name: "a property that is set") { tally in
                let property = Property(0)
                property.onValue { tally.add($0) }
                return { property.value = $0 }
            },
            CoreSends(name: "a property that is read") { tally in
                let property = Property(1)
                return { _ in tally.add(property.value) }
            },
            CoreSends(name: "a property that is modified") { tally in
                let property = Property(0)
                property.onValue { tally.add($0) }
                return { value in property.modify { $0 &+= value } }
            },
            CoreSends(name: "a property of a signal") { tally in
                let subject = Subject<Int, Never>()
                let property = ReadOnlyProperty(initial: 0, then: subject)
                property.onValue { tally.add($0) }
                return { value in withExtendedLifetime(property) { subject.send(value) } }
            },
            CoreSends(name: "a binding one way") { tally in
                let (source, target) = (Property(0), Property(0))
                target <~ source
                target.onValue { tally.add($0) }
                return { value in withExtendedLifetime(target) { source.value = value } }
            },
            CoreSends(name: "a binding two ways") { tally in
                let (left, right) = (Property(0), Property(0))
                left <~> right
                left.onValue { tally.add($0) }
                return { if $0 & 1 == 0 { left.value = $0 } else { right.value = $0 } }
            },
        ]
    }

    /// The allocations of a send.
    var allocations: Double {
        let tally = Tally()
        let send = self.prepare(tally)
        for value in 0..<1000 { send(value) }
        let arrivals = tally.arrivals
        let before = callocations_of_this_thread()
        for value in 0..<Self.count { send(value) }
        let allocations = callocations_of_this_thread() - before
        precondition(tally.arrivals - arrivals >= Self.count / 2, "the observers get the values")
        return Double(allocations) / Double(Self.count)
    }

    /// The allocations of each kind; and the names of those with any.
    static func measure() -> (table: Table, excess: [String]) {
        var table = Table(
            "What a send of the reactive core asks of memory",
            explanation: ["It must be nothing."],
            columns: ["allocations"]
        )
        var excess: [String] = []
        for kind in self.all {
            let allocations = kind.allocations
            table.add(kind.name, [allocations.text(decimals: 4)])
            if allocations > 0 { excess.append(kind.name) }
        }
        return (table, excess)
    }
}

/// Counts arrivals, so that no send can be left out.
///
/// `@unchecked Sendable` holds because one thread sends.
final class Tally: @unchecked Sendable {
    private(set) var arrivals = 0
    private var sum = 0

    func add(_ value: Int) {
        self.arrivals += 1
        self.sum &+= value
    }
}
