import Logging
import Rac
import RacProtocol
import Synchronization

/// The errors of one remote property or terminal that do not end it.
///
/// Guards: each member guards itself. Isolation: any thread.
final class ChannelProblems: Sendable {
    /// An error that lasts until a value or an answer shows that all is well again.
    struct Problem: Sendable {
        enum Kind: Sendable {
            /// A write of this program was not applied.
            case refusedWrite
            /// A value of the channel is of another type.
            case unreadableValue
        }

        let kind: Kind
        let error: ClientError
    }

    /// Each error, when it happens, until the client is closed.
    let errors: Signal<ClientError, Never>
    /// The newest error, until the client is closed.
    let problem: ReadOnlyProperty<ClientError?>
    private let subject: Subject<ClientError, Never>
    /// The newest error, for those who come later.
    let newest: Property<Problem?>
    private let isOpen = Atomic(false)
    private let log: ProblemLog

    init(of channel: ChannelName, _ loop: ClientLoop) {
        let (newest, subject) = (Property<Problem?>(nil), Subject<ClientError, Never>())
        self.newest = newest
        self.subject = subject
        self.errors = loop.untilOver(subject.signal)
        self.problem = ReadOnlyProperty(
            read: { newest.value?.error },
            signal: loop.untilOver(newest.signal.map { $0?.error })
        )
        self.log = ProblemLog(channel.text, loop.logger)
    }

    func report(_ kind: Problem.Kind, _ error: ClientError) {
        self.newest.value = Problem(kind: kind, error: error)
        // Behind it: what is cleared in between is then cleared again by the next value, and no problem stays for ever.
        self.isOpen.store(true, ordering: .releasing)
        switch kind {
        case .refusedWrite: self.log.note("a write was refused", error)
        case .unreadableValue: self.log.note("a value could not be read", error)
        }
        self.subject.send(error)
    }

    /// A value was shown, or a write was applied.
    func clear() {
        guard self.isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
        self.newest.value = nil
    }

    /// A new connection may have new problems.
    func connected() {
        self.log.reset()
    }
}
