import Glibc

/// The program that libFuzzer is linked into: `rac-fuzz --target=NAME [libFuzzer's options] FOLDER…`.
enum Driver {
    nonisolated(unsafe) fileprivate static var target: FuzzTarget?

    fileprivate static func choose(from arguments: UnsafeBufferPointer<UnsafeMutablePointer<CChar>?>) {
        let option = "--target="
        for case let argument? in arguments {
            let text = String(cString: argument)
            if text.hasPrefix(option) { self.target = FuzzTarget(rawValue: String(text.dropFirst(option.count))) }
        }
        guard self.target == nil else { return }
        Self.say("rac-fuzz: name a target: \(option)\(FuzzTarget.allCases.map(\.rawValue).joined(separator: "|"))")
        exit(2)
    }

    fileprivate static func say(_ text: String) {
        let line = text + "\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
}

/// The first call of libFuzzer, with the arguments of the program.
@_cdecl("LLVMFuzzerInitialize")
public func initializeFuzzer(
    _ count: UnsafePointer<CInt>,
    _ arguments: UnsafePointer<UnsafePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    Driver.choose(from: UnsafeBufferPointer(start: arguments.pointee, count: Int(count.pointee)))
    return 0
}

/// The call of libFuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    do {
        try Driver.target?.run(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    } catch {
        Driver.say("FINDING: \(error)")
        abort()
    }
}
