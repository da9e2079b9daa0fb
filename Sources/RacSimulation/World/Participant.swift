import NIOCore

/// Somebody who uses the daemon, over all its connections.
protocol Participant: AnyObject {
    /// Counted from 0.
    var number: Int { get }
    var plan: ClientPlan { get }
    /// The connection that it has now, or tries to make.
    var link: Link? { get }

    // What the network does to it.
    var stalledUntil: Microseconds { get set }
    var extraDelay: Microseconds { get set }
    var awayUntil: Microseconds { get set }

    /// The time has come to connect.
    func connects()
    /// The connection stands.
    func opened(_ link: Link)
    /// Nobody listens any more.
    func couldNotConnect()
    /// A timer of the client for this connection is due.
    func timerFired(of link: Link) throws(Violation)
    func received(_ bytes: ByteBuffer) throws(Violation)
    /// The daemon's side is closed.
    func closed() throws(Violation)
    /// Takes the connection for lost, whether it is or not.
    func hangUp() throws(Violation)

    /// Does what the plan has it do.
    func uses(_ step: Step)
    /// Everything that was under way has arrived.
    func checkRest() throws(Violation)
    /// The history is over.
    func goes()
}

extension Participant {
    var name: String { self.number.clientName }

    func timerFired(of link: Link) throws(Violation) {}
}
