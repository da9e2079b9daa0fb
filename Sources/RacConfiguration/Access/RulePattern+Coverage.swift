import RacAccess

extension RulePattern {
    /// Whether every name that another pattern matches is seen to match this one, too.
    ///
    /// The comparison takes the other pattern for a name with wildcards as segments. It misses a few pairs and never finds a
    /// wrong one.
    func covers(_ other: RulePattern) -> Bool {
        let (segments, parts) = (Self.segments(self.text), Self.segments(other.text))
        // A wildcard at the beginning does not match the daemon's own names.
        if parts[0].hasPrefix("$"), segments[0].hasPrefix("*") { return false }
        var reached = [true] + parts.map { _ in false }
        for segment in segments {
            var next = reached.map { _ in false }
            for end in 0...parts.count {
                switch segment {
                case "**": next[end] = reached[...end].contains(true)
                case _ where end == 0: next[end] = false
                case "*": next[end] = reached[end - 1] && parts[end - 1] != "**"
                default: next[end] = reached[end - 1] && parts[end - 1] == segment
                }
            }
            reached = next
        }
        return reached[parts.count]
    }

    private static func segments(_ text: String) -> [Substring] {
        text.split(separator: "/", omittingEmptySubsequences: false)
    }
}
