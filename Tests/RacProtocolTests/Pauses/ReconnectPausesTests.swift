import Expectations
import RacProtocol
import Testing

@Suite struct ReconnectPausesTests {
    @Test("A pause is no longer than the daemon has been away, and its bound doubles up to the longest")
    func away() {
        var pauses = ReconnectPauses(longest: .seconds(2))
        expect(pauses.next(away: .zero) == .milliseconds(100))
        expect(pauses.next(away: .milliseconds(150)) == .milliseconds(150))
        let bounds = (0..<4).map { _ in pauses.next(away: .seconds(1_000)) }
        expect(bounds == [400, 800, 1_600, 2_000].map(Duration.milliseconds))
        pauses.lost(after: ReconnectPauses.stay)
        expect(pauses.next(away: .zero) == .milliseconds(100))
    }

    @Test("Behind short connections in a row the least bound doubles, and an outage counts from the last loss")
    func shortConnections() {
        var pauses = ReconnectPauses(longest: .seconds(2))
        let bounds = (0..<6).map { _ in
            pauses.lost(after: .seconds(3))
            return pauses.next(away: .zero)
        }
        expect(bounds == [200, 400, 800, 1_600, 2_000, 2_000].map(Duration.milliseconds))
        pauses.lost(after: ReconnectPauses.stay)
        pauses.lost(after: .seconds(1))
        let outage = [0, 100, 1_000].map { pauses.next(away: .milliseconds($0)) }
        expect(outage == [200, 200, 800].map(Duration.milliseconds))
    }
}
