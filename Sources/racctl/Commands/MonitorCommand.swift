import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl monitor`: all that happens, with the time.
struct MonitorCommand: ValueCommand, StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Prints each change of all channels, with its time.",
        usage: "racctl monitor [<options>] [<pattern>]",
        discussion: """
            Each line has the time in UTC at which the change arrived here, the channel's name and its value or state, \
            parted by tabs. In a racd that knows its clients a further tab, "by " and the name of the writer follow. \
            It is a watch that leaves out what is there at the beginning.

            EXAMPLES
              racctl monitor
              racctl monitor 'room/**' --for 60 > changes.txt
            """
    )

    @OptionGroup var pattern: PatternArgument
    @OptionGroup var results: ResultOptions
    @OptionGroup var stream: StreamOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        var news = WatchNews(includesPresent: false)
        try await context.withConnections { connection in
            news.connected()
            for try await event in try await connection.watch(self.pattern.orAll) {
                for case .changed(let changed) in news.heard(event) {
                    let time = WallClock.now
                    var record = Record(watched: changed)
                    record.add("at", .integer(Int(time)))
                    let writer = changed.by.map { "\tby \($0.onOneLine)" } ?? ""
                    let text = WatchCommand.text(of: changed, in: context) + writer
                    try await context.show(record, text: "\(WallClock.text(milliseconds: time))\t\(text)")
                }
            }
        }
    }
}
