import Expectations
import RacProtocol
import Testing

@testable import RacHost

@Suite struct SlowReaderStateMachineTests {
    /// Runs a machine and returns in words how the binding treats values, and what it does in its turn.
    private struct Reader {
        var machine: SlowReaderStateMachine

        init(_ delivery: Who.Delivery) {
            self.machine = SlowReaderStateMachine(delivery)
        }

        mutating func values(hasRoom: Bool, isThrough: Bool) -> String {
            "\(self.machine.values(hasRoom: hasRoom, isThrough: isThrough))"
        }

        mutating func turn(at uptime: UInt64) -> String {
            let takes = self.machine.takesNewest(at: Time(uptime: uptime, wall: 0)) ? "newest" : "nothing"
            return self.machine.pause().map { "\(takes), wakes at \($0)" } ?? takes
        }
    }

    @Test("A reader that keeps up gets every value", arguments: [Who.Delivery.every, .newest])
    func fast(delivery: Who.Delivery) {
        var reader = Reader(delivery)
        let told = [
            reader.values(hasRoom: true, isThrough: true),
            reader.values(hasRoom: true, isThrough: true),
            reader.turn(at: 0),
        ]
        expect(told == ["give", "give", "nothing"])
    }

    @Test("A slow reader of every value has them queued")
    func every() {
        var reader = Reader(.every)
        let told = [
            reader.values(hasRoom: false, isThrough: false),
            reader.values(hasRoom: true, isThrough: false),
            reader.turn(at: 0),
        ]
        expect(told == ["queue", "queue", "nothing"])
    }

    @Test("A slow reader of the newest value gets only that one, once there is room")
    func newest() {
        var reader = Reader(.newest)
        let told = [
            reader.values(hasRoom: false, isThrough: false),
            // No value overtakes a skipped one.
            reader.values(hasRoom: true, isThrough: true),
            reader.turn(at: 0),
            reader.turn(at: 0),
            reader.values(hasRoom: true, isThrough: true),
        ]
        expect(told == ["skip", "skip", "newest", "nothing", "give"])
    }

    @Test("A paced reader gets the newest value at its interval, and a deadline wakes it")
    func paced() {
        var reader = Reader(.paced(interval: 100))
        var told = [
            reader.values(hasRoom: true, isThrough: true),
            reader.turn(at: 50),
            reader.values(hasRoom: true, isThrough: true),
            reader.turn(at: 149),
            reader.turn(at: 149),
        ]
        expect(told == ["skip", "newest", "skip", "nothing, wakes at 150", "nothing"])
        #expect(!reader.machine.waitsForRoom)
        reader.machine.wake()
        told = [reader.turn(at: 150), reader.turn(at: 150)]
        expect(told == ["newest", "nothing"])
    }

    @Test("A reader's own value supersedes the skipped ones")
    func own() {
        var reader = Reader(.newest)
        var told = [reader.values(hasRoom: false, isThrough: false)]
        reader.machine.passOver()
        told.append(reader.turn(at: 0))
        expect(told == ["skip", "nothing"])
    }

    @Test("The end brings the newest value whatever the interval")
    func end() {
        var reader = Reader(.paced(interval: 100))
        var told = [
            reader.values(hasRoom: true, isThrough: true),
            reader.turn(at: 0),
            reader.values(hasRoom: true, isThrough: true),
        ]
        let takes = [reader.machine.takesNewest(), reader.machine.takesNewest()]
        told.append(reader.turn(at: 500))
        expect(told == ["skip", "newest", "skip", "nothing"])
        expect(takes == [true, false])
    }
}
