import Glibc

/// The limit of files, and so of connections, that the process may have open.
enum FileLimit {
    /// Files other than connections: the database, the listeners, some to spare.
    private static let spare = 60

    /// Files of one event loop.
    private static let perThread = 6

    /// Raises the limit as far as the system allows; returns how many of the wanted connections fit.
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
