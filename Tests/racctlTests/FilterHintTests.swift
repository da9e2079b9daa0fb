import Expectations
import Testing

@testable import racctl

@Suite struct FilterHintTests {
    @Test(
        "A program that collects its output is named with its remedy",
        arguments: [
            ("jq .", "jq needs --unbuffered"), ("jq --unbuffered .", nil), ("/usr/bin/sed s/a/b/", "sed needs -u"),
            ("sed -u s/a/b/ | grep a", "grep needs --line-buffered"), ("awk '{print}'", "write stdbuf -oL awk"),
            ("stdbuf -oL awk '{print}'", nil), ("while read x; do echo $x; done", nil), ("", nil), ("|", nil),
        ] as [(String, String?)]
    )
    func hint(command: String, hint: String?) {
        expect(FilterHint.hint(for: command) == hint)
    }
}
