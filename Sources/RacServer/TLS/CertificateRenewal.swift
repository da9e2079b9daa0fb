/// Decides when the files of a certificate are read again.
///
/// Programs that renew certificates write one file after the other. So changed files are read only when two looks in a row
/// have found the same change, unless somebody asks for it.
struct CertificateRenewal: Sendable {
    /// The identities and times of the files, as one look finds them.
    struct Stamp: Hashable, Sendable {
        var files: [File?]
    }

    /// A file as the system describes it.
    struct File: Hashable, Sendable {
        var device: UInt64
        var number: UInt64
        var bytes: Int64
        /// The time at which its bytes, its rights or its owner changed last.
        var seconds: Int
        var nanoseconds: Int
    }

    enum OnLook: Equatable {
        case nothing
        case read
    }

    /// The files that were read last, whether they were good or not.
    private var known: Stamp
    /// A change that one look has found.
    private var changed: Stamp?
    /// The reason for which the files that were read last could not be taken, and are read at each look; nil if there is none.
    private var obstacle: String?
    /// Whether files were refused since some were taken.
    private var hasRefused = false

    init(_ stamp: Stamp) {
        self.known = stamp
    }

    /// Somebody has looked at the files, because it was time or because the operator asked.
    mutating func looked(_ stamp: Stamp, isAsked: Bool) -> OnLook {
        let isSteady = stamp == self.changed
        self.changed = stamp == self.known ? nil : stamp
        guard isAsked || isSteady || (self.obstacle != nil && self.changed == nil) else { return .nothing }
        if stamp != self.known { self.obstacle = nil }
        self.known = stamp
        self.changed = nil
        return .read
    }

    /// The files could not be taken for a reason that may pass: each look reads them again, until they are taken or change.
    ///
    /// - Returns: Whether the reason is new for these files.
    mutating func postpone(because obstacle: String) -> Bool {
        self.hasRefused = true
        defer { self.obstacle = obstacle }
        return self.obstacle != obstacle
    }

    /// The files will never be taken.
    mutating func refuse() {
        self.hasRefused = true
        self.obstacle = nil
    }

    /// The files were taken.
    ///
    /// - Returns: Whether others were refused before.
    mutating func settle() -> Bool {
        self.obstacle = nil
        defer { self.hasRefused = false }
        return self.hasRefused
    }
}
