import ArgumentParser
import LoadGenerator

/// What every measurement needs to know.
struct RunOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The racd to measure.", valueName: "path"))
    var racd: String

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("One more argument for `racd serve`; may be given several times.", valueName: "argument")
    )
    var racdArgument: [String] = []

    @Option(help: ArgumentHelp("Where data and logs go: a folder on the disk to measure.", valueName: "path"))
    var folder: String

    @Option(help: "How often each measurement is taken, in turn with what it is compared with.")
    var rounds = 5

    @Option(help: "How many seconds a measurement takes, besides a third as long to warm up.")
    var seconds = 3.0

    @Option(help: "The length of a value's JSON text.")
    var valueBytes = 20

    @Option(help: ArgumentHelp("A file to append every single measurement to, as lines of JSON.", valueName: "path"))
    var json: String?

    @Option(help: ArgumentHelp("A line to print and note with the figures, such as versions.", valueName: "text"))
    var about: [String] = []

    /// How often and how long, for people.
    var extent: String {
        "\(self.rounds) × \(self.seconds.text(decimals: 1)) s"
    }

    func validate() throws {
        guard self.rounds >= 1 else { throw ValidationError("--rounds must be at least 1") }
        guard self.seconds > 0 else { throw ValidationError("--seconds must be more than 0") }
        let possible = NumberedValue.possibleBytes
        guard possible.contains(self.valueBytes) else {
            throw ValidationError("--value-bytes must be from \(possible.lowerBound) to \(possible.upperBound)")
        }
    }
}
