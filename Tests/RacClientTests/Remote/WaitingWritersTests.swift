import Expectations
import RacProtocol
import Testing

@testable import RacClient

@Suite struct WaitingWritersTests {
    private var writers = WaitingWriters()

    private func answer(to number: UInt64, ticket: UInt64) -> WaitingWriters.Answer {
        WaitingWriters.Answer(number: number, ticket: ticket, takesRefusals: false) { _ in }
    }

    @Test("An answer to a write is one to all writes before it")
    mutating func answers() {
        for number: UInt64 in 1...3 {
            let isAdded = self.writers.add(self.answer(to: number, ticket: 10 + number))
            #expect(isAdded)
        }
        expect(self.writers.takeAnswers(through: 2).map(\.ticket) == [11, 12])
        #expect(self.writers.takeAnswers(through: 2).isEmpty)
        expect(self.writers.answers.map(\.ticket) == [13])
    }

    @Test("A task that is cancelled is found by its ticket")
    mutating func cancelling() {
        _ = self.writers.add(self.answer(to: 1, ticket: 1))
        _ = self.writers.add(WaitingWriters.Room(ticket: 2, write: 3) { _ in })
        expect(self.writers.takeAnswer(2)?.number == nil)
        expect(self.writers.takeAnswer(1)?.number == 1)
        expect(self.writers.takeRoom(2)?.ticket == 2)
        #expect(self.writers.rooms.isEmpty)
    }

    @Test("The number of waiting tasks is limited")
    mutating func limit() {
        let limit = ConnectionLimits().requestsUnderWay
        for ticket in 0..<UInt64(limit) {
            _ = self.writers.add(self.answer(to: 1, ticket: ticket))
            _ = self.writers.add(WaitingWriters.Room(ticket: ticket, write: ticket) { _ in })
        }
        let isAnswerAdded = self.writers.add(self.answer(to: 1, ticket: 0))
        let isRoomAdded = self.writers.add(WaitingWriters.Room(ticket: 0, write: 0) { _ in })
        #expect(!isAnswerAdded)
        #expect(!isRoomAdded)
        expect(self.writers.takeRoom()?.ticket == 0)
    }

    @Test("A refusal is an answer for a task that takes refusals")
    func refusals() {
        var results: [Result<Revision, ClientError>] = []
        for takesRefusals in [true, false] {
            let answer = WaitingWriters.Answer(number: 1, ticket: 1, takesRefusals: takesRefusals) {
                results.append($0)
            }
            answer.fail(.cancelledWait)
        }
        expect(results.map { (try? $0.get()) == nil } == [false, true])
    }
}
