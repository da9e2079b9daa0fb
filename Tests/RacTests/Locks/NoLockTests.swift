import Dispatch
import Expectations
import Rac
import RacTesting
import Testing

/// Rule 8 of the contract: no lock is held while foreign code runs.
@Suite struct NoLockTests {
    @Test("No lock of a subject is held while it calls out", arguments: ForeignCall.subjects)
    func subjects(_ call: ForeignCall) { self.expectNoLock(call) }

    @Test("No lock of a disposable or a signal is held while a teardown runs", arguments: ForeignCall.teardowns)
    func teardowns(_ call: ForeignCall) { self.expectNoLock(call) }

    @Test("No lock of an operator is held while it calls a function", arguments: ForeignCall.operators)
    func operators(_ call: ForeignCall) { self.expectNoLock(call) }

    @Test("No lock of an operator that takes time or hops is held while it calls out", arguments: ForeignCall.timed)
    func timed(_ call: ForeignCall) { self.expectNoLock(call) }

    @Test("No lock of a scheduler is held while work runs or goes", arguments: ForeignCall.schedulers)
    func schedulers(_ call: ForeignCall) { self.expectNoLock(call) }

    @Test("No lock of a property or a terminal is held while it calls out", arguments: ForeignCall.properties)
    func properties(_ call: ForeignCall) { self.expectNoLock(call) }

    @Test("No lock of a command is held while it calls out", arguments: ForeignCall.commands)
    func commands(_ call: ForeignCall) { self.expectNoLock(call) }

    @Test("An outsider that finds a lock held is missed")
    func held() {
        let outsider = Outsider(patience: .milliseconds(1))
        let held = HeldLock()
        held.use { outsider.visit { held.use {} } }
        expect(outsider.losses.count == 1)
    }

    private func expectNoLock(_ call: ForeignCall) {
        let outsider = Outsider()
        call.run(outsider)
        #expect(outsider.visits.count > 0)
        expect(outsider.losses.count == 0)
    }
}

/// A deliberate fault: it calls out with its lock held.
private final class HeldLock: Sendable {
    private let lock = Guarded(0)

    func use(_ work: () -> Void) {
        self.lock.withLock { _ in work() }
    }
}
