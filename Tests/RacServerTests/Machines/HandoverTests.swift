import Expectations
import NIOCore
import RacHost
import RacProtocol
import Testing

@testable import RacServer

@Suite struct HandoverTests {
    @Test("A window is open until its limit is ahead, and again when enough of that was taken")
    func window() {
        var window = FlowWindow(limit: 100)
        window.sent(99)
        #expect(window.isOpen)
        window.sent(1_000)
        #expect(!window.isOpen)
        window.taken(999)
        #expect(!window.isOpen)
        window.taken(1)
        #expect(window.isOpen)
    }

    @Test("A receipt is due when much was taken, and counts each byte once")
    func receipt() {
        var receipt = FlowReceipt(threshold: 100)
        expect(receipt.took(99) == nil)
        expect(receipt.took(51) == 150)
        expect(receipt.took(99) == nil)
        expect(receipt.took(1) == 100)
    }

    @Test("Messages wait in their order, and a client is through when it has sent all and none wait")
    func inbox() {
        var inbox = InboxStateMachine<Int>()
        expect(inbox.next() == nil)
        for words in 1...3 { inbox.said(words) }
        expect(inbox.next() == 1)
        inbox.said(4)
        inbox.saidAll()
        #expect(inbox.isWaiting && !inbox.isThrough)
        let taken = [inbox.next(), inbox.next(), inbox.next(), inbox.next()]
        expect(taken == [2, 3, 4, nil])
        #expect(!inbox.isWaiting && inbox.isThrough)
    }

    @Test("Dismissed words are never taken, and keep nobody from being through")
    func dismissed() {
        var inbox = InboxStateMachine<Int>()
        inbox.said(1)
        inbox.said(2)
        expect(inbox.next() == 1)
        inbox.clear()
        inbox.saidAll()
        #expect(inbox.isThrough)
        expect(inbox.next() == nil)
    }

    @Test("The number of a connection is unique and contains its loop")
    func numbers() {
        let ids = (0..<3).flatMap { loop in
            (1...5).map { (loop, ConnectionNumbers(loop: loop, loopCount: 3).id($0, place: 7)) }
        }
        expect(Set(ids.map(\.1)).count == 15)
        for (loop, id) in ids { #expect(id.loop == loop && id.place == 7) }
    }

    @Test("Admission is limited, however many were refused meanwhile")
    func admission() {
        let admission = Admission(limit: 2)
        #expect(admission.enter() == nil && admission.enter() == nil)
        #expect(admission.enter()?.code == "limit" && admission.enter()?.code == "limit")
        admission.leave()
        expect(admission.enter() == nil)
        #expect(admission.enter() != nil)
    }

    @Test("Connections over Unix sockets have a few places beyond the limit")
    func localPlaces() {
        let admission = Admission(limit: 2)
        #expect(admission.enter() == nil && admission.enter(isLocal: true) == nil)
        #expect(admission.enter() != nil)
        for _ in 0..<Admission.localCount { expect(admission.enter(isLocal: true) == nil) }
        expect(admission.enter(isLocal: true)?.code == "limit")
        for _ in 0..<Admission.localCount { admission.leave() }
        #expect(admission.enter() != nil)
        admission.leave()
        expect(admission.enter() == nil)
    }

    @Test("A lower limit lets nobody in until connections have left, and a higher one does at once")
    func otherLimit() {
        let admission = Admission(limit: 2)
        #expect(admission.enter() == nil && admission.enter() == nil)
        admission.take(Admission.Room(connections: 1, refused: 4))
        admission.leave()
        expect(admission.enter()?.message == "the daemon takes no more connections: its limit is 1")
        admission.take(Admission.Room(connections: 2, refused: 4))
        expect(admission.enter() == nil)
    }

    @Test("The overhead of a message is the memory that it takes while it waits, without its payload")
    func overhead() {
        #expect(MemoryLayout<ClientWords>.stride <= ClientWords.overhead)
        expect(ClientWords(ByteBuffer(string: #"{"op":"ping"}"#)).bytes == 13 + ClientWords.overhead)
    }
}
