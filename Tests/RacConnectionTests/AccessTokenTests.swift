import Expectations
import Foundation
import RacConnection
import Testing

@Suite struct AccessTokenTests {
    private static let secret = "rac_SeCrEt-0123"

    /// Does something with a file of these bytes and this mode.
    private func withFile<Result>(
        _ text: String,
        mode: Int = 0o600,
        _ body: (AccessTokenFile) throws -> Result
    ) throws -> Result {
        let url = FileManager.default.temporaryDirectory.appending(path: "rac-\(UUID().uuidString)")
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
        return try body(AccessTokenFile(path: url.path))
    }

    @Test("No description, dump or text of an object with a token shows it")
    func hidden() throws {
        let token = try AccessToken(Self.secret)
        var configuration = ConnectionConfiguration()
        configuration.token = token
        var texts = [
            "\(token)", "\([token])", String(reflecting: token), "\(configuration)", "\(Optional(token) as Any)",
        ]
        for value in [token, [token: token], configuration] as [Any] {
            var text = ""
            dump(value, to: &text)
            texts.append(text)
        }
        for text in texts { #expect(!text.contains("SeCrEt") && text.contains("<token>"), "\(text)") }
    }

    @Test(
        "A text that cannot be a token is refused without showing it",
        arguments: ["", "a SeCrEt", "SeCrEt\n", "SeCrEté"]
    )
    func refused(text: String) {
        let error = #expect(throws: ClientError.self) { try AccessToken(text) }
        expect(error?.code == .badToken)
        expect(error.map { "\($0)".contains("SeCrEt") } == false)
    }

    @Test("A token has a greatest length")
    func length() throws {
        _ = try AccessToken(String(repeating: "x", count: AccessToken.maximumBytes))
        #expect(throws: ClientError.self) {
            try AccessToken(String(repeating: "x", count: AccessToken.maximumBytes + 1))
        }
    }

    @Test("A file holds a token, with white space around it", arguments: ["%", "%\n", "  %\r\n\n"])
    func file(form: String) throws {
        let text = form.replacingOccurrences(of: "%", with: Self.secret)
        let contents = try self.withFile(text) { try $0.read() }
        expect(contents.token == (try AccessToken(Self.secret)))
        expect(contents.warning == nil)
    }

    @Test(
        "A file that others have rights to is reported with its mode and the remedy",
        arguments: [0o644, 0o640, 0o602]
    )
    func rights(mode: Int) throws {
        let warning = try self.withFile(Self.secret, mode: mode) { try $0.read().warning }
        #expect(
            warning?.contains("(mode 0\(String(mode, radix: 8)))") == true && warning?.contains("chmod 600") == true
        )
    }

    @Test("A file that is missing, empty or no token is reported in a line that names it and shows nothing of it")
    func badFiles() throws {
        let missing = #expect(throws: ClientError.self) { try AccessTokenFile(path: "/no/such/file").read() }
        expect(missing?.message == "cannot read the token file /no/such/file: No such file or directory")
        let folder = #expect(throws: ClientError.self) { try AccessTokenFile(path: "/").read() }
        expect(folder?.message == "cannot read the token file /: Is a directory")
        let texts = ["", " \n", "two SeCrEt words", "SeCrEt\nSeCrEt", String(repeating: "SeCrEt", count: 100_000)]
        for text in texts {
            let error = try self.withFile(text) { file in #expect(throws: ClientError.self) { try file.read() } }
            expect(error?.code == .badToken)
            expect(error.map { $0.message.contains("the token file /") && !"\($0)".contains("SeCrEt") } == true)
        }
    }
}
