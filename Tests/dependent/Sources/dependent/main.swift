import RacClient

let client = Client()
let volume = Property(0)
try volume <~> client.property("room/volume", as: Int.self)
await client.close()
