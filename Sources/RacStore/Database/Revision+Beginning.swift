import Glibc
package import RacProtocol

extension Revision {
    /// The revision behind which a daemon begins that knows of no earlier one: the half microseconds since 1970.
    ///
    /// They pass faster than a daemon counts, so revisions grow over restarts all the same.
    package static func beginning() -> Revision {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Revision(UInt64(max(0, now.tv_sec) * 2_000_000 + now.tv_nsec / 500))
    }
}
