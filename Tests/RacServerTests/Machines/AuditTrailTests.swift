import Expectations
import RacAccess
import RacHost
import RacProtocol
import Testing

@testable import RacServer

@Suite struct AuditTrailTests {
    private static func kind(
        _ name: String,
        of principal: String = "p",
        at place: String = "h"
    ) throws -> AuditTrail.Kind {
        let act = RefusedAct(.forbidden, try PrincipalName(principal), .use(.read, try ChannelName(name)))
        return AuditTrail.Kind(act: act, place: place)
    }

    @Test("The first refusal of a kind has a line at once, its repeats one line with their number after ten seconds")
    func repeats() throws {
        var trail = AuditTrail()
        let (a, b) = (try Self.kind("a"), try Self.kind("b"))
        expect(trail.note(a, at: 1_000) == AuditTrail.Line(kind: a, repeats: 0, others: 0))
        expect(trail.note(a, count: 3, at: 1_001) == nil)
        expect(trail.note(b, count: 2, at: 2_000) == AuditTrail.Line(kind: b, repeats: 1, others: 0))
        expect(trail.due(at: 10_999) == [])
        expect(trail.due(at: 11_000) == [AuditTrail.Line(kind: a, repeats: 3, others: 0)])
        expect(trail.note(a, at: 12_000) == nil)
        expect(trail.due(at: 21_000) == [AuditTrail.Line(kind: a, repeats: 1, others: 0)])
        expect(trail.due(at: 31_000) == [])
        expect(trail.note(b, at: 32_000) == AuditTrail.Line(kind: b, repeats: 0, others: 0))
    }

    @Test("One client has eight lines at most in ten seconds; the rest is a number")
    func flood() throws {
        var trail = AuditTrail()
        let lines = try (0..<1_000).compactMap { trail.note(try Self.kind("n/\($0)"), at: 1_000) }
        expect(lines.count == AuditTrail.kindsOfClient)
        let other = try Self.kind("x", of: "q")
        expect(trail.note(other, at: 1_001) == AuditTrail.Line(kind: other, repeats: 0, others: 992))
        expect(try trail.note(Self.kind("n/5000"), at: 1_002) == nil)
        expect(trail.due(at: 11_001) == [AuditTrail.Line(kind: nil, repeats: 0, others: 1)])
    }

    @Test("Many clients together have 64 lines at most in ten seconds")
    func crowd() throws {
        var trail = AuditTrail()
        let lines = try (0..<1_000).compactMap { trail.note(try Self.kind("a", at: "host \($0)"), at: 1_000) }
        expect(lines.count == AuditTrail.kinds)
        expect(trail.due(at: 11_000).map(\.others) == [1_000 - AuditTrail.kinds])
        expect(trail.due(at: 12_000) == [])
    }
}
