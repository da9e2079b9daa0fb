import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl txn`: several values at once.
struct TransactionCommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "txn",
        abstract: "Sets several channels at once: all of them or none.",
        usage: "racctl txn [<options>] [<name=value> ...]",
        discussion: """
            Each NAME=VALUE sets a channel; a VALUE that is JSON is taken as it stands, anything else is a string. \
            Without any, the lines of standard input are taken, each a JSON object: {"channel": "a", "value": 1}, with \
            "if": REVISION where it shall hold. With "if" the value may be left out: then \
            the channel is only compared, as one that --if-rev names and no NAME=VALUE sets.

            Either every channel is set or none is: if one of them has ended, or has not the revision that you name, \
            txn exits with 4 and names it. It exits with 0 when all values are on racd's disk. Channels that do not exist \
            are created. In paired channels the values are wishes. A name with = in it can come by standard input.

            With -o json it prints a line for each channel, with its new revision.

            EXAMPLES
              racctl txn room/light=true room/volume=11 'room/title=Quiet hour'
              racctl txn from=40 to=60 --if-rev from=1207 --if-rev to=1198
              racctl txn alarm=true --if-rev room/temp=1207
              jq -c '{channel: .name, value: .v}' things.json | racctl txn
            """
    )

    static var emptyFormats: [OutputFormat] { [.value] }

    @Argument(
        help: ArgumentHelp("Which channel gets which value.", valueName: "name=value"),
        completion: NameCompletion.assignments,
        transform: { try Assignment($0) }
    )
    var assignments: [Assignment] = []

    @Option(
        help: ArgumentHelp(
            "Set them only if that channel, set or not, still has this revision (0: no value yet).",
            valueName: "name=revision"
        ),
        completion: NameCompletion.assignments,
        transform: { try RevisionCondition($0) }
    )
    var ifRev: [RevisionCondition] = []

    @Flag(help: "Do not wait for racd's disk.")
    var noSync = false

    @OptionGroup var values: ValueOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        let channels = self.assignments.map(\.channel)
        if let twice = Self.repeated(channels) { throw ValidationError("\(twice) is set twice") }
        if let twice = Self.repeated(self.ifRev.map(\.channel)) {
            throw ValidationError("--if-rev names \(twice) twice")
        }
    }

    func run(in context: CommandContext) async throws {
        let entries = self.assignments.isEmpty ? try await Self.entriesOfInput() : try await self.entries()
        var put = Put(entries: try self.guarded(entries))
        put.sync = !self.noSync
        guard !put.entries.isEmpty else {
            throw CommandFailure(.other, code: "input", "standard input is empty: nothing was set")
        }
        do {
            try await self.show(try await context.connection.put(put), of: put, in: context)
        } catch let error as ClientError {
            throw Self.failure(error, of: put)
        }
    }

    private func entries() async throws -> [Put.Entry] {
        var entries: [Put.Entry] = []
        for assignment in self.assignments {
            let source = ValueSource(argument: assignment.value, name: "the value of \(assignment.channel)")
            entries.append(Put.Entry(channel: assignment.channel, value: try await source.value(self.values)))
        }
        return entries
    }

    /// The entries with the revisions of `--if-rev`, and a guard for each channel that no entry sets.
    private func guarded(_ entries: [Put.Entry]) throws -> [Put.Entry] {
        var entries = entries
        for condition in self.ifRev {
            guard let index = entries.firstIndex(where: { $0.channel == condition.channel }) else {
                entries.append(Put.Entry(channel: condition.channel, value: nil, condition: condition.revision))
                continue
            }
            guard entries[index].condition == nil else {
                throw CommandFailure(.other, code: "input", "\(condition.channel) has two revisions to compare")
            }
            entries[index].condition = condition.revision
        }
        return entries
    }

    private static func entriesOfInput() async throws -> [Put.Entry] {
        var objects = ObjectLines(LineInput.standard)
        var entries: [Put.Entry] = []
        while let line = try await objects.next() {
            let entry = try line.read([.channel, .value, .if]) { (envelope) throws(MessageError) in
                try Put.Entry(line: envelope)
            }
            entries.append(entry)
            guard entries.count <= Self.maximumEntries else {
                throw CommandFailure(.limit, code: "limit", "txn takes at most \(Self.maximumEntries) channels at once")
            }
        }
        if let twice = Self.repeated(entries.map(\.channel)) {
            throw CommandFailure(.other, code: "input", "\(twice) is set twice")
        }
        return entries
    }

    /// As many as the longest frame can hold, roughly.
    private static let maximumEntries = 1_000_000

    private static func repeated(_ channels: [ChannelName]) -> ChannelName? {
        var seen: Set<ChannelName> = []
        return channels.first { !seen.insert($0).inserted }
    }

    private static func failure(_ error: ClientError, of put: Put) -> CommandFailure {
        var failure = CommandFailure(error)
        if error.code == .badMessage, put.entries.contains(where: { $0.value == nil }) {
            failure.message = "this racd is too old to compare a channel that is not set: update it"
        }
        if let index = error.index, put.entries.indices.contains(index) {
            let channel = put.entries[index].channel
            let reason = error.code == .terminated ? CommandFailure(error, of: channel).message : nil
            failure.message = "nothing was set: \(reason ?? "\(channel): \(error.message)")"
        }
        return failure
    }

    private func show(_ revisions: [Revision], of put: Put, in context: CommandContext) async throws {
        for (entry, revision) in zip(put.entries, revisions) {
            var record = Record()
            record.add("channel", .string(entry.channel.text))
            record.add("rev", revision)
            try await context.show(record, text: nil)
        }
    }
}

extension Put.Entry {
    fileprivate init(line: borrowing Envelope) throws(MessageError) {
        let condition = try line.revision(.if)
        self.init(
            channel: try line.channel(),
            value: condition == nil ? try line.requiredJSON(.value) : line.json(.value),
            condition: condition
        )
    }
}
