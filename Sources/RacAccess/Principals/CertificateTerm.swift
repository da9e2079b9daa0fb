import Synchronization

/// The time for which a client's certificate stands for it where the client does not show it again: in a session of a page.
package struct CertificateTerm: Sendable {
    /// The end of the certificate, in milliseconds since 1970 UTC.
    package let end: Int64
    /// The authorities of which one has signed it.
    package let authorities: ClientAuthorities

    package init(end: Int64, authorities: ClientAuthorities) {
        self.end = end
        self.authorities = authorities
    }

    func holds(at time: Int64) -> Bool { time < self.end && self.authorities.areTrusted }
}

/// The authorities that an address trusts to sign the certificates of clients, until it trusts one of them no more.
///
/// Isolation: any thread.
package final class ClientAuthorities: Sendable {
    private let areGone = Atomic(false)

    package init() {}

    package var areTrusted: Bool { !self.areGone.load(ordering: .acquiring) }

    /// The address trusts one of them no more.
    package func end() {
        self.areGone.store(true, ordering: .releasing)
    }
}
