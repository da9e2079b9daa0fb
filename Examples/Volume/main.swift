// Shows the channel room/volume, and sets it to each number that you type; Return alone adds 1.
// Start racd, and this program in two terminals: each one shows the changes of both.

import RacClient

let client = Client()  // racd on this machine
let volume = Property(0)
try volume <~> client.property("room/volume", as: Int.self)  // One line ties the model to the network.

volume.onValue { print("volume \($0)") }
client.connection.onValue { state in
    if case .lost(let reason, _) = state { print(reason.message) }
}
while let line = readLine() { volume.value = Int(line) ?? volume.value + 1 }
await client.close()
