import RacStore

/// An event that stands on the schedule.
enum Occurrence {
    case step(Step)
    /// No more faults happen, and lasting faults end.
    case calm

    case connects(client: Int)
    case opens(Link)
    case arrives(Link, Link.Direction)
    /// The receiver of that direction learns that the connection has ended.
    case closes(Link, Link.Direction)
    case reads(client: Int)
    case clientTimer(Link)
    /// A task that a program has scheduled.
    case alarm(UInt64)

    case boots
    case tickEnds(any DaemonLife)
    case deadline(any DaemonLife)
    case sweeps(any DaemonLife)
    case lingers(any DaemonLife, Link)
    case drains(any DaemonLife, by: UInt64)
    case written(any DaemonLife, step: Int)
    case tells(any DaemonLife, StoreEvent)
    /// The host takes rules that the listeners have taken.
    case judges(any DaemonLife, RulesInForce)
    case diskHasSpace
}
