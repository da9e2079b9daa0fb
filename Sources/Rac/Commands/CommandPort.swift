/// The way in which the place of a command's work reports to the command here.
///
/// It does not keep the command alive; after its release a report has no effect. Isolation: any thread.
package struct CommandPort<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
    private let core: CommandCore<Input, Output, Failure>

    init(_ core: CommandCore<Input, Output, Failure>) {
        self.core = core
    }

    /// The state of the command at the place of its work.
    package func tell(isEnabled: Bool, isExecuting: Bool) {
        self.core.change { state in
            guard !state.isClosed else { return }
            state.machine.told(isEnabled: isEnabled, isExecuting: isExecuting)
            state.postNotices()
        }
    }

    /// The work is out of reach for good: no state comes any more, and the signals of the command complete.
    package func end() {
        self.tell(isEnabled: false, isExecuting: false)
        self.core.close()
    }

    /// The work failed for another caller.
    package func fail(_ failure: Failure) {
        self.core.change { $0.outbox.append(.error(failure)) }
    }

    /// An execution that was accepted here was refused there.
    package func refuse(_ input: Input) {
        self.core.refuse(input)
    }
}

extension Command {
    /// Whether it would accept an execution if this number of running ones had ended.
    package func isEnabled(besides ended: Int) -> Bool {
        self.core.state.withLock { $0.machine.isEnabled(besides: ended) }
    }
}
