import RacProtocol
import RacTesting
import Testing

/// Random uses of commands, for which the daemon says the same as a simple model.
@Suite struct CommandHistoryTests {
    @Test("In random histories hosts, callers and observers hear what the model predicts")
    func histories() throws {
        var random = SeededRandom.ofThisRun
        for _ in TestEffort.rounds(20) {
            var world = World()
            for step in 0..<200 {
                let deed = try world.act(&random)
                guard world.agrees() else {
                    Issue.record("step \(step), \(deed): \(world.difference), \(random.hint)")
                    break
                }
            }
        }
    }

    private struct World {
        private static let names = ["save", "load", "room/blink"]

        private let rig = Rig()
        private var clients: [Client]
        private var model = CommandModel()
        private(set) var difference = ""

        init() {
            let rig = self.rig
            self.clients = (0..<5).map { _ in rig.connect() }
        }

        /// Lets one client use a command at random; returns its message.
        mutating func act(_ random: inout SeededRandom) throws -> String {
            let index = Int.random(in: self.clients.indices, using: &random)
            let client = self.clients[index]
            let name = Self.names.randomElement(using: &random) ?? "save"
            let command = UInt64.random(in: 1...max(1, self.model.commandCount), using: &random)
            // One of the newest executions: older ones are over.
            let newest = self.model.runCount
            let run = UInt64.random(in: (newest > 6 ? newest - 6 : 0)...newest, using: &random)
            let isYes = random.once(in: 2)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<3:
                let isEnabled = !random.once(in: 4)
                self.model.host(name, by: index, concurrent: isYes, enabled: isEnabled)
                try client.host(name, concurrent: isYes, enabled: isEnabled)
                return "\(index) hosts \(name)"
            case 3 where random.once(in: 2):
                self.model.unhost(command, by: index)
                client.unhost(command)
                return "\(index) unhosts \(command)"
            case 3..<5:
                self.model.enable(command, isYes, by: index)
                client.enable(command, isYes)
                return "\(index) enables \(command): \(isYes)"
            case 5:
                self.model.observe(name, by: index)
                try client.observe(name)
                return "\(index) observes \(name)"
            case 6 where random.once(in: 2):
                self.model.unobserve(command, by: index)
                client.unobserve(command)
                return "\(index) unobserves \(command)"
            case 6..<11:
                self.model.exec(name, by: index)
                try client.exec(name)
                return "\(index) executes \(name)"
            case 11..<14:
                return self.everyone("say \(run)") {
                    $0.progress(run, "7", by: $1)
                } say: {
                    $0.progress(run, "7")
                }
            case 14..<17:
                let code = isYes ? "broken" : nil
                return self.everyone("settle \(run)") {
                    $0.settle(run, error: code, by: $1)
                } say: {
                    $0.settle(run, error: code)
                }
            case 17..<19:
                return self.everyone("cancel \(run)") {
                    $0.cancel(run, by: $1)
                } say: {
                    $0.cancel(run)
                }
            default:
                self.model.lose(index)
                if isYes { client.lose() } else { client.leave() }
                self.clients[index] = self.rig.connect()
                return "\(index) goes"
            }
        }

        /// Every client tries to use the commands of the others.
        private mutating func everyone(
            _ deed: String,
            model: (inout CommandModel, Int) -> Void,
            say: (Client) -> Void
        ) -> String {
            for index in self.clients.indices {
                model(&self.model, index)
                say(self.clients[index])
            }
            return "all \(deed)"
        }

        /// Whether every client has got the messages of the model.
        mutating func agrees() -> Bool {
            let told = self.model.takeTold()
            for index in self.clients.indices {
                let heard = self.clients[index].take().map(Self.withoutID)
                guard heard != told[index] ?? [] else { continue }
                self.difference = "\(index) heard \(heard), not \(told[index] ?? [])"
                return false
            }
            return true
        }

        /// Answers without the number of the request.
        private static func withoutID(_ brief: String) -> String {
            guard let space = brief.firstIndex(of: " "), Int(brief[..<space]) != nil else { return brief }
            return String(brief[brief.index(after: space)...])
        }
    }
}
