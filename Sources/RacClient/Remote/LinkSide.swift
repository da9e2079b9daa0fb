import NIOCore
import Rac
import RacProtocol

/// One side of a link: passes the changes of its channel on to the other side.
///
/// A change is passed on under the revision that it began with. A change that began with a write of this program waits until
/// the daemon has given it a revision. All state is used on the client's event loop. Semantics: protocol.md, "Links".
final class LinkSide {
    /// The pause before it passes on again a value that the daemon could not store; each further pause is twice as long.
    static let firstPause = TimeAmount.seconds(1)
    /// The longest pause.
    static let longestPause = TimeAmount.seconds(30)

    private let map: @Sendable (JSONText) throws -> JSONText
    private weak var other: LinkSide?
    private var owner: LinkCore?
    private(set) var binding: RemoteBinding?
    /// The channel's value, with the change that it began with; a write of this program has no root yet.
    private var newest: (value: JSONText, root: Revision?)?
    private(set) var isReported = false
    /// A change that waits for the other side to be attached.
    private var kept: (value: JSONText, root: Revision)?
    /// The newest change that was mapped, and the result; nil if the map failed.
    private var mapped: (value: JSONText, root: Revision, made: JSONText?)?
    /// The task that passes on again a refused value.
    private var retry: Scheduled<Void>?
    private var pause = GrowingPause(from: LinkSide.firstPause, upTo: LinkSide.longestPause)
    private let eventLoop: any EventLoop

    init(
        _ map: @escaping @Sendable (JSONText) throws -> JSONText,
        owner: LinkCore,
        on eventLoop: any EventLoop
    ) {
        self.map = map
        self.eventLoop = eventLoop
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
        self.retry?.cancel()
        binding?.remove(self)
    }

    /// Passes a change of this side on to the other side.
    private func pass(_ value: JSONText, root: Revision) {
        guard let other = self.other, other.binding != nil else {
            self.kept = (value, root)
            return
        }
        guard let made = self.made(of: value, root: root) else { return }
        do {
            try other.write(made, cause: root)
        } catch {
            self.failed(error)
        }
    }

    /// Maps a change, once, however often that change is passed on.
    private func made(of value: JSONText, root: Revision) -> JSONText? {
        if let mapped = self.mapped, mapped.value == value, mapped.root == root { return mapped.made }
        var made: JSONText?
        do {
            made = try self.map(value)
        } catch {
            self.failed(error as? ClientError ?? ClientError(.badValue, "a link's map failed: \(error)", cause: error))
        }
        self.mapped = (value, root, made)
        return made
    }

    private func write(_ value: JSONText, cause: Revision) throws(ClientError) {
        // A write that changes nothing was already answered with the standing value.
        guard let binding = self.binding, try binding.write(value, cause: cause, from: self) != nil else { return }
        self.newest = (value, cause)
    }

    /// The other side is attached now.
    func passKept() {
        guard let kept = self.kept else { return }
        self.kept = nil
        self.pass(kept.value, root: kept.root)
    }
}

@available(*, unavailable)
extension LinkSide: Sendable {}

extension LinkSide: RemoteView {
    var replays: Bool { false }

    func show(_ value: JSONText, tag: ChangeTag, at revision: Revision?) {
        let root = tag.root ?? revision
        // Maps that do not undo each other would answer each other forever.
        if let root, let newest = self.newest, newest == (value, root) { return }
        self.newest = (value, root)
        self.pause.reset()
        if let root { self.pass(value, root: root) }
    }

    /// Passes on the same text from a newer change too: a change between the two must not win elsewhere.
    func stands(at revision: Revision, from root: Revision) {
        guard let newest = self.newest, newest.root ?? .never < root else { return }
        self.newest = (newest.value, root)
        self.pass(newest.value, root: root)
    }

    /// The value is the oldest one now: it gives way to each value of the daemon, and goes where there is none.
    func forgetRoots() {
        if let newest = self.newest, newest.root != nil { self.newest = (newest.value, .first) }
        if let kept = self.kept { self.kept = (kept.value, .first) }
        if let mapped = self.mapped { self.mapped = (mapped.value, .first, mapped.made) }
    }

    func reported() {
        self.isReported = true
        self.owner?.reported(self)
        guard self.binding != nil else { return }
        // The daemon may have lost on one side the value that it has on the other.
        self.passNewest()
        self.other?.passNewest()
    }

    private func passNewest() {
        guard let newest = self.newest, let root = newest.root else { return }
        self.pass(newest.value, root: root)
    }

    func becameLive(_ isLive: Bool) {}

    func failed(_ error: ClientError) {
        self.owner?.failed(error)
        // The disk may recover long before the next change; until then the two channels would differ.
        if error.code == .storage { self.other?.passLater() }
    }

    private func passLater() {
        guard self.retry == nil, self.binding != nil else { return }
        self.retry = self.eventLoop.assumeIsolated().scheduleTask(in: self.pause.grow()) { [weak self] in
            guard let self else { return }
            self.retry = nil
            self.passNewest()
        }
    }

    func ended(_ ending: Ending<ClientError>) {
        self.owner?.ended(ending, of: self)
    }
}
