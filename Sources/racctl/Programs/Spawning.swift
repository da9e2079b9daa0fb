import CSpawn
import Glibc

/// Starts programs.
enum Spawning {
    /// Starts a program, looked for in PATH, with these descriptors as its standard files.
    ///
    /// It leads a process group of its own, gets no other descriptor, and has signals as they are by default.
    static func start(_ call: ProgramCall, standardFiles: [Int32]) throws(SystemFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, descriptor) in standardFiles.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, Int32(standardFiles.count))
        Self.resetSignals(&attributes)
        var words = call.words.map { strdup($0) } + [nil]
        var settings = Self.environment(with: call.environment).map { strdup($0) } + [nil]
        defer { for word in words + settings { free(word) } }
        var process: pid_t = 0
        let failure = posix_spawnp(&process, call.name, &actions, &attributes, &words, &settings)
        guard failure == 0 else { throw SystemFailure(number: failure) }
        return process
    }

    private static func resetSignals(_ attributes: inout posix_spawnattr_t) {
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    /// racctl's own environment with some variables set.
    private static func environment(with additions: [String: String]) -> [String] {
        var settings: [String] = []
        var place = environ
        while let setting = place.pointee {
            let text = String(cString: setting)
            let name = text.prefix { $0 != "=" }
            if additions[String(name)] == nil { settings.append(text) }
            place += 1
        }
        return settings + additions.map { "\($0)=\($1)" }
    }
}
