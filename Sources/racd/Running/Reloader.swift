import ServiceLifecycle
import UnixSignals

/// Has the ``ConfigurationKeeper`` read: the configuration file at SIGHUP, those beside it when they have changed.
struct Reloader: Service, CustomStringConvertible {
    let description = "configuration"

    /// The pause between two looks at the files beside the configuration, which cost a system call each.
    private static let pause = Duration.seconds(1)

    private let keeper: ConfigurationKeeper
    private let hangups: UnixSignalsSequence?

    /// From here on SIGHUP does not end the process, if the reloader hears it.
    init(_ keeper: ConfigurationKeeper, hearsHangups: Bool) async {
        self.keeper = keeper
        self.hangups = hearsHangups ? await UnixSignalsSequence(trapping: .sighup) : nil
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.lookRepeatedly() }
                if let hangups {
                    group.addTask {
                        for await _ in hangups { await self.keeper.reload() }
                    }
                }
            }
        }
    }

    private func lookRepeatedly() async {
        while (try? await Task.sleep(for: Self.pause)) != nil { await self.keeper.lookAtFiles() }
    }
}
