import RacClient

/// Calls as people write them first.
///
/// Each finds the declaration that names the right one. Nothing runs them: the declarations are unavailable.
@available(*, unavailable)
private func firstGuesses(
    _ client: Client,
    _ terminal: RemoteTerminal<Int>,
    _ paired: PairedTerminal<Int, String>
) async throws {
    _ = try await client.get("a", timeout: .seconds(1)).value
    _ = try await client.get("a", as: Int.self, timeout: .seconds(1))
    try await client.set("a", 7, timeout: .seconds(1))
    try client.host("a") { (count: Int) in count + 1 }
    try client.host("a") { print("called") }
    _ = try client.command("a", as: Void.self, returning: Int.self)
    _ = try client.command("a", as: Void.self, returning: Void.self)
    let command: Command<Void, Int, ClientError> = try client.command("a", as: Void.self)
    _ = command
    _ = (terminal.value, paired.value)
}
