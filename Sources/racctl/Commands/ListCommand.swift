import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl list`: which channels there are.
struct ListCommand: ValueCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists channels in the order of their names.",
        usage: "racctl list [<options>] [<pattern>]",
        discussion: """
            Each line has the name, the state, the mode, the number of bindings, the time since the newest change and \
            the value; at a terminal a line of headings comes first, and lines are cut to its width. With -q names \
            only, which is faster. A name may begin with - and may have spaces: write -- before names that another \
            racctl gets. In a pattern * stands for one segment of a name and ** for any number of them.

            EXAMPLES
              racctl list 'room/**'
              racctl list -q | wc -l
              racctl list -q 'room/**' | xargs -d '\\n' racctl get --
              racctl list -o json | jq 'select(.bound == 0)'
            """
    )

    static var streams: Bool { true }

    @OptionGroup var pattern: PatternArgument

    @Flag(name: .shortAndLong, help: "Print names only.")
    var quiet = false

    @OptionGroup var results: ResultOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        if self.quiet || context.format == .name, self.results.template == nil { return try await self.names(context) }
        var table = Table(Self.columns)
        let now = WallClock.now
        try await context.connection.forEachPage(of: self.pattern.orAll) { page in
            let gets = try await context.connection.gets(page.map(\.channel))
            // A channel that has been deleted since is listed no more.
            let rows = zip(page, gets).compactMap { entry, got in got.map { (entry, $0) } }
            try await context.show(rows, in: &table) { entry, got in
                Self.cells(entry, got, now: now, value: got.value.map(context.results.text))
            } record: { entry, got in
                Self.record(entry, got)
            }
        }
    }

    private static let columns = [
        Table.Column(heading: "NAME", limit: 40), Table.Column(heading: "STATE"), Table.Column(heading: "MODE"),
        Table.Column(heading: "BOUND", isNumber: true), Table.Column(heading: "AGE", isNumber: true),
        Table.Column(heading: "VALUE"),
    ]

    private static func cells(_ entry: Listed.Entry, _ got: Got, now: Int64, value: String?) -> [String] {
        let age = Duration.milliseconds(max(0, now - Int64(clamping: got.changedAt)))
        return [
            entry.channel.text, got.state.word.rawValue, got.mode.rawValue, "\(entry.bound)", age.inOneUnit,
            value ?? "",
        ]
    }

    private func names(_ context: CommandContext) async throws {
        try await context.connection.forEachPage(of: self.pattern.orAll) { page in
            for entry in page { try await context.output.write(entry.channel.text) }
        }
    }

    private static func record(_ entry: Listed.Entry, _ got: Got) -> Record {
        var record = Record(entry.channel, got)
        record.add("bound", .integer(Int(clamping: entry.bound)))
        return record
    }
}
