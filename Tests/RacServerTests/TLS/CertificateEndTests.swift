import Expectations
import Testing

@testable import RacServer

@Suite struct CertificateEndTests {
    private static let day = 86_400

    @Test("The log has an entry two weeks before the end, one a day before, and one at the end")
    func stages() {
        let end = 100 * Self.day
        var machine = CertificateEnd(end)
        var stages: [CertificateEnd.Stage] = []
        for now in stride(from: 0, through: 110 * Self.day, by: Self.day / 24) {
            if let stage = machine.looked(at: now) { stages.append(stage) }
        }
        expect(stages == [.inTwoWeeks, .inADay, .over])
    }

    @Test(
        "The stage is that of the time that is left",
        arguments: [
            (14 * day + 1, CertificateEnd.Stage.distant), (14 * day, .inTwoWeeks), (day + 1, .inTwoWeeks),
            (day, .inADay), (0, .inADay), (-1, .over),
        ]
    )
    func stage(left: Int, stage: CertificateEnd.Stage) {
        expect(CertificateEnd.Stage(of: left, at: 0) == stage)
    }

    @Test("A certificate that is at its end when it is first seen has one entry")
    func late() {
        var machine = CertificateEnd(10)
        expect(machine.looked(at: 11) == .over)
        expect(machine.looked(at: 12) == nil)
        expect(machine.looked(at: 0) == nil)
    }
}
