import RacProtocol

/// The listeners of a connection, by terminal and by watch, and by the request that sets them up.
///
/// The table calls no listener, so a listener that is called may change the table.
struct ListenerTable {
    private(set) var terminals: [TerminalID: any TerminalListener] = [:]
    private(set) var watches: [WatchID: any WatchListener] = [:]
    /// Listeners whose bind has no answer yet.
    private var binding: [RequestID: any TerminalListener] = [:]
    /// Listeners whose watch has no answer yet.
    private var watching: [RequestID: any WatchListener] = [:]

    // MARK: Requests

    /// A listener's bind went out.
    mutating func expectBound(_ listener: any TerminalListener, by id: RequestID) {
        self.binding[id] = listener
    }

    /// A listener's watch went out.
    mutating func expectWatching(_ listener: any WatchListener, by id: RequestID) {
        self.watching[id] = listener
    }

    /// The bind was answered; returns its listener.
    mutating func takeBinding(_ id: RequestID) -> (any TerminalListener)? {
        self.binding.removeValue(forKey: id)
    }

    /// The watch was answered; returns its listener.
    mutating func takeWatching(_ id: RequestID) -> (any WatchListener)? {
        self.watching.removeValue(forKey: id)
    }

    /// The request was refused; its listener is forgotten.
    mutating func refused(_ id: RequestID) {
        self.binding[id] = nil
        self.watching[id] = nil
    }

    // MARK: Terminals and watches

    /// Enters a terminal's listener; returns the earlier one of the same terminal.
    mutating func enter(_ listener: any TerminalListener, as terminal: TerminalID) -> (any TerminalListener)? {
        self.terminals.updateValue(listener, forKey: terminal)
    }

    /// Enters a watch's listener; returns the earlier one of the same watch.
    mutating func enter(_ listener: any WatchListener, as watch: WatchID) -> (any WatchListener)? {
        self.watches.updateValue(listener, forKey: watch)
    }

    /// Forgets a terminal's listener; returns whether it was the one entered.
    mutating func forget(_ terminal: TerminalID, of listener: any TerminalListener) -> Bool {
        guard self.terminals[terminal] === listener else { return false }
        self.terminals[terminal] = nil
        return true
    }

    /// Forgets a watch's listener; returns whether it was the one entered.
    mutating func forget(_ watch: WatchID, of listener: any WatchListener) -> Bool {
        guard self.watches[watch] === listener else { return false }
        self.watches[watch] = nil
        return true
    }
}
