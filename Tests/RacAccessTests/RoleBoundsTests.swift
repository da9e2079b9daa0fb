import Expectations
import RacAccess
import Testing

@Suite struct RoleBoundsTests {
    private static func role(_ name: String, _ numbers: [RoleBound: Int]) -> AccessRole {
        var bounds = RoleBounds()
        for (bound, number) in numbers { bounds[bound] = number }
        return AccessRole(name: name, bounds: bounds)
    }

    @Test("The smallest bound of several roles holds, and a role without one does not lift it")
    func least() throws {
        let roles = [
            Self.role("a", [.connections: 5, .channels: 1]), Self.role("b", [.connections: 3, .valueBytes: 9]),
            Self.role("c", [:]),
        ]
        let bounds = Rights(of: try PrincipalName("p"), roles: roles).bounds
        expect(RoleBound.allCases.map { bounds[$0] } == [3, nil, nil, nil, 1, 9])
        #expect(!bounds.rate.isBounded)
    }

    @Test("Rights with other bounds are other rights")
    func equality() throws {
        let name = try PrincipalName("p")
        let one = Rights(of: name, roles: [Self.role("a", [.messagesPerSecond: 1])])
        expect(one == Rights(of: name, roles: [Self.role("a", [.messagesPerSecond: 1])]))
        #expect(one != Rights(of: name, roles: [Self.role("a", [.messagesPerSecond: 2])]))
        expect(one.bounds.rate == ReadRate(messagesPerSecond: 1))
    }
}
