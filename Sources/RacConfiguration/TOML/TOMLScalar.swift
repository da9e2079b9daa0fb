import Glibc

/// A value of a TOML text that is written without quotes and brackets.
enum TOMLScalar {
    /// The value of a word of ASCII characters; nil if it is none.
    static func item(_ word: String) -> TOMLItem? {
        switch word {
        case "true": .boolean(true)
        case "false": .boolean(false)
        default: Self.integer(word) ?? Self.point(word) ?? Self.moment(word)
        }
    }

    private static func integer(_ word: String) -> TOMLItem? {
        let digits = word.replacing("_", with: "")
        let number: Int? =
            if word.wholeMatch(of: /[+-]?(0|[1-9](_?[0-9])*)/) != nil {
                Int(digits)
            } else if word.wholeMatch(of: /0x[0-9A-Fa-f](_?[0-9A-Fa-f])*/) != nil {
                Int(digits.dropFirst(2), radix: 16)
            } else if word.wholeMatch(of: /0o[0-7](_?[0-7])*/) != nil {
                Int(digits.dropFirst(2), radix: 8)
            } else if word.wholeMatch(of: /0b[01](_?[01])*/) != nil {
                Int(digits.dropFirst(2), radix: 2)
            } else {
                nil
            }
        return number.map(TOMLItem.integer)
    }

    private static func point(_ word: String) -> TOMLItem? {
        let number = /[+-]?(0|[1-9](_?[0-9])*)(\.[0-9](_?[0-9])*)?([eE][+-]?[0-9](_?[0-9])*)?/
        let isPoint = word.contains { ".eE".contains($0) } && word.wholeMatch(of: number) != nil
        guard isPoint || word.wholeMatch(of: /[+-]?(inf|nan)/) != nil else { return nil }
        return .other("a number with a point")
    }

    private static func moment(_ word: String) -> TOMLItem? {
        let clock = /([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?/
        if let time = word.wholeMatch(of: clock) {
            return Self.isTime(time.1, time.2, time.3) ? .other("a time without a date") : nil
        }
        let day = /([0-9]{4})-([0-9]{2})-([0-9]{2})/
        guard let date = word.prefixMatch(of: day), let midnight = Self.seconds(date.1, date.2, date.3) else {
            return nil
        }
        let rest = word[date.0.endIndex...]
        guard !rest.isEmpty else { return .time(midnight * 1000) }
        guard let time = rest.dropFirst().prefixMatch(of: clock), "Tt ".contains(rest.prefix(1)),
            Self.isTime(time.1, time.2, time.3)
        else { return nil }
        let seconds = midnight + Self.number(time.1) * 3600 + Self.number(time.2) * 60 + Self.number(time.3)
        let fraction = time.4.map { Self.number(($0.dropFirst() + "00").prefix(3)) } ?? 0
        let zone = rest[time.0.endIndex...]
        guard !zone.isEmpty else { return .other("a time without an offset") }
        return Self.offset(zone).map { .time((seconds - $0) * 1000 + fraction) }
    }

    /// The seconds of an offset from UTC.
    private static func offset(_ zone: Substring) -> Int64? {
        if zone == "Z" || zone == "z" { return 0 }
        guard let parts = zone.wholeMatch(of: /([+-])([0-9]{2}):([0-9]{2})/), Self.isTime(parts.2, parts.3, "00") else {
            return nil
        }
        return (parts.1 == "-" ? -1 : 1) * (Self.number(parts.2) * 3600 + Self.number(parts.3) * 60)
    }

    private static func isTime(_ hours: Substring, _ minutes: Substring, _ seconds: Substring) -> Bool {
        Self.number(hours) < 24 && Self.number(minutes) < 60 && Self.number(seconds) < 60
    }

    /// The seconds since 1970 UTC at which a day begins; nil if there is no such day.
    private static func seconds(_ year: Substring, _ month: Substring, _ day: Substring) -> Int64? {
        var parts = tm()
        parts.tm_year = Int32(Self.number(year)) - 1900
        parts.tm_mon = Int32(Self.number(month)) - 1
        parts.tm_mday = Int32(Self.number(day))
        let wanted = (parts.tm_mon, parts.tm_mday)
        let seconds = Int64(timegm(&parts))
        // The system takes the 31st of April for the 1st of May.
        return (parts.tm_mon, parts.tm_mday) == wanted ? seconds : nil
    }

    private static func number(_ digits: some StringProtocol) -> Int64 { Int64(digits) ?? 0 }
}
