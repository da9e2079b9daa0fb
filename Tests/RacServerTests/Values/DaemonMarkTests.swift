import Expectations
import Glibc
import Testing

@testable import RacServer

@Suite struct DaemonMarkTests {
    @Test(
        "A data folder keeps its mark over restarts, by any path, and another folder has another one",
        .enabled(if: access("/etc/machine-id", R_OK) == 0, "the machine has no id")
    )
    func folder() throws {
        let (first, second) = (try TestFolder(), try TestFolder())
        let mark = DaemonMark.make(.folder(first.path, .full))
        expect(DaemonMark.make(.folder(first.path, .full)) == mark)
        expect(DaemonMark.make(.folder(first.path + "/.", .normal)) == mark)
        #expect(DaemonMark.make(.folder(second.path, .full)) != mark)
    }

    @Test("Each daemon in memory has a mark of its own")
    func memory() {
        #expect(DaemonMark.make(.memory) != DaemonMark.make(.memory))
    }
}
