import NIOCore
import RacAccess
import RacClient
import RacProtocol

/// A program's watch of every channel, and the changes that it has reported.
final class SimulatedWatch {
    private unowned let program: SimulatedProgram
    private var told: [ChannelName: ChannelChange] = [:]
    private var isSynced = false

    init?(_ client: Client, _ program: SimulatedProgram) {
        guard let watch = try? client.watch("**") else { return nil }
        self.program = program
        let me = NIOLoopBoundBox<WeakWatch>(WeakWatch(self), eventLoop: program.world.loop)
        Task(executorPreference: program.world.executor) {
            for try await event in watch { me.value.watch?.heard(event) }
        }
    }

    private struct WeakWatch {
        weak var watch: SimulatedWatch?

        init(_ watch: SimulatedWatch) {
            self.watch = watch
        }
    }

    private func heard(_ event: ChannelWatch.Event) {
        switch event {
        case .changed(let change): self.told[change.name] = change.state == nil ? nil : change
        case .synced: self.isSynced = true
        }
    }

    /// The watch must have reported the present state of every channel.
    func checkRest() throws(Violation) {
        try hold(.watches, self.isSynced, "\(self.program.name) was never told that its watch has told everything")
        for name in self.program.world.ledger.truth.names {
            let mayRead = self.program.world.ledger.allows(.read, name, to: self.program.lastLink)
            let told = self.told[name]
            let record = mayRead ? self.program.world.ledger.truth[name] : nil
            let isRight =
                told?.revision == record?.revision && told?.value == record?.value?.value
                && told?.wish == record?.wish?.value
            try hold(mayRead ? .watches : .judged, isRight && told?.state == record?.state) {
                "\(self.program.name) watched \(name) come to \(told.map { "\($0.revision)" } ?? "nothing"), "
                    + "it is at \(record.map { "\($0.revision)" } ?? "nothing")"
            }
        }
    }
}
