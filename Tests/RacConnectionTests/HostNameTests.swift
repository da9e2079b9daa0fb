import Expectations
import RacConnection
import Testing

@Suite struct HostNameTests {
    @Test(
        "A name in a certificate means a host, whatever the case, with a star for the first label at most",
        arguments: [
            ("lab.example.org", "lab.example.org", true), ("LAB.example.org.", "lab.Example.org", true),
            ("lab.example.org", "*.example.org", true), ("a.lab.example.org", "*.example.org", false),
            ("example.org", "*.example.org", false), ("lab.example.org", "*.org", false),
            ("lab.example.org", "lab*.example.org", false), ("lab.example.org", "lab.*.org", false),
            ("localhost", "localhost", true), ("localhost", "*", false), ("lab.org", "*.org", false),
            ("lab.example.org", "", false), ("lab.example.org", "lab.example.org.evil.example", false),
            ("*.example.org", "lab.example.org", false),
        ]
    )
    func names(host: String, name: String, isMeant: Bool) {
        expect(HostName(host).isMeant(by: name) == isMeant)
    }
}
