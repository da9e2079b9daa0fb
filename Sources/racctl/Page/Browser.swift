import Glibc
import RacConnection

/// The browser of the user of this machine.
enum Browser {
    /// The program of the desktop that knows the browser.
    private static let opener = "xdg-open"

    /// The time in which the program reports that there is no browser; it may stay as long as the browser.
    private static let patience = Duration.seconds(2)

    /// Opens an address.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - isSecret: Whether nobody else may see the address: then it goes through a file, because other users of this
    ///     machine see the words of each program.
    /// - Throws: ``CommandFailure`` if there is no browser.
    static func open(_ url: String, isSecret: Bool) async throws(CommandFailure) {
        let place = isSecret ? "file://\(try Self.file(leadingTo: url))" : url
        let exit: ProgramExit
        do {
            let nothing = Descriptor(number: Glibc.open("/dev/null", O_RDWR | O_CLOEXEC))
            defer { close(nothing.number) }
            let files = Array(repeating: nothing.number, count: 3)
            exit = ProgramExit(of: try Spawning.start(ProgramCall(Self.opener, place), standardFiles: files))
        } catch {
            throw Self.noBrowser("cannot run \(Self.opener): \(error.reason)")
        }
        let (ends, report) = AsyncStream.makeStream(of: ProgramEnd?.self)
        Task { report.yield(await exit.end()) }
        Task {
            try? await Task.sleep(for: Self.patience)
            report.yield(nil)
        }
        for await end in ends {
            if let end, !end.isSuccess { throw Self.noBrowser("\(Self.opener) found no browser: it \(end.text)") }
            return
        }
    }

    private static func noBrowser(_ reason: String) -> CommandFailure {
        var failure = CommandFailure(.other, code: "no-browser", reason)
        failure.help = "open the address in a browser yourself"
        return failure
    }

    /// Writes a file that leads a browser to an address, and that only its owner may read.
    private static func file(leadingTo url: String) throws(CommandFailure) -> String {
        guard let folder = Environment.text(of: "XDG_RUNTIME_DIR"), folder.hasPrefix("/") else {
            throw Self.noBrowser("XDG_RUNTIME_DIR names no folder, which the address needs on its way to the browser")
        }
        let file = PrivateFile(path: "\(folder)/racctl-ui.html")
        do {
            try file.write(Self.page(leadingTo: url), isNew: false)
        } catch {
            throw Self.noBrowser("cannot write \(file.path): \(error.reason)")
        }
        return file.path
    }

    /// A page that leads to an address at once.
    static func page(leadingTo url: String) -> String {
        let address = url.unicodeScalars.map { #""'&<>"#.unicodeScalars.contains($0) ? "&#\($0.value);" : "\($0)" }
        let refresh = #"<meta http-equiv="refresh" content="0;url=\#(address.joined())">"#
        return "<!doctype html><title>racd</title>\(refresh)\n"
    }
}
