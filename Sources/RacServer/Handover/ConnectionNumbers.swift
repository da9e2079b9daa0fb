import RacHost

/// The numbers that one of several loops gives to its connections: no two loops give the same, and each tells its loop.
struct ConnectionNumbers: Sendable {
    let loop: Int
    let loopCount: Int

    func id(_ ordinal: UInt64) -> ConnectionID {
        ConnectionID(ordinal * UInt64(self.loopCount) + UInt64(self.loop))
    }

    /// Which of so many loops a connection is on.
    static func loop(of id: ConnectionID, among loopCount: Int) -> Int {
        Int(id.number % UInt64(loopCount))
    }
}
