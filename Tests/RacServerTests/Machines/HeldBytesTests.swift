import RacHost
import Testing

@testable import RacServer

@Suite struct HeldBytesTests {
    private static let much = HeldBytes.freeBytes + 1
    private static let (a, b, c) = (ConnectionID(1), ConnectionID(2), ConnectionID(3))

    @Test("While all together hold no more than the limit, no connection has to go")
    func within() {
        var held = HeldBytes(limit: 2 * Self.much)
        #expect(held.holds(Self.a, bytes: Self.much) == [])
        #expect(held.holds(Self.b, bytes: Self.much) == [])
        #expect(held.holds(Self.c, bytes: HeldBytes.freeBytes) == [])
    }

    @Test("Beyond the limit the connection that has held bytes for the longest time goes, whatever it did since")
    func longest() {
        var held = HeldBytes(limit: 2 * Self.much)
        _ = held.holds(Self.a, bytes: Self.much)
        _ = held.holds(Self.b, bytes: Self.much)
        _ = held.holds(Self.a, bytes: Self.much)
        #expect(held.holds(Self.c, bytes: Self.much) == [Self.a])
        #expect(held.holds(Self.a, bytes: Self.much) == [Self.b])
    }

    @Test("A connection that lets go of its bytes begins anew")
    func letsGo() {
        var held = HeldBytes(limit: 2 * Self.much)
        _ = held.holds(Self.a, bytes: Self.much)
        _ = held.holds(Self.b, bytes: Self.much)
        _ = held.holds(Self.a, bytes: 0)
        _ = held.holds(Self.a, bytes: Self.much)
        #expect(held.holds(Self.c, bytes: Self.much) == [Self.b])
    }

    @Test("As many connections go as it takes, the one that asks for more too")
    func many() {
        var held = HeldBytes(limit: 2 * Self.much)
        _ = held.holds(Self.a, bytes: Self.much)
        _ = held.holds(Self.b, bytes: Self.much)
        #expect(held.holds(Self.c, bytes: 2 * Self.much) == [Self.a, Self.b])
        #expect(held.holds(Self.c, bytes: 3 * Self.much) == [Self.c])
        #expect(held.holds(Self.a, bytes: Self.much) == [])
    }
}
