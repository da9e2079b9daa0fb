/// The programs that collect their output when they write to a pipe, and the option that stops that.
enum FilterHint {
    private static let remedies: [(program: String, options: [String])] = [
        ("jq", ["--unbuffered"]), ("sed", ["-u", "--unbuffered", "-l"]), ("grep", ["--line-buffered"]),
        ("python3", ["-u"]), ("python", ["-u"]),
    ]

    private static let others: Set<String> = ["awk", "mawk", "gawk", "cut", "tr", "bc", "tail", "sort", "uniq"]

    /// The help for a command of the shell; nil if none of its programs is known to collect its output.
    static func hint(for command: String) -> String? {
        for part in command.split(whereSeparator: { "|;&\n".contains($0) }) {
            let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let path = words.first, let program = path.split(separator: "/").last.map(String.init) else {
                continue
            }
            if let remedy = Self.remedies.first(where: { $0.program == program }) {
                if remedy.options.allSatisfy({ !words.contains($0) }) { return "\(program) needs \(remedy.options[0])" }
            } else if Self.others.contains(program) {
                return "write stdbuf -oL \(program)"
            }
        }
        return nil
    }
}
