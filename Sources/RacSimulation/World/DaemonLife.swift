import NIOCore
import RacProtocol
import RacStore

/// One life of the daemon, as the world drives it.
protocol DaemonLife: AnyObject {
    /// Counted from 1.
    var number: Int { get }
    /// Whether the daemon takes no more from clients, because it is stopped in order.
    var isStopping: Bool { get }
    /// The content of the transaction under way.
    var writing: CommitQueueStateMachine.Work? { get }

    // The network brings these.
    func opened(_ link: Link)
    func received(_ bytes: ByteBuffer, on link: Link) throws(Violation)
    func becameWritable(_ link: Link, _ isWritable: Bool)
    func closed(_ link: Link) throws(Violation)

    /// The operator has other rules: the listeners take them at once, the host a little later.
    func takes(_ rules: RulesInForce)

    // These stand on the schedule.
    func endTick() throws(Violation)
    func deadlineCame()
    func sweep() throws(Violation)
    func drain(by wake: UInt64)
    func written(step: Int)
    func told(_ event: StoreEvent)
    func judges(_ rules: RulesInForce)

    /// Stores all that was submitted, as an orderly end does; false if the disk is full.
    func finish() throws(Violation) -> Bool
}

/// The state with which a life of the daemon starts.
struct DaemonStart {
    let channels: [StoredChannel]
    let floor: Revision
    let reserved: Revision
    /// Nil for an open daemon.
    let rules: RulesInForce?
}

/// Makes the clients and the daemon of a world, which knows both by their protocols alone.
struct Cast {
    let client: (_ number: Int, World) -> any Participant
    let daemon: (_ number: Int, World, DaemonStart) -> any DaemonLife
}
