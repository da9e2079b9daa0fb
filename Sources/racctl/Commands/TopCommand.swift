import ArgumentParser
import RacConnection

/// `racctl top`: where something happens.
struct TopCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Shows which channels change most, live.",
        discussion: """
            A table that is brought up to date every two seconds: each channel's changes a second, how many terminals \
            are bound to it, how many of those are slow (there is something that their clients have not made room \
            for), and its value; above it the daemon's figures. Channels that change most stand first, then those with \
            most binders. q or Ctrl-C ends it.

            With -n, and where standard output is no terminal, the table is printed anew each time, its first 20 \
            channels. With -o json each time is an object on a line.

            EXAMPLES
              racctl top
              racctl top 'home/**' --interval 0.5
              racctl top -n 1 | mail -s "racd, busiest channels" me
            """
    )

    static var streams: Bool { true }

    @OptionGroup var pattern: PatternArgument

    @Option(name: .customShort("n"), help: ArgumentHelp("End after so many tables.", valueName: "count"))
    var count: Int?

    @Option(help: ArgumentHelp("How long to wait between two tables.", valueName: "seconds"))
    var interval = 2.0

    @OptionGroup var common: CommonOptions

    private static let printedRows = 20
    private static let printedWidth = 80

    func validate() throws {
        guard (self.count ?? 1) >= 1 else { throw ValidationError("-n takes a number from 1 on") }
        guard (0.1...86_400).contains(self.interval) else {
            throw ValidationError("--interval takes seconds from 0.1 to 86400")
        }
    }

    func run(in context: CommandContext) async throws {
        let source = TopSource(pattern: self.pattern.orAll, connection: context.connection)
        let events = ScreenEvents()
        let isLive = self.count == nil && context.format == .text
        if isLive, let screen = Screen(onEvent: events.report) {
            defer { screen.close() }
            try await self.show(source, on: screen, events)
        } else {
            try await self.print(source, in: context)
        }
    }

    private func print(_ source: TopSource, in context: CommandContext) async throws {
        var source = source
        // The first look is what the first rates are counted from.
        try await source.look()
        for number in 1...(self.count ?? .max) {
            try await Task.sleep(for: .seconds(self.interval))
            let table = try await source.table(rows: Self.printedRows)
            switch context.format {
            case .text:
                if number > 1 { try await context.output.write("") }
                for line in table.lines(width: Self.printedWidth) { try await context.output.write(line) }
            case .json: try await context.output.write(table.json)
            }
        }
    }

    private func show(_ source: TopSource, on screen: Screen, _ events: ScreenEvents) async throws {
        var source = source
        var table = try await source.table(rows: screen.size.rows)
        let clock = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(self.interval))
                events.report(.due)
            }
        }
        defer { clock.cancel() }
        screen.show(table.lines(width: screen.size.columns), heading: TopTable.heading)
        while let event = await events.next() {
            switch event {
            case .quit: return
            case .resized: break
            case .due: table = try await source.table(rows: screen.size.rows)
            }
            screen.show(table.lines(width: screen.size.columns), heading: TopTable.heading)
        }
        try Task.checkCancellation()
    }
}
