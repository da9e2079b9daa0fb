extension Duration {
    /// In milliseconds, to the microsecond.
    var inMilliseconds: Double { (self / .microseconds(1)).rounded() / 1000 }

    /// In seconds, to the millisecond: `1.5 s`.
    var inSeconds: String {
        let milliseconds = Int64((self / .milliseconds(1)).rounded())
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
    }

    /// The largest unit, for tables: `3d`.
    var inOneUnit: String {
        let seconds = self.components.seconds
        return switch seconds {
        case ..<60: "\(seconds)s"
        case ..<3600: "\(seconds / 60)m"
        case ..<86_400: "\(seconds / 3600)h"
        default: "\(seconds / 86_400)d"
        }
    }

    /// The two largest units, for people: `3 days 4 h`.
    var inWords: String {
        let seconds = self.components.seconds
        let (minutes, hours) = (seconds / 60, seconds / 3600)
        let days = hours / 24
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(minutes) min \(seconds % 60) s"
        case ..<86_400: "\(hours) h \(minutes % 60) min"
        default: "\(days) \(days == 1 ? "day" : "days") \(hours % 24) h"
        }
    }
}
