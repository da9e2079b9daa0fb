import Glibc

/// How many files, and so connections, the process may have open.
enum FileLimit {
    /// Files that are no connections: the database, listeners, some to spare.
    private static let spare = 60

    /// Those of one event loop.
    private static let perThread = 5

    /// Raises the limit as far as the system allows; tells how many of the wanted connections that leaves room for.
    static func raise(for connections: Int, threads: Int = 1) -> Int {
        let spare = Self.spare + Self.perThread * threads
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return connections }
        let wanted = rlim_t(connections + spare)
        if limit.rlim_cur < wanted {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return connections }
        }
        return min(connections, max(1, Int(clamping: limit.rlim_cur) - spare))
    }
}
