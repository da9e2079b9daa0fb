import Glibc

/// A program that racctl started, in a process group of its own, so that the processes that it starts end with it.
///
/// swift-subprocess 1.0.2 cannot keep that promise: its teardown stops when the program itself has exited. A child in the
/// group that ignores SIGTERM then lives on, and by then the group's number may belong to other processes. ``ProgramExit``
/// kills the group while the exited program is still a zombie, which keeps the number.
final class RunningProgram: Sendable {
    /// The time for an orderly end, before the program is killed.
    static let grace = Duration.seconds(2)

    let input: ProgramInput
    let output: LineInput
    /// Its standard error; nil if that goes where racctl's own goes.
    let errors: LineInput?
    private let exit: ProgramExit

    /// Starts a program whose standard input and output are pipes.
    ///
    /// - Parameters:
    ///   - call: The program to start.
    ///   - passesOutput: Whether its output goes where racctl's goes, so that there is none to read.
    ///   - readsErrors: Whether its standard error is a pipe too.
    /// - Throws: ``CommandFailure`` if it cannot be started.
    init(_ call: ProgramCall, passesOutput: Bool = false, readsErrors: Bool = false) throws(CommandFailure) {
        do {
            let input = try Pipe()
            let output = passesOutput ? nil : try Pipe()
            let errors = readsErrors ? try Pipe() : nil
            self.input = ProgramInput(Descriptor(number: input.takeWriting()))
            self.output = LineInput(
                of: Descriptor(number: output?.takeReading() ?? -1),
                called: "the output of \(call.name)",
                closing: output != nil,
                isOfProgram: true
            )
            self.errors = errors.map {
                LineInput(
                    of: Descriptor(number: $0.takeReading()),
                    called: "the errors of \(call.name)",
                    closing: true,
                    isOfProgram: true
                )
            }
            self.exit = try withExtendedLifetime((input, output, errors)) { () throws(SystemFailure) in
                let files = [input.reading, output?.writing ?? STDOUT_FILENO, errors?.writing ?? STDERR_FILENO]
                return ProgramExit(of: try Spawning.start(call, standardFiles: files))
            }
        } catch {
            throw CommandFailure(call, error)
        }
    }

    /// Runs a body while the program runs.
    ///
    /// Afterwards, or if the task is cancelled, ends the program if it still runs.
    func supervised<Made: Sendable>(_ body: () async throws -> Made) async throws -> Made {
        do {
            let made = try await withTaskCancellationHandler(operation: body, onCancel: self.terminate)
            await self.end()
            return made
        } catch {
            await self.end()
            throw error
        }
    }

    /// Waits for the program's own end.
    func ended() async -> ProgramEnd {
        await self.exit.end()
    }

    /// Ends the input of the program, and the program if it has not ended by itself soon after.
    func finishInput() {
        self.input.close()
        self.exit.signal(SIGTERM, after: Self.grace)
        self.exit.signal(SIGKILL, after: Self.grace + Self.grace)
    }

    /// Asks the program to end; kills it if it takes too long.
    @Sendable func terminate() {
        self.exit.signal(SIGTERM)
        self.exit.signal(SIGKILL, after: Self.grace)
    }

    private func end() async {
        self.input.close()
        self.terminate()
        _ = await self.exit.end()
    }
}
