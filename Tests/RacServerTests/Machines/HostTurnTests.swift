import Expectations
import RacAccess
import RacHost
import RacProtocol
import RacStore
import RacTesting
import Testing

@testable import RacServer

/// The order in which a tick gives its results.
@Suite struct HostTurnTests {
    @Test("A tick gives the outputs first, then the orders, the evictions behind, then the batch")
    func order() {
        let rig = TurnRig()
        let (writer, reader) = (rig.bound(1), rig.bound(2))
        rig.tick {
            rig.send(1, writer)
            rig.say(#"{"op":"bye"}"#, reader)
        }
        let outputs = rig.results.prefix(2).sorted()
        expect(outputs == ["1 hears ack", "2 hears next"])
        let taken = rig.results.dropFirst(2).prefix { $0.contains("took") }
        expect(taken.count == 2)
        expect(rig.results.dropFirst(4) == ["2 end(nil)", "finished", "batch 1 of 1"])
    }

    @Test("A value and the acknowledgement of its sender leave with the same tick")
    func values() {
        let rig = TurnRig()
        let peers = (1...3).map { rig.bound($0) }
        rig.tick { rig.send(1, peers[1]) }
        expect(rig.results.prefix(3).sorted() == ["1 hears next", "2 hears ack", "3 hears next"])
    }

    /// A policy of two principals that may do everything.
    private func policy() throws -> AccessPolicy {
        let role = AccessRole(name: "all", grants: [.read: [try RulePattern("**")], .write: [try RulePattern("**")]])
        let principals = try ["owner", "thief"].map { name in
            let token = Principal.Token(hash: TokenHash(of: name))
            return Principal(name: try PrincipalName(name), roles: [role.name], tokens: [token])
        }
        return try AccessPolicy(roles: [role], principals: principals)
    }

    /// A client of one session that shows a principal's token.
    private func introduction(_ name: String) -> Introduction {
        Introduction(session: "s", credentials: Credentials(token: TokenHash(of: name)))
    }

    @Test("A client that names the session of another principal leaves it to its owner")
    func sessionOfAnother() throws {
        let rig = TurnRig(access: try self.policy())
        let owner = rig.bound(1, self.introduction("owner"))
        _ = rig.bound(2, self.introduction("thief"))
        #expect(!owner.hosted.hasEnded && !owner.isDeparting)
        rig.tick { rig.send(1, owner) }
        expect(rig.results.first == "1 hears ack")
    }

    @Test("A client that names the session of another principal's closed connection drops none of its messages")
    func closedSessionOfAnother() throws {
        let rig = TurnRig(units: (ofAll: 60, ofClient: 20), access: try self.policy())
        let owner = rig.bound(1, self.introduction("owner"))
        rig.tick {
            for id in 2...5 { rig.say(#"{"op":"set","id":\#(id),"channel":"b","value":\#(id)}"#, owner) }
            rig.turn.closed(owner)
        }
        rig.tick { _ = rig.turn.welcomed(ConnectionID(2), self.introduction("thief")) }
        _ = rig.takeTurns()
        #expect(rig.turn.closing.isEmpty)
        expect(rig.turn.host.knownRecord(try ChannelName("b"))?.value?.value == .integer(5))
    }

    @Test("A tick without events gives nothing but its end")
    func empty() {
        let rig = TurnRig()
        rig.tick {}
        expect(rig.results == ["finished"])
    }

    @Test("A connection is drained behind everything else that the tick has for it")
    func drained() {
        let rig = TurnRig()
        let peer = rig.bound(1)
        rig.tick {
            rig.send(1, peer)
            rig.turn.saidAll(peer)
        }
        expect(rig.results.first == "1 hears ack")
        expect(rig.results.last { $0.hasPrefix("1 ") } == "1 drained")
        rig.results = []
        rig.tick {}
        expect(rig.results == ["finished"])
    }

    @Test("A client that waits for the disk is not drained before it has its answer")
    func drainedBehindTheDisk() {
        let rig = TurnRig()
        let peer = rig.bound(1)
        rig.tick {
            rig.send(1, peer, sync: true)
            rig.turn.saidAll(peer)
        }
        #expect(!rig.results.contains("1 drained"))
        expect(rig.turn.awaited == 1)
        rig.results = []
        rig.tick { rig.turn.stored(.committed(through: 1)) }
        expect(rig.results == ["1 hears ack", "1 drained", "finished"])
        expect(rig.turn.awaited == nil)
    }

    @Test("The store gets a part before the message that follows it, and the rest with the end of the tick")
    func parts() {
        let rig = TurnRig(batches: .parts(of: 1))
        let peer = rig.bound(1)
        rig.tick {
            rig.send(1, peer, sync: true)
            #expect(!rig.results.contains { $0.hasPrefix("part") })
            rig.send(2, peer, sync: true)
            expect(rig.results == ["part 1 of 1"])
        }
        expect(rig.results.last == "batch 2 of 1")
    }

    @Test("Changes that nobody waits for are stored with the end of the tick")
    func whole() {
        let rig = TurnRig(batches: .parts(of: 1))
        let peer = rig.bound(1)
        rig.tick { for number in 1...3 { rig.send(number, peer) } }
        expect(rig.results.filter { $0.hasPrefix("part") || $0.hasPrefix("batch") } == ["batch 1 of 1"])
        expect(rig.turn.awaited == nil)
    }

    @Test("The messages of a client that does not read wait, and are taken in order when it has read")
    func queued() {
        let rig = TurnRig(pauseBytes: 1)
        let peer = rig.bound(1)
        rig.tick {
            rig.send(1, peer)
            rig.send(2, peer)
        }
        expect(rig.results == ["finished"])
        let unread = peer.hosted.outgoingBytes
        rig.tick {
            rig.turn.wrote(unread, to: peer)
            expect(rig.takeQueued() == [1, 1])
        }
        expect(rig.results.first == "finished")
        expect(rig.results.dropFirst().first == "1 hears ack")
    }

    @Test("A client with much work waits for later turns, and takes turns there; another's message is taken at once")
    func shares() {
        // A message costs 5 units, and a client may spend two of them in a turn.
        let rig = TurnRig(units: (ofAll: 60, ofClient: 10))
        let (first, second, third) = (rig.bound(1), rig.bound(2), rig.bound(3))
        rig.tick {
            for id in 1...6 { rig.say(#"{"op":"get","id":\#(id),"channel":"a"}"#, first) }
            for id in 1...6 { rig.say(#"{"op":"get","id":\#(id),"channel":"a"}"#, second) }
            rig.say(#"{"op":"get","id":1,"channel":"a"}"#, third)
            expect(rig.takeQueued() == [])
        }
        expect(rig.results.prefix(3) == ["1 hears refused refused", "2 hears refused refused", "3 hears refused"])
        expect(rig.takeTurns().map { $0.sorted() } == [[1, 1, 2, 2], [1, 1, 2, 2]])
    }

    @Test("New messages leave half of a turn to those that wait")
    func half() {
        let rig = TurnRig(units: (ofAll: 20, ofClient: 20))
        let (first, second) = (rig.bound(1), rig.bound(2))
        rig.tick {
            for id in 1...4 { rig.say(#"{"op":"get","id":\#(id),"channel":"a"}"#, first) }
            rig.say(#"{"op":"get","id":1,"channel":"a"}"#, second)
            expect(rig.takeQueued() == [1, 1])
        }
        expect(rig.takeTurns() == [[2]])
    }

    @Test("A tick that no poll of the sockets came before goes on with the turn of the last one")
    func withoutPoll() {
        let rig = TurnRig(units: (ofAll: 20, ofClient: 20))
        let (first, second) = (rig.bound(1), rig.bound(2))
        rig.tick {
            for id in 1...4 { rig.say(#"{"op":"get","id":\#(id),"channel":"a"}"#, first) }
            expect(rig.takeQueued() == [1, 1])
        }
        rig.tick(beginsTurn: false) {
            rig.say(#"{"op":"get","id":1,"channel":"a"}"#, second)
            expect(rig.takeQueued() == [])
        }
        expect(rig.takeTurns() == [[2]])
    }

    @Test("Clients that wait share a turn evenly, so that a client with one message waits for one turn")
    func even() {
        let rig = TurnRig(units: (ofAll: 2_000, ofClient: 1_000))
        let (first, second, third) = (rig.bound(1), rig.bound(2), rig.bound(3))
        rig.tick {
            for _ in 1...400 { rig.say(#"{"op":"ping"}"#, first) }
            for _ in 1...400 { rig.say(#"{"op":"ping"}"#, second) }
            rig.say(#"{"op":"get","id":1,"channel":"a"}"#, third)
        }
        let turn = rig.takeTurns()[0]
        #expect(turn.contains(1) && turn.contains(2) && turn.contains(3))
    }

    @Test("A client whose messages are longer than a turn leaves every second turn to another one that waits")
    func longMessages() {
        let rig = TurnRig(units: (ofAll: 4, ofClient: 4))
        let (first, second) = (rig.bound(1), rig.bound(2))
        rig.tick {
            for id in 1...4 { rig.say(#"{"op":"get","id":\#(id),"channel":"a"}"#, first) }
            for id in 1...3 { rig.say(#"{"op":"get","id":\#(id),"channel":"a"}"#, second) }
        }
        expect(rig.takeTurns() == [[1], [2], [1], [2], [1], [2]])
    }

    @Test("New messages that are longer than a turn keep the line waiting for one turn only")
    func newMessages() {
        let rig = TurnRig(units: (ofAll: 4, ofClient: 4))
        let (first, second) = (rig.bound(1), rig.bound(2))
        var taken: [[UInt64]] = []
        rig.tick { for id in 1...3 { rig.say(#"{"op":"get","id":\#(id),"channel":"a"}"#, first) } }
        for id in 1...5 {
            rig.tick {
                rig.say(#"{"op":"get","id":\#(id),"channel":"a"}"#, second)
                taken.append(rig.takeQueued())
            }
        }
        expect(taken == [[1], [2], [1], [2], [2]])
    }

    @Test("A close takes its turn behind the messages that wait; a client that is back sooner has it done before")
    func closes() throws {
        let rig = TurnRig(units: (ofAll: 60, ofClient: 20))
        var peer: Peer?
        rig.tick { peer = rig.turn.welcomed(ConnectionID(1), Introduction(session: "s")) }
        let first = try #require(peer)
        rig.tick {
            for id in 1...4 { rig.say(#"{"op":"set","id":\#(id),"channel":"b","value":\#(id)}"#, first) }
            rig.turn.closed(first)
        }
        let name = try ChannelName("b")
        expect(rig.turn.host.knownRecord(name)?.value?.value == .integer(2))
        expect(rig.turn.closing.count == 1)
        rig.tick { _ = rig.turn.welcomed(ConnectionID(2), Introduction(session: "s")) }
        #expect(rig.turn.closing.isEmpty)
        expect(rig.turn.host.knownRecord(name)?.value?.value == .integer(2))
    }

    @Test("The messages of a closed connection wait until its session's earlier connection is released")
    func closesBehindEarlier() throws {
        let rig = TurnRig(units: (ofAll: 60, ofClient: 20))
        let first = rig.bound(1, Introduction(session: "s"))
        rig.tick { for id in 2...20 { rig.say(#"{"op":"bind","id":\#(id),"channel":"a\#(id)"}"#, first) } }
        _ = rig.takeTurns()
        rig.tick { rig.turn.closed(first) }
        rig.tick {
            let second = rig.turn.welcomed(ConnectionID(2), Introduction(session: "s"))
            rig.say(#"{"op":"set","id":1,"channel":"b","value":1}"#, second)
            rig.turn.closed(second)
        }
        let taken = rig.takeTurns().flatMap { $0 }
        #expect(taken.contains(1))
        expect(taken == taken.sorted())
        #expect(rig.turn.closing.isEmpty)
        expect(rig.turn.host.knownRecord(try ChannelName("b"))?.value?.value == .integer(1))
    }

    @Test("The connection that has made no progress for longest is let go when all hold too many bytes")
    func held() {
        let rig = TurnRig(heldBytes: 2 * HeldBytes.freeBytes + 1)
        let (first, second) = (rig.bound(1), rig.bound(2))
        rig.tick {
            rig.turn.holds(HeldBytes.freeBytes + 1, for: first)
            rig.turn.holds(HeldBytes.freeBytes + 1, for: second)
            rig.turn.holds(0, for: first)
        }
        expect(rig.results == ["1 letGo(isUnread: false)", "finished"])
    }

    @Test("A request beyond a limit is reported to the client's loop, which logs it; another refusal is not")
    func reachedLimit() {
        let rig = TurnRig()
        let peer = rig.bound(1)
        rig.tick { for id in 1...100 { rig.say(#"{"op":"watch","id":\#(id),"pattern":"a/*/\#(id)"}"#, peer) } }
        rig.results = []
        rig.tick {
            rig.say(#"{"op":"get","id":101,"channel":"none"}"#, peer)
            for id in 102...200 { rig.say(#"{"op":"watch","id":\#(id),"pattern":"a/*/\#(id)"}"#, peer) }
        }
        let reached = rig.results.filter { $0.contains("reachedLimit") }
        expect(reached.count == 16)
        #expect(reached.allSatisfy { $0.hasPrefix("1 ") && $0.contains("100") })
    }

    @Test("A client that has said bye leaves no will, although its bye waited for it to read when it was lost")
    func byeOfHeldClient() throws {
        let rig = TurnRig(pauseBytes: 1)
        let peer = rig.bound(1)
        rig.tick {
            rig.turn.wrote(peer.hosted.outgoingBytes, to: peer)
            rig.say(#"{"op":"bind","id":2,"channel":"b","will":{"value":1}}"#, peer)
        }
        rig.tick {
            rig.say(#"{"op":"bye"}"#, peer)
            rig.turn.closed(peer)
        }
        _ = rig.takeTurns()
        #expect(rig.turn.closing.isEmpty)
        expect(rig.turn.host.knownRecord(try ChannelName("b")) == nil)
    }

    @Test("A turn that stops drops queued messages, and a connection that closes then leaves no will")
    func stops() {
        let rig = TurnRig(pauseBytes: 1)
        let peer = rig.bound(1)
        rig.tick {
            rig.send(1, peer)
            rig.turn.stop()
            rig.turn.wrote(peer.hosted.outgoingBytes, to: peer)
            expect(rig.takeQueued() == [])
            rig.turn.closed(peer)
        }
        expect(rig.results == ["finished"])
    }

    @Test("A turn that stops drops the messages of a connection that has closed")
    func stopsBehindClose() throws {
        let rig = TurnRig(units: (ofAll: 20, ofClient: 5))
        let peer = rig.bound(1)
        rig.tick {
            for id in 1...2 { rig.say(#"{"op":"set","id":\#(id),"channel":"b","value":\#(id)}"#, peer) }
            rig.turn.closed(peer)
        }
        rig.turn.stop()
        expect(rig.takeTurns().flatMap { $0 } == [])
        expect(rig.turn.host.knownRecord(try ChannelName("b"))?.value?.value == .integer(1))
    }

    // MARK: Values from another loop

    @Test(
        "Values that come as bytes from another loop are taken in order, whether they wait or not",
        arguments: [20, 200, 20_000]
    )
    func valuesAsBytes(units: Int) throws {
        for _ in 0..<20 * TestEffort.factor {
            let rig = TurnRig(units: (ofAll: units, ofClient: units / 2))
            let peers = [rig.bound(1), rig.bound(2)]
            var (sent, bytes) = ([0, 0], 0)
            for _ in 0..<Int.random(in: 1...4) {
                rig.tick {
                    for _ in 0..<Int.random(in: 1...4) {
                        let (client, count) = (Int.random(in: 0...1), Int.random(in: 1...40))
                        bytes += rig.sendAsBytes(sent[client] + 1...sent[client] + count, peers[client])
                        sent[client] += count
                    }
                    _ = rig.takeQueued()
                }
            }
            _ = rig.takeTurns()
            for (client, peer) in peers.enumerated() {
                let heard = rig.heard[peer.hosted.id.number] ?? []
                let acknowledged = heard.compactMap {
                    if case .ack(_, let number, _) = $0 { number.number } else { nil }
                }
                expect(acknowledged.last ?? 0 == UInt64(sent[client]))
                let values = heard.compactMap { if case .next(_, let next) = $0 { Int("\(next.value)") } else { nil } }
                #expect(values == values.sorted() && values.last ?? 0 <= sent[1 - client])
            }
            let credits = rig.credits
            expect(credits == bytes)
        }
    }
}
