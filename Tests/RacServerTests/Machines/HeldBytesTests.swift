import Expectations
import RacAccess
import RacHost
import Testing

@testable import RacServer

@Suite struct HeldBytesTests {
    private static let much = HeldBytes.freeBytes + 1
    private static let (a, b, c) = (ConnectionID(1), ConnectionID(2), ConnectionID(3))

    @Test("While all together hold no more than the limit, no connection has to go")
    func within() {
        var held = HeldBytes(limit: 2 * Self.much)
        expect(held.holds(Self.a, bytes: Self.much) == [])
        expect(held.holds(Self.b, bytes: Self.much) == [])
        expect(held.holds(Self.c, bytes: HeldBytes.freeBytes) == [])
    }

    @Test("Beyond the limit the connection that has made no progress for the longest time goes")
    func longest() {
        var held = HeldBytes(limit: 2 * Self.much)
        _ = held.holds(Self.a, bytes: Self.much)
        _ = held.holds(Self.b, bytes: Self.much)
        _ = held.holds(Self.a, bytes: Self.much)
        expect(held.holds(Self.c, bytes: Self.much) == [Self.a])
        expect(held.holds(Self.a, bytes: Self.much) == [Self.b])
    }

    @Test("A connection that lets go of its bytes begins anew")
    func letsGo() {
        var held = HeldBytes(limit: 2 * Self.much)
        _ = held.holds(Self.a, bytes: Self.much)
        _ = held.holds(Self.b, bytes: Self.much)
        _ = held.holds(Self.a, bytes: 0)
        _ = held.holds(Self.a, bytes: Self.much)
        expect(held.holds(Self.c, bytes: Self.much) == [Self.b])
    }

    @Test("As many connections go as it takes, the one that asks for more too")
    func many() {
        var held = HeldBytes(limit: 2 * Self.much)
        _ = held.holds(Self.a, bytes: Self.much)
        _ = held.holds(Self.b, bytes: Self.much)
        expect(held.holds(Self.c, bytes: 2 * Self.much) == [Self.a, Self.b])
        expect(held.holds(Self.c, bytes: 3 * Self.much) == [Self.c])
        expect(held.holds(Self.a, bytes: Self.much) == [])
    }

    @Test(
        "A client that reads on outlives newer ones that do not, however many or small they are",
        arguments: [8 << 20, 1 << 20, 100 << 10]
    )
    func readsOn(bytes: Int) {
        var held = HeldBytes(limit: 64 << 20)
        var evicted: Set<ConnectionID> = []
        var unread = 600 << 10
        for number in 2...2_000 {
            if number % 15 == 0 { unread = unread > (100 << 10) ? unread - (64 << 10) : (600 << 10) }
            evicted.formUnion(held.holds(Self.a, bytes: unread))
            evicted.formUnion(held.holds(ConnectionID(UInt64(number)), bytes: bytes))
        }
        #expect(!evicted.isEmpty)
        #expect(!evicted.contains(Self.a))
    }

    @Test("The principal that holds most loses its connections, and others keep older ones with as many bytes")
    func principals() throws {
        let (crowd, other) = (try PrincipalName("crowd"), try PrincipalName("other"))
        var held = HeldBytes(limit: 8 * Self.much)
        expect(held.holds(Self.a, of: other, bytes: Self.much) == [])
        var evicted: [ConnectionID] = []
        for number in UInt64(2)...20 { evicted += held.holds(ConnectionID(number), of: crowd, bytes: Self.much) }
        expect(evicted == (2...13).map { ConnectionID($0) })
    }
}
