import NIOCore

/// A client of the daemon, over all its connections.
protocol Participant: AnyObject {
    /// Counted from 0.
    var number: Int { get }
    var plan: ClientPlan { get }
    var world: World { get }
    /// The connection that it has, or tries to make.
    var link: Link? { get }

    // The network's influence.
    var stalledUntil: Microseconds { get set }
    var extraDelay: Microseconds { get set }
    var awayUntil: Microseconds { get set }

    /// The client is due to connect.
    func connects()
    /// The connection is open.
    func opened(_ link: Link)
    /// The daemon does not listen.
    func couldNotConnect()
    /// A timer of the client for this connection is due.
    func timerFired(of link: Link) throws(Violation)
    func received(_ bytes: ByteBuffer) throws(Violation)
    /// The daemon's side is closed.
    func closed() throws(Violation)
    /// Gives the connection up, whether it is lost or not.
    func hangUp() throws(Violation)

    /// Carries out a step of the plan.
    func uses(_ step: Step)
    /// Everything that was under way has arrived.
    func checkRest() throws(Violation)
    /// The history is over.
    func goes()
}

extension Participant {
    var name: String { self.number.clientName }

    /// Whether the daemon does not know the client's principal, and the client waits for that to change.
    var isTurnedAway: Bool { self.world.turnedAway.contains(self.number) }

    func timerFired(of link: Link) throws(Violation) {}
}
