import ArgumentParser
import RacConnection

/// `racctl top`: where something happens.
struct TopCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Shows which channels change most, live.",
        usage: "racctl top [<options>] [<pattern>]",
        discussion: """
            A table that is brought up to date every two seconds: each channel's changes a second, how many terminals \
            are bound to it, how many of those are slow (there is something that their clients have not made room \
            for), and its value; above it the daemon's figures. Channels that change most stand first, then those with \
            most binders. A line at the foot names the keys: q ends it, s sorts by another column, j and k or the \
            arrows scroll, p pauses it, / shows only names with a text in them. When the connection is lost, top \
            connects again.

            With -n, and where standard output is no terminal, the table is printed anew each time, its first 20 \
            channels. With -o json each time is an object on a line.

            EXAMPLES
              racctl top
              racctl top 'home/**' --interval 0.5
              racctl top -n 1 | mail -s "racd, busiest channels" me
            """
    )

    static var emptyFormats: [OutputFormat] { [.name, .value] }

    @OptionGroup var pattern: PatternArgument

    @Option(
        name: .customShort("n", allowingJoined: true),
        parsing: .unconditional,
        help: ArgumentHelp("Exit after this number of tables.", valueName: "count")
    )
    var count: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp("How long to wait between two tables.", valueName: "seconds"))
    var interval = 2.0

    @OptionGroup var stream: StreamOptions
    @OptionGroup var common: CommonOptions

    private static let printedRows = 20
    private static let printedWidth = 80

    func validate() throws {
        guard (self.count ?? 1) >= 1 else { throw ValidationError("-n must be above 0") }
        guard (0.1...86_400).contains(self.interval) else {
            throw ValidationError("--interval takes seconds from 0.1 to 86400")
        }
    }

    func run(in context: CommandContext) async throws {
        if self.count == nil, context.format == .text, Descriptors.output.isTerminal {
            try await self.show(in: context)
        } else {
            try await self.print(in: context)
        }
    }

    private func print(in context: CommandContext) async throws {
        var source = TopSource(pattern: self.pattern.orAll, connection: context.connection)
        var printed = 0
        try await context.withConnections { connection in
            source.connection = connection
            // The first look is what the first rates are counted from.
            try await source.look()
            while printed < self.count ?? .max {
                try await Task.sleep(for: .seconds(self.interval))
                let table = try await source.table(rows: Self.printedRows)
                let lines = table.lines(width: Self.printedWidth)
                let text = ((printed > 0 ? [""] : []) + lines).joined(separator: "\n")
                try await context.show(table.record, text: text)
                printed += 1
            }
        }
    }

    // MARK: The live table

    private func show(in context: CommandContext) async throws {
        let events = ScreenEvents()
        try await withThrowingTaskGroup { group in
            group.addTask {
                guard let screen = Screen(onEvent: events.report, onTyped: events.typed) else { return }
                defer { screen.close() }
                try await self.show(on: screen, events, in: context)
            }
            // The key works while there is no connection, too.
            group.addTask { await events.untilQuit() }
            group.addTask {
                while !Task.isCancelled {
                    try await Task.sleep(for: .seconds(self.interval))
                    events.report(.due)
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func show(on screen: Screen, _ events: ScreenEvents, in context: CommandContext) async throws {
        var source = TopSource(pattern: self.pattern.orAll, connection: context.connection)
        try await context.withConnections(reporting: { screen.note($0.map { "Connecting again: \($0.message)" } ?? "") }
        ) {
            source.connection = $0
            try await source.refresh()
            try await self.draw(&source, on: screen, events)
            while let event = await events.next(), event != .quit {
                if event == .due, !events.withView({ $0.isPaused }) { try await source.refresh() }
                try await self.draw(&source, on: screen, events)
            }
        }
        try Task.checkCancellation()
    }

    private func draw(_ source: inout TopSource, on screen: Screen, _ events: ScreenEvents) async throws {
        let (columns, rows) = screen.size
        let footer = events.withView { $0.footer(width: columns) }
        let table = try await source.table(for: events, rows: rows - TopTable.heading - 1 - footer.count)
        screen.show(table.lines(width: columns), heading: TopTable.heading, footer: footer)
    }
}
