/// The date of an answer as HTTP has it.
///
/// Semantics: RFC 9110, section 5.6.7.
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The text of a second since 1970 UTC.
    package static func text(of second: Int64) -> String {
        let day = second / 86_400
        // The years begin with March here, so that the day of a leap year is the last one.
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let date = dayOfYear - (153 * march + 2) / 5 + 1
        let month = march < 10 ? march + 2 : march - 10
        let year = yearOfEra + era * 400 + (month < 2 ? 1 : 0)
        let time = second % 86_400
        let clock = [time / 3600, time / 60 % 60, time % 60].map(Self.twoDigits).joined(separator: ":")
        return "\(Self.days[Int(day % 7)]), \(Self.twoDigits(date)) \(Self.months[Int(month)]) \(year) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
