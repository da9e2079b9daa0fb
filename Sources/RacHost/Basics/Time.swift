/// The beginning of a tick by the shell's clocks.
package struct Time: Sendable {
    /// In milliseconds, never going back.
    package var uptime: UInt64

    /// In milliseconds since 1970 UTC.
    package var wall: Int64

    package init(uptime: UInt64, wall: Int64) {
        self.uptime = uptime
        self.wall = wall
    }
}
