/// The work of one turn: when its units are spent, the loop reads its sockets before it works on.
///
/// Each piece of work costs units. A unit is about 100 ns of a release build. Counts decide and no clock, so that
/// the simulator repeats each history. Each client may spend a part of a turn. The last half of a turn is for clients that
/// wait already, so new messages cannot delay old ones for ever. One piece of work is not divided and may overdraw a turn.
/// So a client whose messages were cheap is light, and light clients come before the others.
///
/// Semantics: protocol.md, "Turns".
package struct WorkTurn: Sendable {
    /// The units that one client has spent, kept with the client.
    package struct Share: Sendable {
        fileprivate var turn: UInt64 = 0
        fileprivate var spent = 0
        /// About the units of the dearest of the last messages.
        fileprivate var weight = 0

        package init() {}
    }

    /// The units that were left at a moment of the turn.
    package struct Mark: Sendable {
        fileprivate let left: Int
    }

    /// The fewest units for a client that waits: enough for some dozens of messages.
    private static let leastUnits = 250
    /// The units of a message up to which a client is light, in a turn of any length.
    package static let unitsOfLight = 64

    private let units: Int
    private let unitsOfClient: Int
    private var number: UInt64 = 0
    private var left: Int
    /// New messages are taken while more units than these are left.
    private var reserve: Int

    /// - Parameters:
    ///   - units: The units of a turn.
    ///   - unitsOfClient: The units of a turn for one client.
    package init(units: Int, unitsOfClient: Int) {
        self.units = units
        self.unitsOfClient = unitsOfClient
        self.left = units
        self.reserve = units / 2
    }

    /// Begins a turn: the sockets have been read.
    ///
    /// - Parameter isForWaiting: Whether all of the turn is for clients that wait already.
    package mutating func begin(isForWaiting: Bool = false) {
        self.number += 1
        self.left = self.units
        self.reserve = isForWaiting ? self.units : self.units / 2
    }

    /// The work that follows can be charged to a client from here.
    @inline(__always)
    package var mark: Mark { Mark(left: self.left) }

    /// Work was done.
    @inline(__always)
    package mutating func spend(_ units: Int) {
        self.left -= units
    }

    /// The units that were spent since a moment of this turn.
    package func spent(since mark: Mark) -> Int { mark.left - self.left }

    /// Charges a client with the work that was done since a moment of this turn.
    package func charge(_ share: inout Share, since mark: Mark) {
        if share.turn != self.number { (share.turn, share.spent) = (self.number, 0) }
        share.spent += mark.left - self.left
    }

    /// Work was done for a client.
    package mutating func spend(_ units: Int, by share: inout Share) {
        let mark = self.mark
        self.left -= units
        self.charge(&share, since: mark)
    }

    /// Charges a client with one message, by which it becomes light or ceases to be.
    package func chargeMessage(_ share: inout Share, since mark: Mark) {
        self.charge(&share, since: mark)
        share.weight = max(mark.left - self.left, share.weight - share.weight / 8)
    }

    /// Whether the last messages of a client were cheap.
    package func isLight(_ share: Share) -> Bool { share.weight <= max(Self.unitsOfLight, self.unitsOfClient / 16) }

    /// Whether a new message of a client may be taken now.
    ///
    /// The client has already been charged with the share; its work since the mark has not been charged yet.
    @inline(__always)
    package func admits(_ share: Share, since mark: Mark) -> Bool {
        self.left > self.reserve && self.spent(share) + mark.left - self.left < self.unitsOfClient
    }

    /// The units that a client who need not wait may spend now.
    package func newRoom(for share: Share) -> Int {
        max(0, min(self.left - self.reserve, self.unitsOfClient - self.spent(share)))
    }

    /// Whether units are left for anybody who waits.
    @inline(__always)
    package var hasRoom: Bool { self.left > 0 }

    /// Whether units are left for light clients while others wait too.
    package var hasRoomForLight: Bool { self.left > self.units / 4 }

    /// The units that are left.
    package var room: Int { max(0, self.left) }

    /// The units that a client who waits may spend, beside others that wait.
    ///
    /// Even shares let a client with few messages wait for one turn only, whatever number of others has many.
    ///
    /// - Parameters:
    ///   - share: The units that the client has spent.
    ///   - count: The number of clients that wait, with this one.
    /// - Returns: The units; 0 if the client has to wait for the next turn.
    package func room(for share: Share, among count: Int = 1) -> Int {
        let even = max(Self.leastUnits, self.left / count)
        return max(0, min(self.left, min(even, self.unitsOfClient) - self.spent(share)))
    }

    @inline(__always)
    private func spent(_ share: Share) -> Int { share.turn == self.number ? share.spent : 0 }
}
