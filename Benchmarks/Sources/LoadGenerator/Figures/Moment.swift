import Glibc

/// A reading of a clock that only grows.
///
/// The standard library's clocks keep attoseconds in 128 bits; this is one number and costs no more than the reading.
package struct Moment: Sendable {
    let nanoseconds: Int

    package static var now: Moment {
        Self.reading(of: CLOCK_MONOTONIC)
    }

    /// The processor time that the calling thread has used: a moment to compare with its like only.
    static var ofThisThread: Moment {
        Self.reading(of: CLOCK_THREAD_CPUTIME_ID)
    }

    package var secondsUntilNow: Double {
        Self.now.seconds(since: self)
    }

    private static func reading(of clock: clockid_t) -> Moment {
        var time = timespec()
        clock_gettime(clock, &time)
        return Moment(nanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec)
    }

    package func seconds(since earlier: Moment) -> Double {
        Double(self.nanoseconds - earlier.nanoseconds) / 1e9
    }
}
