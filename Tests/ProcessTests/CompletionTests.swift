import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct CompletionTests {
    /// The offers of bash for a line, with the script that racctl writes for it.
    private func offered(_ line: String, _ server: String, in workplace: Workplace) async throws -> Ended {
        let script = """
            racctl() { '\(Program.path(of: "racctl"))' "$@"; }
            source <(racctl --generate-completion-script bash)
            COMP_LINE='\(line)'
            COMP_POINT=${#COMP_LINE}
            read -ra COMP_WORDS <<<"$COMP_LINE"
            if [[ "$COMP_LINE" == *" " ]]; then COMP_WORDS+=(''); fi
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _racctl racctl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            for word in "${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done
            """
        let environment = ["RACD_SERVER": server]
        return try await workplace.start("/bin/bash", ["-c", script], environment: environment).ended()
    }

    /// The lines give time to a daemon on a machine that stands still for a moment.
    @Test("bash offers the names of channels that are there, and runs nothing that stands in one")
    func names() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let trap = workplace.path("trap")
            let odd = "room/$(touch \(trap.replacing("/", with: "%")))`touch x`"
            try await daemon.succeed("txn", "room/volume=1", "room/volume2=1", "lärm=1", "room/Quiet hour=1")
            try await daemon.succeed("set", odd, "1")
            let all = ["lärm", odd, "room/Quiet hour", "room/volume", "room/volume2"]
            #expect(try await self.offered("racctl get --timeout 60 ", daemon.url, in: workplace).output == all)
            #expect(
                try await self.offered("racctl set --timeout 60 room/", daemon.url, in: workplace).output
                    == Array(all[1...])
            )
            #expect(
                try await self.offered("racctl bind --timeout 60 room/volume", daemon.url, in: workplace).output
                    == Array(all[3...])
            )
            #expect(
                try await self.offered("racctl link --timeout 60 lärm room/volume2", daemon.url, in: workplace).output
                    == ["room/volume2"]
            )
            let figures = try await self.offered("racctl watch --timeout 60 $sys/con", daemon.url, in: workplace)
            #expect(figures == Ended(status: 0, output: ["$sys/connections"], errors: []))
        }
    }

    @Test("bash offers the names of commands")
    func commands() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let provider = try daemon.start("provide", "room/blink", "--", "true")
            let observer = try daemon.start("observe", "room/blink")
            while let state = await observer.output.next(), state != "enabled" {}
            for line in ["exec", "observe", "provide"].map({ "racctl \($0) --timeout 60 room/" }) {
                #expect(try await self.offered(line, daemon.url, in: workplace).output == ["room/blink"])
            }
            let whole = "racctl exec --timeout 60 room/blink"
            #expect(try await self.offered(whole, daemon.url, in: workplace).output == ["room/blink"])
            provider.signal(SIGINT)
            _ = await provider.ended()
        }
    }

    @Test("Without a daemon nothing is offered, and nothing is said")
    func noDaemon() async throws {
        try await Workplace.with { workplace in
            for server in ["unix:\(workplace.path("nothing"))", "nonsense"] {
                let ended = try await self.offered("racctl get ", server, in: workplace)
                #expect(ended == Ended(status: 0, output: [], errors: []))
            }
        }
    }

    @Test("racctl writes scripts for three shells", arguments: ["bash", "zsh", "fish"])
    func scripts(shell: String) async throws {
        try await Workplace.with { workplace in
            let racctl = Program.path(of: "racctl")
            let ended = try await workplace.start(racctl, ["--generate-completion-script", shell]).ended()
            #expect(ended.status == 0)
            #expect(ended.output.contains { $0.contains("---completion") })
        }
    }
}
