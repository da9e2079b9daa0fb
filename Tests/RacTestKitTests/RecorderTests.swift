import Foundation
import Rac
import RacTestKit
import Testing

@Suite struct RecorderTests {
    @Test("A wait in a cancelled task says that it was cancelled")
    func cancelled() async throws {
        let recorder = Recorder(Property(1))
        let waiting = Task { try await recorder.values(count: 9, timeout: .seconds(600)) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test("The socket of a daemon lies in a folder whose path is short enough")
    func path() {
        let long = URL(filePath: "/tmp/\(String(repeating: "x", count: 90))")
        #expect(TestDaemon.path(of: "rac.sock", in: URL(filePath: "/run/user")) == "/run/user/rac.sock")
        #expect(TestDaemon.path(of: "rac.sock", in: long) == "/tmp/rac.sock")
    }
}
