import Expectations
import Testing

@testable import RacConfiguration

@Suite struct KeyLineTests {
    private static let text = #"""
        a = 1 # x = 2
        "b c".d = """
        e = 1
        """
        f = [
          "g = 1", # ]
          'h = 1'
        ]
        [[i]]
        j = { k = 1 }
        [[i]]
        j = 'a\'
        [i.l]
        m = "\"\\"
        [n]
        o.p = 1
        """#

    @Test(
        "Each key has its line",
        arguments: [
            (["a"], 1), (["b c"], 2), (["b c", "d"], 2), (["f"], 5), (["f", "0"], 6), (["f", "1"], 7), (["i"], 9),
            (["i", "0", "j"], 10), (["i", "0", "j", "k"], 10), (["i", "1", "j"], 12), (["i", "1", "l", "m"], 14),
            (["n"], 15), (["n", "o", "p"], 16), (["n", "o", "q"], 16),
        ]
    )
    func lines(path: [String], line: Int) throws {
        expect(try TOMLParser.read(Self.text).lines.line(of: path) == line)
    }

    @Test("A text in a string is no key", arguments: [["e"], ["g = 1"], ["h"], ["x"]])
    func strings(path: [String]) throws {
        expect(try TOMLParser.read(Self.text).lines.line(of: path) == nil)
    }
}
