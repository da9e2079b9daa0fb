import RacProtocol

/// The rest of a lost binding, with which the next one of its session goes on.
package struct BindingRest: Sendable {
    /// The daemon's epoch, in which the numbers are good.
    let epoch: String?
    let machine: TerminalStateMachine

    func isOfOtherEpoch(than epoch: String?) -> Bool { self.epoch != epoch }

    /// That bind, made again in an epoch.
    func bindAgain(_ bind: Bind, in epoch: String?) -> Bind {
        let isNewEpoch = self.isOfOtherEpoch(than: epoch)
        var bind = bind
        // A leading side gets a value only where its bind names a revision.
        bind.since = self.machine.since(isNewEpoch: isNewEpoch) ?? .never
        // It would keep back the value that has changed meanwhile.
        bind.replay = nil
        bind.was = isNewEpoch ? nil : self.machine.was
        return bind
    }

    /// The number of sends without an answer.
    package var unansweredCount: Int { self.machine.unansweredCount }
}
