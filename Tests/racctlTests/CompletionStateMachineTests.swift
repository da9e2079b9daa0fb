import ArgumentParser
import Expectations
import Testing

@testable import racctl

@Suite struct CompletionStateMachineTests {
    private typealias Completion = CompletionStateMachine.Completion

    private static let catalog = CommandCatalog(Racctl._dumpHelp())

    /// The completion by the description that racctl asks the parser for, which is that by the whole one.
    private func completion(of words: String...) throws -> Completion {
        var machine = CompletionStateMachine(try #require(Self.catalog))
        let completion = machine.completion(of: words)
        var quick = CompletionStateMachine(try #require(Racctl.catalog(completing: words)))
        expect(quick.completion(of: words) == completion)
        return completion
    }

    private func words(_ completion: Completion) -> [String]? {
        guard case .words(let offers) = completion else { return nil }
        return offers.map(\.word)
    }

    @Test("Subcommands come with their abstracts, behind options too, and behind help")
    func subcommands() throws {
        expect(self.words(try self.completion(of: "wat")) == ["watch"])
        expect(self.words(try self.completion(of: "--server", "rac://h:1", "-ojson", "wai")) == ["wait"])
        expect(self.words(try self.completion(of: "help", "wai")) == ["wait"])
        guard case .words(let all) = try self.completion(of: "") else { return #expect(Bool(false)) }
        #expect(Set(Racctl.subcommandNames).subtracting(all.map(\.word)).isEmpty)
        // zsh shows a name and its meaning in one line of 80 columns.
        #expect(all.allSatisfy { !$0.abstract.isEmpty && $0.abstract.count < 60 })
    }

    @Test("Options are those of the subcommand, each once")
    func options() throws {
        expect(self.words(try self.completion(of: "set", "--if")) == ["--if-rev"])
        expect(self.words(try self.completion(of: "set", "--if-rev", "1", "x", "--if")) == [])
        expect(self.words(try self.completion(of: "txn", "--if-rev", "a=1", "--if")) == ["--if-rev"])
        expect(self.words(try self.completion(of: "--serv")) == ["--server"])
        expect(self.words(try self.completion(of: "set", "x", "--", "--if")) == [])
    }

    @Test("The value of an option has its own offers")
    func values() throws {
        let formats = ["text", "json", "yaml", "name", "value"]
        expect(self.words(try self.completion(of: "list", "-o", "")) == formats)
        expect(self.words(try self.completion(of: "-o", "j")) == ["json"])
        expect(self.words(try self.completion(of: "list", "--output=j")) == ["--output=json"])
        expect(self.words(try self.completion(of: "list", "-oj")) == ["-ojson"])
        expect(self.words(try self.completion(of: "get", "-s", "")) == [])
        expect(try self.completion(of: "txn", "--if-rev", "ro") == .names(.assignments, behind: "", prefix: "ro"))
    }

    @Test("Each argument has the names that belong there")
    func arguments() throws {
        expect(try self.completion(of: "set", "ro") == .names(.channels, behind: "", prefix: "ro"))
        let get = try self.completion(of: "-s", "h:1", "get", "--raw", "a", "b")
        expect(get == .names(.patterns, behind: "", prefix: "b"))
        let link = try self.completion(of: "link", "a", "--forward", "cat", "")
        expect(link == .names(.channels, behind: "", prefix: ""))
        expect(self.words(try self.completion(of: "link", "a", "b", "")) == [])
        for subcommand in ["exec", "observe", "provide", "commands"] {
            expect(try self.completion(of: subcommand, "ro") == .names(.commands, behind: "", prefix: "ro"))
        }
        expect(try self.completion(of: "delete", "--command", "ro") == .names(.commands, behind: "", prefix: "ro"))
        expect(try self.completion(of: "txn", "a=1", "b") == .names(.assignments, behind: "", prefix: "b"))
        expect(self.words(try self.completion(of: "wait", "x", "e")) == ["exists", "ended"])
    }

    @Test("Contexts and what is done with them are offered, and files for tokens")
    func contexts() throws {
        let names = Completion.names(.contexts, behind: "", prefix: "la")
        expect(try self.completion(of: "get", "--context", "la") == names)
        expect(try self.completion(of: "--context=la") == .names(.contexts, behind: "--context=", prefix: "la"))
        expect(self.words(try self.completion(of: "context", "")) == ["add", "use", "list", "remove"])
        expect(try self.completion(of: "context", "use", "la") == names)
        for words in [["get", "--token-file", "la"], ["context", "add", "lab", "--token-file", "la"]] {
            var machine = CompletionStateMachine(try #require(Self.catalog))
            expect(machine.completion(of: words) == .files(behind: "", prefix: "la"))
        }
        // The options of the subcommands that talk to racd stay those that stand before a subcommand.
        expect(self.words(try self.completion(of: "--time")) == ["--timeout"])
        expect(self.words(try self.completion(of: "--cont")) == ["--context"])
    }

    @Test("Files are offered where a file is meant, and a program has its own completion")
    func files() throws {
        expect(try self.completion(of: "import", "du") == .files(behind: "", prefix: "du"))
        expect(try self.completion(of: "set", "x", "@du") == .files(behind: "@", prefix: "du"))
        expect(self.words(try self.completion(of: "set", "x", "")) == [])
        expect(try self.completion(of: "bind", "x", "--", "gi") == .program(at: 3))
        expect(try self.completion(of: "provide", "x", "--", "git", "--he") == .program(at: 3))
        expect(try self.completion(of: "watch", "x", "--exec", "git", "--he") == .program(at: 3))
    }

    @Test("A name that would be an option, or has signs that nobody sees, is not offered")
    func allowed() throws {
        var machine = CompletionStateMachine(try #require(Self.catalog))
        _ = machine.completion(of: ["get", ""])
        #expect(machine.isAllowed("a", behind: "") && !machine.isAllowed("-a", behind: ""))
        #expect(!machine.isAllowed("a\u{202E}", behind: ""))
        _ = machine.completion(of: ["get", "--", ""])
        #expect(machine.isAllowed("-a", behind: ""))
    }

    @Test("Values of any option before the subcommand are passed")
    func before() throws {
        expect(self.words(try self.completion(of: "-n", "5", "--once", "wat")) == ["watch"])
    }

    @Test("A line that makes no sense has no completions")
    func nonsense() throws {
        expect(self.words(try self.completion(of: "nosuch", "x", "zz")) == [])
        expect(self.words(try self.completion(of: "list", "--nosuch=")) == [])
        expect(self.words(try self.completion(of: "get", "--", "-")) == nil)
    }
}
