import Expectations
import RacTesting
import Testing

@testable import Rac

/// A mirror and what its maker hears.
private final class Mirror: Sendable {
    let sent: Log<Change<Int>>
    let ends: Log<Ending<TestFailure>>
    let core: MirrorCore<Int, TestFailure>
    private let waiting = Log<@Sendable () -> Void>()

    init(_ kind: MirrorCore<Int, TestFailure>.Kind = .property) {
        let sent = Log<Change<Int>>()
        self.sent = sent
        self.ends = Log()
        self.core = MirrorCore(kind) { if !$0.isRenewal { sent.append($0) } }
    }

    var terminal: ChannelTerminal<Int, TestFailure> {
        self.core.terminal(
            Remoteness(whenReported: { [waiting] in waiting.append($0) }, isStanding: { false }, holder: self),
            end: { [ends] in ends.append($0) }
        )
    }

    func report() {
        for wake in self.waiting.entries { wake() }
    }
}

@Suite struct MirrorCoreTests {
    @Test("Bindings that begin at an unchanged property do not lengthen the trail of its change")
    func trail() {
        let property = Property(1)
        let others = (0..<100).map { _ in Property(0) }
        for other in others { other <~> property }
        var (length, step) = (0, property.core.kept?.trail)
        while let here = step { (length, step) = (length + 1, here.before) }
        expect(length == 1)
        #expect(others.allSatisfy { $0.value == 1 })
    }

    @Test("A terminal's value reaches every other one and the maker, and a shown value reaches the terminals only")
    func property() {
        let mirror = Mirror()
        let (one, two) = (mirror.terminal, mirror.terminal)
        let (first, second) = (Recorder(one), Recorder(two))
        one.send(1)
        #expect(mirror.core.show(2, tag: 7, ifStillRanked: mirror.sent.entries[0].rank) != nil)
        expect(first.values == [2])
        expect(second.values == [1, 2])
        expect(mirror.sent.entries.map(\.value) == [1])
        expect(mirror.core.value == 2)
    }

    @Test("A value from elsewhere is not shown over a newer change of this program")
    func crossing() throws {
        let mirror = Mirror()
        let rank = try #require(mirror.core.show(1, tag: 0, ifStillRanked: 0))
        mirror.core.send(2)
        expect(mirror.core.show(3, tag: 0, ifStillRanked: rank) == nil)
        expect(mirror.core.value == 2)
    }

    @Test("Maps and bindings keep a change's tag, a program's own value has none, and what wins at the start has none")
    func tags() throws {
        let (source, target) = (Mirror(), Mirror())
        let property = Property(0)
        bind(property.terminal(), to: source.terminal)
        bind(target.terminal, to: property.terminal())
        _ = source.core.show(1, tag: 7, ifStillRanked: 0)
        property.value = 2
        expect(target.sent.entries.map(\.value) == [0, 1, 2])
        expect(target.sent.entries.map(\.tag) == [0, 7, 0])
        let late = Mirror()
        bind(late.terminal, to: property.terminal())
        source.core.send(3, tag: 8)
        let later = Mirror()
        bind(later.terminal, to: property.terminal())
        expect(late.sent.entries.map(\.tag) == [0, 8])
        expect(later.sent.entries.map(\.tag) == [0])
    }

    @Test("A side delivers what comes from elsewhere, and a value sent into it goes out only")
    func sides() {
        let (leading, following) = (Mirror(.leading), Mirror(.following))
        for mirror in [leading, following] {
            mirror.terminal.send(1)
            _ = mirror.core.show(2, tag: 0, ifStillRanked: 0)
            expect(mirror.sent.entries.map(\.value) == [1])
        }
        expect(Recorder(leading.terminal).values == [])
        expect(Recorder(following.terminal).values == [2])
    }

    @Test("Two far sides are bound when both are known, and then the right one wins")
    func farSides() {
        let (left, right) = (Mirror(), Mirror())
        bind(left.terminal, to: right.terminal)
        _ = left.core.show(1, tag: 1, ifStillRanked: 0)
        _ = right.core.show(2, tag: 2, ifStillRanked: 0)
        left.report()
        #expect(left.sent.entries.isEmpty)
        right.report()
        expect(left.sent.entries.map(\.value) == [2])
        #expect(right.sent.entries.isEmpty)
    }

    @Test("binding-11 A property that goes ends a far side that it is bound to end, and no other one")
    func ownerGone() {
        let mirror = Mirror()
        for isLeft in [true, false] {
            let property = Property(0)
            if isLeft { property.terminal() <~> mirror.terminal } else { mirror.terminal <~> property.terminal() }
        }
        #expect(mirror.ends.entries.isEmpty)
        expect(mirror.core.observerCount == 1)
        var owner: Property<Int>? = Property(0)
        owner.map { _ = bind(mirror.terminal, to: $0.terminal(), endsWithOwner: true) }
        owner = nil
        expect(mirror.ends.entries.count == 1)
    }

    @Test("A mirror is held by its observers and bindings, and by nothing else")
    func lifetime() {
        weak var seen: Mirror?
        let property = Property(0)
        var binding: Subscription?
        do {
            let mirror = Mirror()
            seen = mirror
            binding = bind(property.terminal(), to: mirror.terminal)
        }
        #expect(seen != nil)
        binding?.dispose()
        binding = nil
        #expect(seen == nil)
    }
}
