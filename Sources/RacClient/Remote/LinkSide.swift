import NIOCore
import Rac
import RacProtocol

/// What passes the changes of one channel on to another one.
///
/// A change goes on under the revision that it began with, so one that a write of this program began waits until the
/// daemon has given it one. All state is used on the client's event loop. Semantics: protocol.md, "Links".
final class LinkSide {
    private let map: @Sendable (JSONText) throws -> JSONText
    private weak var other: LinkSide?
    private var owner: LinkCore?
    private(set) var binding: RemoteBinding?
    /// A write of this program that has no revision yet.
    private var unnamed: JSONText?
    private(set) var isReported = false
    /// What has come and not gone on, because the other side is not there yet.
    private var kept: (value: JSONText, root: Revision)?

    init(_ map: @escaping @Sendable (JSONText) throws -> JSONText, owner: LinkCore) {
        self.map = map
        self.owner = owner
    }

    func join(_ other: LinkSide) {
        self.other = other
    }

    func attach(_ binding: RemoteBinding) {
        self.binding = binding
        binding.add(self)
    }

    func detach() {
        let binding = self.binding
        self.binding = nil
        self.owner = nil
        binding?.remove(self)
    }

    /// Passes on what the other side has.
    private func pass(_ value: JSONText, root: Revision) {
        guard let other = self.other, other.binding != nil else {
            self.kept = (value, root)
            return
        }
        do {
            try other.write(self.map(value), cause: root)
        } catch {
            self.failed(error as? ClientError ?? ClientError(.badValue, "a link's map failed: \(error)", cause: error))
        }
    }

    private func write(_ value: JSONText, cause: Revision) throws(ClientError) {
        self.unnamed = nil
        try self.binding?.write(value, cause: cause, from: self)
    }

    /// The other side is there.
    func passKept() {
        guard let kept = self.kept else { return }
        self.kept = nil
        self.pass(kept.value, root: kept.root)
    }
}

@available(*, unavailable)
extension LinkSide: Sendable {}

extension LinkSide: RemoteView {
    func show(_ value: JSONText, tag: ChangeTag, at revision: Revision?) {
        self.unnamed = nil
        if let root = tag.root ?? revision { self.pass(value, root: root) } else { self.unnamed = value }
    }

    func stands(at revision: Revision) {
        guard let value = self.unnamed else { return }
        self.unnamed = nil
        self.pass(value, root: revision)
    }

    func reported() {
        self.isReported = true
    }

    func becameLive(_ isLive: Bool) {}

    func failed(_ error: ClientError) {
        self.owner?.failed(error)
    }

    func ended(_ ending: Ending<ClientError>) {
        self.owner?.ended(ending, of: self)
    }
}
