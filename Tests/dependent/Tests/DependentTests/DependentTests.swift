import RacClient
import RacTestKit
import Testing

@Test func volume() async throws {
    let client = Client.inMemory()
    try await client.set("room/volume", 7)
    #expect(try await client.get("room/volume", as: Int.self) == 7)
    await client.close()
}
