import Expectations
import RacAccess
import Testing

@testable import RacServer

@Suite struct LeftAccountsTests {
    private static func owner(_ place: String) throws -> LeftAccounts.Owner {
        LeftAccounts.Owner(principal: try PrincipalName("p"), place: place)
    }

    /// An account at 0 from which this number of messages was taken, of ten that a second brings.
    private static func pace(taken: Int) -> ReadingPace {
        var pace = ReadingPace(ReadRate(messagesPerSecond: 10), at: 0)
        for _ in 0..<taken { pace.tookMessage(left: 0) }
        return pace
    }

    @Test("An account is kept until it is full again, for the client that has left it")
    func time() throws {
        var table = AccountTable()
        let (one, other) = (try Self.owner("1"), try Self.owner("2"))
        table.leave(Self.pace(taken: 25), of: one, at: 0)
        let others = table.take(of: other, at: 0)
        #expect(others == nil)
        let own = [table.take(of: one, at: 0), table.take(of: one, at: 0)]
        var pace = try #require(own[0])
        let rest = pace.rests(at: 0)
        #expect(rest == 1_600 && own[1] == nil)
        table.leave(pace, of: one, at: 0)
        let late = table.take(of: one, at: 2_500)
        #expect(late == nil)
        table.leave(pace, of: one, at: 2_500)
        expect(table.count == 0)
    }

    @Test("Of several accounts of a client the one with the longest debt is taken first")
    func longest() throws {
        var table = AccountTable()
        let owner = try Self.owner("1")
        for taken in [11, 30, 20] { table.leave(Self.pace(taken: taken), of: owner, at: 0) }
        var rests: [UInt64?] = []
        while var pace = table.take(of: owner, at: 0) { rests.append(pace.rests(at: 0)) }
        expect(rests == [2_100, 1_100, 200])
    }

    @Test("The table has a limit, at which full accounts go first")
    func bound() throws {
        var table = AccountTable()
        let early = try Self.owner("early")
        table.leave(Self.pace(taken: 1), of: early, at: 0)
        let late = try (1..<AccountTable.maximumCount).map { try Self.owner("\($0)") }
        for owner in late { table.leave(Self.pace(taken: 100), of: owner, at: 0) }
        expect(table.count == AccountTable.maximumCount)
        table.leave(Self.pace(taken: 100), of: try Self.owner("next"), at: 1_000)
        expect(table.count == AccountTable.maximumCount)
        let kept = [table.take(of: early, at: 0), table.take(of: late[0], at: 1_000)].map { $0 != nil }
        expect(kept == [false, true])
        for number in 0..<100 {
            table.leave(Self.pace(taken: 100), of: try Self.owner("more \(number)"), at: 1_000)
            #expect(table.count <= AccountTable.maximumCount)
        }
    }
}
