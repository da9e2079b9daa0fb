import Glibc

/// The limit of files, and so of sockets, that the process may have open.
enum FileLimit {
    /// Files other than sockets of clients: the database, the listeners, what is read meanwhile, and some to spare.
    private static let own = 28

    /// Files of one event loop.
    private static let perThread = 6

    /// Refused clients take one of so many files of a short limit.
    private static let shareOfRefused = 16
    private static let fewestRefused = 4

    /// Raises the limit as far as the system allows; returns how many of the wanted connections fit.
    static func raise(for connections: Int, threads: Int = 1) -> Admission.Room {
        let own = Self.own + Self.perThread * threads
        let wanted = Admission.Room(connections: connections, refused: Admission.refusedCount)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
        let files = rlim_t(connections + wanted.refused + own)
        if limit.rlim_cur < files {
            limit.rlim_cur = min(files, limit.rlim_max)
            guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
        }
        return Self.room(for: connections, in: Int(clamping: limit.rlim_cur) - own)
    }

    /// Divides files among the sockets of connections and those of refused clients.
    static func room(for connections: Int, in files: Int) -> Admission.Room {
        let refused = min(Admission.refusedCount, max(Self.fewestRefused, files / Self.shareOfRefused))
        return Admission.Room(connections: min(connections, max(1, files - refused)), refused: refused)
    }
}
