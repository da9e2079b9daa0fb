import Glibc

/// Times as log entries have them.
enum Timestamp {
    /// The present time in UTC, to the millisecond: `2026-11-24T04:40:00.125Z`.
    static var now: String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let millis = String(now.tv_nsec / 1_000_000 + 1000).dropFirst()
        return "\(Self.digits(now.tv_sec)).\(millis)Z"
    }

    /// A time in seconds since 1970 UTC: `2026-11-24T04:40:00Z`.
    static func text(_ seconds: Int) -> String { "\(Self.digits(seconds))Z" }

    private static func digits(_ seconds: time_t) -> String {
        var (seconds, parts) = (seconds, tm())
        gmtime_r(&seconds, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
            let length = strftime(buffer.baseAddress, buffer.count, "%Y-%m-%dT%H:%M:%S", &parts)
            return String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
