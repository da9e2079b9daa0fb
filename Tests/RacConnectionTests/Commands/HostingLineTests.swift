import Expectations
import RacConnection
import RacProtocol
import Testing

@Suite struct HostingLineTests {
    @Test("Messages come out in their order, and their taker is woken once")
    func order() {
        var line = HostingLine(maximumBytes: 1_000)
        let outcomes = [
            line.append(.next(.integer(1)), of: 1), line.append(.next(.integer(2)), of: 2),
            line.append(.ended(.completed), of: 1),
        ]
        expect(outcomes == [.wake, .waits, .waits])
        line.woken()
        expect(line.takeAll() == ["1: 1", "2: 2", "1: completed"])
        #expect(line.isEmpty)
        let again = line.append(.next(.integer(3)), of: 2)
        expect(again == .wake)
    }

    @Test("A run for whose value there is no room ends with slow-consumer, whatever it says at its end")
    func bound() throws {
        var line = HostingLine(maximumBytes: 100)
        let outcomes = (0..<3).map { line.append(.next(.integer($0)), of: 7) }
        expect(outcomes == [.wake, .waits, .full])
        expect(line.takeAll() == ["7: 0", "7: 1"])
        let late = line.append(.next(.integer(3)), of: 7)
        expect(late == .full)
        let other = line.append(.next(.integer(4)), of: 8)
        expect(other == .waits)
        _ = line.append(.ended(.completed), of: 7)
        _ = line.append(.ended(.completed), of: 8)
        let rest = line.takeAll()
        expect(rest == ["8: 4", "7: slow-consumer", "8: completed"])
    }
}

extension HostingLine {
    /// Everything that waits, in few words each.
    fileprivate mutating func takeAll() -> [String] {
        var taken: [String] = []
        while let (run, event) = self.next() {
            switch event {
            case .next(let value): taken.append("\(run): \(value)")
            case .ended(.completed): taken.append("\(run): completed")
            case .ended(.failed(let error)): taken.append("\(run): \(error.code)")
            }
        }
        return taken
    }
}
