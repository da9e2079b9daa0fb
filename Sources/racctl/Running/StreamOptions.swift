import ArgumentParser
import RacProtocol

/// The options of a command that goes on until it is ended.
struct StreamOptions: ParsableArguments {
    @Option(
        name: .customLong("for"),
        parsing: .unconditional,
        help: ArgumentHelp("Exit with 0 after this time.", valueName: "seconds")
    )
    var seconds: Double?

    @Flag(help: "Exit with 6 when the connection is lost, instead of connecting again.")
    var once = false

    func validate() throws {
        if let seconds, !CommonOptions.isTimeout(seconds) {
            throw ValidationError("--for \(CommonOptions.timeoutRange)")
        }
    }

    var duration: Duration? { self.seconds.map { .seconds($0) } }
}

/// The options of a command that holds something in racd: a binding, a link, a command.
struct SessionOptions: ParsableArguments {
    @Option(
        name: .customLong("session"),
        help: ArgumentHelp(
            """
            Take over the connection of an earlier racctl with this session, which racd may not know to be lost yet: its \
            will is dropped. Give each program a name of its own.
            """,
            valueName: "name"
        )
    )
    var name: String?

    func validate() throws {
        let range = Hello.sessionBytes
        guard let name, !range.contains(name.utf8.count) else { return }
        throw ValidationError("--session must have \(range.lowerBound) to \(range.upperBound) bytes")
    }
}

/// The options of a command that prints values.
struct ResultOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: """
            Print a string without quotes and escapes; one with a line break or a tab keeps them where others could \
            follow.
            """
    )
    var raw = false

    @Option(
        name: [.customShort("F"), .customLong("format")],
        help: ArgumentHelp(
            """
            Print each result like this: '{time} {name} {value}'; the fields are \(Template.keys.joined(separator: ", ")), \
            and \\t and \\n are characters.
            """,
            valueName: "template"
        ),
        transform: { try Template($0) }
    )
    var template: Template?
}
