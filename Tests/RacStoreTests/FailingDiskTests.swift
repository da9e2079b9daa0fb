import Expectations
import Foundation
import Glibc
import RacTesting
import Testing

@Suite struct FailingDiskTests {
    @Test(
        "A failing disk gives the kernel's error for a write, and takes writes again once it is well",
        arguments: [(FailingDisk.Fault.full, ENOSPC), (.broken, EBADF)]
    )
    func fails(fault: FailingDisk.Fault, code: Int32) throws {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        let path = folder.appending(path: "rac-disk-\(UUID().uuidString)").path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer {
            Glibc.close(descriptor)
            unlink(path)
        }
        expect(pwrite(descriptor, "a", 1, 0) == 1)
        let disk = try FailingDisk(under: path, fault: fault)
        expect(pwrite(descriptor, "b", 1, 0) == -1)
        expect(errno == code)
        disk.heal()
        expect(pwrite(descriptor, "c", 1, 0) == 1)
        expect(try Data(contentsOf: URL(filePath: path)) == Data("c".utf8))
    }

    @Test("A file that nobody has open cannot fail")
    func notOpen() {
        #expect(throws: FailingDisk.Failure.self) { try FailingDisk(under: "/nobody/has/this/open", fault: .full) }
    }
}
