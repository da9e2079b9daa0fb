import Glibc

/// Writes values as TOML has them.
enum TOMLWriting {
    static func string(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.properties.generalCategory == .control: Self.escape(scalar)
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }

    static func strings(_ texts: [String]) -> String {
        "[\(texts.map(Self.string).joined(separator: ", "))]"
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

/// A moment as people and TOML have it: `2027-01-31T12:00:00Z`.
package enum Moment {
    /// The moments that files have: 1970 to 9999, whose years are written with four digits.
    static let range: ClosedRange<Int64> = 0...253_402_300_799_999

    /// The present time, in milliseconds since 1970 UTC.
    package static var now: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// The text of a moment, to the second.
    ///
    /// - Parameter milliseconds: Milliseconds since 1970 UTC.
    /// - Returns: The date and the time, in UTC.
    package static func text(_ milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            let length = strftime(buffer.baseAddress, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
            return String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
