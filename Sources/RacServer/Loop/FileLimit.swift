import Glibc

/// How many files, and so connections, the process may have open.
enum FileLimit {
    /// Files that are no connections: the database, listeners, the event loop, some to spare.
    private static let spare = 64

    /// Raises the limit as far as the system allows; tells how many of the wanted connections that leaves room for.
    static func raise(for connections: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return connections }
        let wanted = rlim_t(connections + Self.spare)
        if limit.rlim_cur < wanted {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return connections }
        }
        return min(connections, max(1, Int(clamping: limit.rlim_cur) - Self.spare))
    }
}
