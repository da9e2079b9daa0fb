package import RacProtocol

/// The receiver of a terminal's events, called on the connection's event loop.
package protocol TerminalListener: AnyObject {
    /// Whether no event may come any more; the dispatcher forgets the listener then.
    var isOver: Bool { get }

    /// The daemon bound the terminal; further events may come in the same read.
    func bound(_ bound: Bound)
    /// Another program's value came. Returns whether the listener has room; without room the terminal is unbound.
    func arrived(_ valuation: Valuation) -> Bool
    func ended(_ end: TerminalEnd)
    func acknowledged(_ number: SendNumber, as revision: Revision)
    func changedNothing(_ number: SendNumber, standing: Valuation)
    func refused(_ number: SendNumber, _ refusal: Refusal)
    /// Nothing more comes: the connection is lost (with its error), or the terminal was unbound or bound anew.
    func finish(_ error: ClientError?)
}

/// The receiver of a watch's events, called on the connection's event loop.
package protocol WatchListener: AnyObject {
    /// A channel changed. Returns whether the listener has room; without room the watch ends.
    func changed(_ changed: Changed) -> Bool
    func synced()
    /// Nothing more comes: the connection is lost (with its error), or the watch has ended.
    func finish(_ error: ClientError?)
}
