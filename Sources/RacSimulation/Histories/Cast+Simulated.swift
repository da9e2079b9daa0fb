extension Cast {
    /// Clients by their plans, and the real host between a network and a disk that are simulated.
    static var simulated: Cast {
        Cast(
            client: { number, world in
                guard world.plan.clients[number].isProgram else { return SimulatedClient(number: number, world: world) }
                return SimulatedProgram(number: number, world: world)
            },
            daemon: { number, world, start in SimulatedDaemon(number: number, world: world, start) }
        )
    }
}
