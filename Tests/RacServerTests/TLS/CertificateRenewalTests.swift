import Expectations
import Testing

@testable import RacServer

@Suite struct CertificateRenewalTests {
    private func stamp(_ certificate: Int, _ key: Int?) -> CertificateRenewal.Stamp {
        let files = [certificate, key].map { seconds in
            seconds.map { CertificateRenewal.File(device: 1, number: 2, bytes: 3, seconds: $0, nanoseconds: 0) }
        }
        return CertificateRenewal.Stamp(files: files)
    }

    @Test("Files that stay as they are are not read again")
    func unchanged() {
        var renewal = CertificateRenewal(self.stamp(1, 1))
        for _ in 0..<3 { expect(renewal.looked(self.stamp(1, 1), isAsked: false) == .nothing) }
    }

    @Test("A change is read when a second look finds it again, and once")
    func steady() {
        var renewal = CertificateRenewal(self.stamp(1, 1))
        expect(renewal.looked(self.stamp(2, 1), isAsked: false) == .nothing)
        expect(renewal.looked(self.stamp(2, 2), isAsked: false) == .nothing)
        expect(renewal.looked(self.stamp(2, 2), isAsked: false) == .read)
        expect(renewal.looked(self.stamp(2, 2), isAsked: false) == .nothing)
    }

    @Test("A file that goes and comes back unchanged is no change")
    func back() {
        var renewal = CertificateRenewal(self.stamp(1, 1))
        expect(renewal.looked(self.stamp(1, nil), isAsked: false) == .nothing)
        expect(renewal.looked(self.stamp(1, 1), isAsked: false) == .nothing)
        expect(renewal.looked(self.stamp(1, nil), isAsked: false) == .nothing)
        expect(renewal.looked(self.stamp(1, 1), isAsked: false) == .nothing)
    }

    @Test("Files that cannot be taken for a reason that may pass are read at each look, until they are taken or change")
    func postponed() {
        var renewal = CertificateRenewal(self.stamp(1, 1))
        func look(_ certificate: Int) -> CertificateRenewal.OnLook {
            renewal.looked(self.stamp(certificate, 1), isAsked: false)
        }
        expect([look(2), look(2)] == [.nothing, .read])
        expect(renewal.postpone(because: "too early") == true)
        expect([look(2), look(2)] == [.read, .read])
        expect(renewal.postpone(because: "too early") == false)
        expect(renewal.postpone(because: "no descriptor is left") == true)
        expect([look(3), look(3), look(3)] == [.nothing, .read, .nothing])
        expect(renewal.postpone(because: "no descriptor is left") == true)
        expect(look(3) == .read)
        expect(renewal.settle() == true)
        expect(look(3) == .nothing)
        expect(renewal.settle() == false)
        renewal.refuse()
        expect(look(3) == .nothing)
        expect(renewal.settle() == true)
    }

    @Test("A reload by the operator reads the files at once, changed or not")
    func asked() {
        var renewal = CertificateRenewal(self.stamp(1, 1))
        expect(renewal.looked(self.stamp(1, 1), isAsked: true) == .read)
        expect(renewal.looked(self.stamp(2, 1), isAsked: true) == .read)
        expect(renewal.looked(self.stamp(2, 1), isAsked: false) == .nothing)
    }
}
