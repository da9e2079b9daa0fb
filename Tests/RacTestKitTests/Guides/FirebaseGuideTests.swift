import RacClient
import RacTestKit
import Testing

struct Message: Codable, Sendable {
    var author: String
    var text: String
}

/// The examples of the guide "Coming from Firebase".
@Suite(.timeLimit(.minutes(5))) struct FirebaseGuideTests {
    @Test("Listeners, writes, transactions, collections and presence")
    func counterparts() async throws {
        let client = Client.inMemory()
        let message = try client.property("chat/1", as: Message.self)
        let listener = message.onValue { print($0.text) }
        message.value = Message(author: "Ada", text: "hello")
        try await message.write(Message(author: "Ada", text: "hello there"))
        listener.dispose()

        let likes = try client.property("chat/1/likes", as: Int.self, default: 0)
        try await likes.modify { $0 += 1 }

        try await client.put([
            ChannelValue("chat/2", Message(author: "Grace", text: "hi")),
            ChannelValue("chat/2/likes", 0),
        ])

        for try await event in try client.watch("chat/*", as: Message.self) {
            guard case .changed(let change) = event else { break }
            if change.state == nil { print("\(change.name) was deleted") }
            if let problem = change.problem { print("\(change.name) is no message: \(problem.message)") }
            if let message = change.value { print(change.name, message.text) }
        }

        let presence = try client.property("present/ada", as: Bool.self, will: .value(false))
        client.connection.onValue { if $0.isLive { presence.value = true } }
        try await presence.settled()
        #expect(try await client.get("chat/1/likes", as: Int.self) == 1)
        #expect(try await client.get("present/ada", as: Bool.self) == true)

        try await presence.write(false)
        await client.close()
    }
}
