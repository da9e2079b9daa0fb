#if ServiceLifecycle
public import ServiceLifecycle

extension Client: Service {
    /// Waits for graceful shutdown, or for the task to be cancelled, and then closes.
    public func run() async {
        try? await gracefulShutdown()
        await self.close()
    }
}
#endif
