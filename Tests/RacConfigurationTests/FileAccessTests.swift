import Expectations
import Foundation
import Testing

@testable import RacConfiguration

/// The files that another user can read.
@Suite struct FileAccessTests {
    private let folder: ScratchFolder
    private let other = FileAccess(user: getuid() + 1, group: getgid() + 1, home: "/")
    private let member = FileAccess(user: getuid() + 1, group: getgid(), home: "/")
    private let owner = FileAccess(user: getuid(), group: getgid() + 1, home: "/")

    init() throws {
        self.folder = try ScratchFolder()
        try self.makeFolder("", mode: 0o755)
    }

    private func makeFolder(_ name: String, mode: Int) throws {
        let path = self.folder.path(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test(
        "The mode of a file says whether its owner, its group and others can read it",
        arguments: [(0o600, true, true), (0o640, false, true), (0o604, true, false), (0o644, false, false)]
    )
    func modes(mode: Int, isMemberBarred: Bool, isOtherBarred: Bool) throws {
        let path = try self.folder.write("", to: "f", mode: mode)
        #expect(!self.owner.isBarred(from: path))
        expect(self.member.isBarred(from: path) == isMemberBarred)
        expect(self.other.isBarred(from: path) == isOtherBarred)
    }

    @Test("A folder that a user cannot enter bars the user, unless it contains the user's own")
    func folders() throws {
        try self.makeFolder("closed", mode: 0o700)
        try self.makeFolder("closed/home", mode: 0o755)
        let path = try self.folder.write("", to: "closed/home/f", mode: 0o644)
        #expect(self.other.isBarred(from: path))
        #expect(!self.owner.isBarred(from: path))
        let real = try #require(realpath(self.folder.path("closed/home"), nil).map { String(cString: $0) })
        let atHome = FileAccess(user: getuid() + 1, group: getgid() + 1, home: real)
        #expect(!atHome.isBarred(from: path))
        let secret = try self.folder.write("", to: "closed/home/secret")
        #expect(atHome.isBarred(from: secret))
    }

    @Test("A missing file bars nobody")
    func missing() {
        #expect(!self.other.isBarred(from: self.folder.path("none")))
    }
}
