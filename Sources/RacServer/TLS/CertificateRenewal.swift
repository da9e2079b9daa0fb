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
    /// Whether the files that were read last wait until their certificate is valid.
    private var isPostponed = false

    init(_ stamp: Stamp) {
        self.known = stamp
    }

    /// Somebody has looked at the files, because it was time or because the operator asked.
    mutating func looked(_ stamp: Stamp, isAsked: Bool) -> OnLook {
        let isSteady = stamp == self.changed
        self.changed = stamp == self.known ? nil : stamp
        guard isAsked || isSteady || (self.isPostponed && self.changed == nil) else { return .nothing }
        if stamp != self.known { self.isPostponed = false }
        self.known = stamp
        self.changed = nil
        return .read
    }

    /// The certificate that was read is not valid yet: each look reads its files again, until they are taken or change.
    ///
    /// - Returns: Whether it is the first time for these files.
    mutating func postpone() -> Bool {
        defer { self.isPostponed = true }
        return !self.isPostponed
    }

    /// The files were taken, or will never be.
    mutating func settle() {
        self.isPostponed = false
    }
}
