import RacStore

/// What the agenda has.
enum Event {
    case step(Step)
    /// No more faults happen, and those that last are over.
    case calm

    case connects(client: Int)
    case opens(Link)
    case arrives(Link, Link.Direction)
    /// The receiver of that direction learns that the connection is over.
    case closes(Link, Link.Direction)
    case reads(client: Int)
    case clientTimer(Link)
    /// Something that a program has scheduled.
    case alarm(UInt64)

    case boots
    case tickEnds(SimulatedDaemon)
    case deadline(SimulatedDaemon)
    case sweeps(SimulatedDaemon)
    case lingers(SimulatedDaemon, Link)
    case drains(SimulatedDaemon)
    case written(SimulatedDaemon, step: Int)
    case tells(SimulatedDaemon, StoreEvent)
    case diskHasSpace
}
