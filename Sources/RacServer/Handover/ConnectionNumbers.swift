import RacHost

/// The IDs that one of several loops gives to its connections: no two loops give the same number.
struct ConnectionNumbers: Sendable {
    let loop: Int
    let loopCount: Int

    /// The ID of the loop's connection with this ordinal, counted from 1; the loop keeps it at the place.
    func id(_ ordinal: UInt64, place: Int) -> ConnectionID {
        let number = ordinal * UInt64(self.loopCount) + UInt64(self.loop)
        return ConnectionID(number, loop: self.loop, place: place)
    }
}
