import RacServer
import Testing

/// The decision when freed memory goes back to the system.
@Suite final class FreedMemoryStateMachineTests {
    private var machine = FreedMemoryStateMachine()

    /// A daemon with 20 MiB of code that has just given memory back.
    init() {
        self.machine.gaveBack(Self.use(resident: 30, used: 10))
    }

    private static func use(resident: Double, used: Double) -> FreedMemoryStateMachine.Use {
        FreedMemoryStateMachine.Use(residentBytes: Int(resident * 1_048_576), usedBytes: Int(used * 1_048_576))
    }

    private func looked(_ resident: Double, _ used: Double) -> Bool {
        self.machine.looked(Self.use(resident: resident, used: used)) == .giveBack
    }

    @Test("Memory goes back once more than 4 MiB are free, and not again while nothing changes")
    func free() {
        #expect(!self.looked(34, 10))
        #expect(!self.looked(200, 178))
        #expect(self.looked(200, 170))
        self.machine.gaveBack(Self.use(resident: 190, used: 170))
        #expect(!self.looked(190, 170))
    }

    @Test("Free memory that stayed because each page had a used block goes when a few of these are freed")
    func emptied() {
        self.machine.gaveBack(Self.use(resident: 100, used: 14))
        #expect(!self.looked(100, 14))
        #expect(!self.looked(100, 13.5))
        #expect(self.looked(100, 12.9))
        self.machine.gaveBack(Self.use(resident: 33, used: 12.9))
        #expect(!self.looked(33, 12))
        #expect(!self.looked(33, 10))
    }

    @Test("The first look gives memory back, because nobody knows yet how much can go")
    func first() {
        self.machine = FreedMemoryStateMachine()
        #expect(self.looked(30, 10))
        self.machine.gaveBack(Self.use(resident: 28, used: 10))
        #expect(!self.looked(28, 10))
    }
}
