import Observation
import RacClient
import RacTestKit
import Testing

struct Job: Codable, Sendable {
    var pages: Int
    var isUrgent = false
}

enum PrinterError: Error {
    case noPaper
}

@MainActor
@Observable
final class PrintButton {
    var title = ""
    var isEnabled = false
}

/// The examples of the guide "Commands of other programs".
@Suite(.timeLimit(.minutes(5))) struct CommandGuideTests {
    @Test("A hosted command runs for its caller, with progress")
    func progress() async throws {
        let client = Client.inMemory()
        let print = Command<Job, Double, PrinterError> { job, progress async throws(PrinterError) in
            guard job.pages < 100 else { throw PrinterError.noPaper }
            for page in 1...job.pages { progress(Double(page) / Double(job.pages)) }
        }
        try client.host("office/print", print) { _ in ClientError("no-paper", "the tray is empty") }

        let remote = try client.command("office/print", as: Job.self, returning: Double.self)
        try await remote.whenEnabled(timeout: .seconds(100))
        let done = try await remote.run(Job(pages: 2), timeout: .seconds(100))
        #expect(done == 1)

        try await remote.whenEnabled()
        let progress = remote.values.onValue { Swift.print("\(Int($0 * 100)) %") }
        defer { progress.dispose() }
        try await remote.run(Job(pages: 4), timeout: .seconds(100))

        try await remote.whenEnabled()
        let execution = remote.execute(Job(pages: 4))
        for try await fraction in execution.signal.values { Swift.print("\(Int(fraction * 100)) %") }

        var seen: ClientError.Code?
        do {
            try await remote.whenEnabled(timeout: .seconds(100))
            try await remote.run(Job(pages: 200), timeout: .seconds(100))
        } catch {
            seen = error.code
            switch error.code {
            case "no-paper": Swift.print(error.message)
            case .notEnabled: Swift.print("another program was faster")
            case .timedOut: Swift.print("the printer took too long and was cancelled")
            default: Swift.print("\(error)")
            }
        }
        #expect(seen == "no-paper")
        await client.close()
    }

    @Test("A hosted function is called from another program")
    func square() async throws {
        let client = Client.inMemory()
        let square = Command { (number: Int) async throws -> Int in number * number }
        try client.host("square", square)

        let remote = try client.command("square", as: Int.self, returning: Int.self)
        try await remote.whenEnabled(timeout: .seconds(100))
        let nine: Int = try await remote.call(3)
        #expect(nine == 9)
        try client.host("nothing", Command<Int, Int, Never> { _ in .empty })
        let nothing = try client.command("nothing", as: Int.self, returning: Int.self)
        try await nothing.whenEnabled(timeout: .seconds(100))
        #expect(await #expect(throws: ClientError.self) { try await nothing.call(1) }?.code == .terminated)
        await client.close()
    }

    @Test("A program that comes second sees that at once, and may give up")
    func onlyHost() async throws {
        let daemon = TestDaemon()
        let (first, client) = (daemon.client(), daemon.client())
        let other = try first.host("office/staple", Command<Int, Void, Never> { _ in .empty })
        while !other.isHosted.value { await Task.yield() }

        let hosted = try client.host("office/staple", Command<Int, Void, Never> { _ in .empty })
        try await client.ping()
        if hosted.problem.value?.code == .alreadyHosted { hosted.dispose() }

        #expect(hosted.isDisposed)
        for try await _ in hosted.ended.values {}
        #expect(other.isHosted.value && hosted.problem.value == nil)
        await first.close()
        await client.close()
        await daemon.stop()
    }

    @Test("A button and a text show no moment in which a command that runs is neither enabled nor executing")
    @MainActor func button() async throws {
        let client = Client.inMemory()
        try client.host("office/print", Command<Void, Void, Never> { () async in })
        let remote = try client.command("office/print")
        try await remote.whenEnabled()
        let button = PrintButton()
        let titles = Recorder(ChannelTerminal(of: button, \.title))

        remote.isExecuting.map { $0 ? "printing…" : "print" }.bind(to: button, \.title)
        remote.isEnabled.bind(to: button, \.isEnabled)

        let text = combineLatest(remote.isExecuting, remote.isEnabled) { isExecuting, isEnabled in
            isExecuting ? "printing…" : isEnabled ? "print" : "not available"
        }
        let shown = text.signal.debounce(for: .milliseconds(100), on: .main) { $0 == "not available" }

        let (texts, shownTexts) = (Recorder(text), Recorder(shown))
        try await remote.run()
        try await texts.wait { $0.values.contains("printing…") && $0.values.last == "print" }
        while button.title != "print" || !button.isEnabled { await Task.yield() }
        #expect(texts.values.contains("not available") && !titles.values.contains("not available"))
        try await shownTexts.wait { $0.values.last == "print" }
        await client.close()
    }

    @Test("Commands without an input or an output, buttons and cancelling")
    func others() async throws {
        let client = Client.inMemory()
        let restarts = Property(0)
        try client.host("office/restart", Command<Void, Void, Never> { () async in restarts.modify { $0 += 1 } })
        try client.host("office/wait", Command<Int, Void, Never>(allowsConcurrentExecution: true) { _ in .never })

        let restart = try client.command("office/restart")
        try await restart.whenEnabled()
        try await restart.run()
        #expect(restarts.value == 1)

        let wait = try client.command("office/wait", as: Int.self)
        try await wait.whenEnabled()
        let execution = wait.execute(1)
        execution.cancel()

        let seconds = Subject<Int, Never>()
        wait <~ seconds
        seconds.send(2)
        while !wait.isExecuting.value { await Task.yield() }
        #expect(wait.isEnabled.value)
        await client.close()
    }
}
