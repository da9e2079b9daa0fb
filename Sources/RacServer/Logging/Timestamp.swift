import Glibc

/// The time of log entries.
enum Timestamp {
    /// The present time in UTC, to the millisecond: `2026-11-24T04:40:00.125Z`.
    static var now: String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        gmtime_r(&now.tv_sec, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            let length = strftime(buffer.baseAddress, buffer.count, "%Y-%m-%dT%H:%M:%S", &parts)
            let seconds = String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
            let millis = String(now.tv_nsec / 1_000_000 + 1000).dropFirst()
            return "\(seconds).\(millis)Z"
        }
    }
}
