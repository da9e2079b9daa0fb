/// The actions that the machine returns to its caller.
extension CommitQueueStateMachine {
    package enum OnGathered: Equatable {
        case wake
        case wakeLater(after: Duration)
        /// The changes have come for which the thread waits.
        case complete
        case nothing
    }

    package enum OnReady: Equatable {
        /// Begin a transaction with this work, and ask ``written()`` before its commit.
        case begin(Work)
        /// Check that the files are in their place: a transaction without work.
        case check
        case rest
        case restUntil(after: Duration)
        /// Spin for at most this long, while ``isLooking``, and come back.
        case look(Duration)
    }

    package enum OnWritten: Equatable {
        /// Write this work to the same transaction, and come back.
        case write(Work)
        /// Spin for at most this long, while ``isLooking``, and come back.
        case look(Duration)
        /// Sleep until other changes come, for at most this long, and come back.
        case waitForOthers(Duration)
        case commit
    }

    package struct OnFailed: Equatable {
        package enum Next: Equatable {
            case retry(after: Duration)
            case giveUp
        }

        package var tell: StoreEvent?
        package var next: Next
    }
}
