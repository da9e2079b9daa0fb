import RacProtocol

/// The daemon's messages about commands and their order, written a second time as simply as possible.
struct CommandModel {
    private struct Run {
        var caller: Int?
        var isCancelled = false
    }

    private struct Command {
        let number: UInt64
        var host: Int?
        var wasHosted = false
        var isWilling = true
        var isConcurrent = false
        var observers: [Int] = []
        var runs: [UInt64: Run] = [:]

        var isEnabled: Bool { self.host != nil && self.isWilling && (self.isConcurrent || self.runs.isEmpty) }
        var state: String { (self.isEnabled ? "enabled" : "disabled") + (self.runs.isEmpty ? " idle" : " executing") }
    }

    private var commands: [String: Command] = [:]
    private var lastCommand: UInt64 = 0
    private var lastRun: UInt64 = 0

    /// The messages to each client, by its place.
    private(set) var told: [Int: [String]] = [:]

    mutating func takeTold() -> [Int: [String]] {
        defer { self.told = [:] }
        return self.told
    }

    private mutating func tell(_ client: Int?, _ words: String) {
        if let client { self.told[client, default: []].append(words) }
    }

    private mutating func make(_ name: String) -> Command {
        if let command = self.commands[name] { return command }
        self.lastCommand += 1
        return Command(number: self.lastCommand)
    }

    /// Puts a changed command back, and notifies its observers of the difference.
    private mutating func put(_ command: Command, _ name: String, before: String?) {
        self.commands[name] = command
        guard command.state != before else { return }
        for observer in command.observers { self.tell(observer, "c\(command.number) \(command.state)") }
    }

    private mutating func forgetIfUnused(_ name: String) {
        guard let command = self.commands[name], !command.wasHosted, command.observers.isEmpty else { return }
        self.commands[name] = nil
    }

    private func name(of number: UInt64) -> String? {
        self.commands.first { $0.value.number == number }?.key
    }
}

// MARK: What clients say

extension CommandModel {
    mutating func host(_ name: String, by client: Int, concurrent: Bool, enabled: Bool) {
        guard self.commands[name]?.host == nil else { return self.tell(client, "refused already-hosted") }
        var command = self.make(name)
        let before = command.state
        command.host = client
        command.wasHosted = true
        command.isWilling = enabled
        command.isConcurrent = concurrent
        self.tell(client, "hosting c\(command.number)")
        self.put(command, name, before: before)
    }

    mutating func unhost(_ number: UInt64, by client: Int) {
        guard let name = self.name(of: number), self.commands[name]?.host == client else {
            return self.tell(client, "refused not-bound")
        }
        self.loseHost(name)
        self.tell(client, "done")
    }

    private mutating func loseHost(_ name: String) {
        guard var command = self.commands[name] else { return }
        let runs = command.runs.sorted { $0.key < $1.key }
        for (number, run) in runs { self.tellObservers(of: command, number, run, "error host-lost") }
        command.runs = [:]
        command.host = nil
        // Observers are notified that a host goes, even if the state stays.
        self.put(command, name, before: nil)
        for (number, run) in runs { self.tell(run.caller, "x\(number) error host-lost") }
    }

    private mutating func tellObservers(of command: Command, _ number: UInt64, _ run: Run, _ how: String) {
        guard how.hasPrefix("error"), run.caller != nil, !run.isCancelled else { return }
        for observer in command.observers { self.tell(observer, "c\(command.number) x\(number) \(how)") }
    }

    mutating func enable(_ number: UInt64, _ isEnabled: Bool, by client: Int) {
        guard let name = self.name(of: number), var command = self.commands[name], command.host == client else {
            return
        }
        let before = command.state
        command.isWilling = isEnabled
        self.put(command, name, before: before)
    }

    mutating func observe(_ name: String, by client: Int) {
        var command = self.make(name)
        guard !command.observers.contains(client) else { return self.tell(client, "refused already-bound") }
        command.observers.append(client)
        self.tell(client, "observing c\(command.number) \(command.state)")
        self.commands[name] = command
    }

    mutating func unobserve(_ number: UInt64, by client: Int) {
        guard let name = self.name(of: number), self.commands[name]?.observers.contains(client) == true else {
            return self.tell(client, "refused not-bound")
        }
        self.commands[name]?.observers.removeAll { $0 == client }
        self.forgetIfUnused(name)
        self.tell(client, "done")
    }

    mutating func exec(_ name: String, by client: Int) {
        guard var command = self.commands[name], command.wasHosted else {
            return self.tell(client, "refused no-such-command")
        }
        guard command.host != nil else { return self.tell(client, "refused not-hosted") }
        guard command.isEnabled else { return self.tell(client, "refused not-enabled") }
        let before = command.state
        self.lastRun += 1
        command.runs[self.lastRun] = Run(caller: client)
        self.put(command, name, before: before)
        self.tell(client, "executing x\(self.lastRun)")
        self.tell(command.host, "execute c\(command.number) x\(self.lastRun)")
    }

    /// The number of executions so far.
    var runCount: UInt64 { self.lastRun }

    /// The number of commands so far.
    var commandCount: UInt64 { self.lastCommand }

    private func name(running number: UInt64) -> String? {
        self.commands.first { $0.value.runs[number] != nil }?.key
    }

    mutating func progress(_ number: UInt64, _ value: String, by client: Int) {
        guard let name = self.name(running: number), let command = self.commands[name], command.host == client,
            let run = command.runs[number], !run.isCancelled
        else { return }
        self.tell(run.caller, "x\(number) next \(value)")
    }

    mutating func settle(_ number: UInt64, error code: String?, by client: Int) {
        guard let name = self.name(running: number), var command = self.commands[name], command.host == client,
            let run = command.runs[number]
        else { return }
        let before = command.state
        let how = code.map { "error \($0)" } ?? "completed"
        self.tellObservers(of: command, number, run, how)
        command.runs[number] = nil
        self.put(command, name, before: before)
        self.tell(run.caller, "x\(number) \(how)")
    }

    mutating func cancel(_ number: UInt64, by client: Int) {
        guard let name = self.name(running: number), self.commands[name]?.runs[number]?.caller == client else { return }
        self.cancelOnce(number, of: name)
    }

    private mutating func cancelOnce(_ number: UInt64, of name: String) {
        guard self.commands[name]?.runs[number]?.isCancelled == false else { return }
        self.commands[name]?.runs[number]?.isCancelled = true
        self.tell(self.commands[name]?.host, "cancel x\(number)")
    }

    /// A client's connection is lost.
    mutating func lose(_ client: Int) {
        for (name, command) in self.commands.sorted(by: { $0.value.number < $1.value.number })
        where command.host == client {
            self.loseHost(name)
        }
        let calls = self.commands.flatMap { name, command in
            command.runs.filter { $0.value.caller == client }.map { (number: $0.key, name: name) }
        }
        for call in calls.sorted(by: { $0.number < $1.number }) {
            self.cancelOnce(call.number, of: call.name)
            self.commands[call.name]?.runs[call.number]?.caller = nil
        }
        for name in Array(self.commands.keys) {
            self.commands[name]?.observers.removeAll { $0 == client }
            self.forgetIfUnused(name)
        }
        self.told[client] = nil
    }
}
