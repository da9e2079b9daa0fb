import Rac
import RacExamples
import RacTestKit
import Testing

@Suite struct TextFieldTests {
    @Test("C302 Two text fields bound to each other by hand")
    func byHand() {
        let (a, b) = (TextField(), TextField())
        a.terminal.subscribe(to: b.terminal)
        b.terminal.subscribe(to: a.terminal)
        let recorder = Recorder(a.terminal)
        a.type("hi")
        #expect([a.text, b.text] == ["hi", "hi"])
        b.type("yo")
        #expect([a.text, b.text] == ["yo", "yo"])
        #expect(recorder.values == ["hi"])
    }

    @Test("Two text fields bound to each other: both show what is typed in either, and nothing at the start")
    func bound() {
        let (a, b) = (TextField(), TextField())
        b.text = "set in code"
        a.terminal <~> b.terminal
        #expect(a.text == "")
        a.type("hi")
        #expect([a.text, b.text] == ["hi", "hi"])
        b.type("yo")
        #expect([a.text, b.text] == ["yo", "yo"])
    }

    @Test("A missing text is shown as an empty one")
    func noText() {
        let field = TextField()
        field.type("hi")
        field.terminal.send(nil)
        #expect(field.text == "")
    }

    @Test("C304 The text field signal: the current text, then every edit, until the field goes away")
    func texts() {
        var field: TextField? = TextField()
        field?.text = "a"
        let texts = field?.texts
        field?.text = "b"
        let a = texts.map { Recorder($0) }
        field?.type("c")
        field?.text = "silent"
        field?.type("d")
        field = nil
        #expect(a?.values == ["b", "c", "d"])
        #expect(a?.ending == .completed)
    }

    @Test("Bound fields that nobody holds are gone, and leave each other as they are")
    func lifetime() {
        var (a, b): (TextField?, TextField?) = (TextField(), TextField())
        weak let first = a
        weak let second = b
        if let a, let b { a.terminal <~> b.terminal }
        var recorder = b.map { Recorder($0.terminal) }
        a?.type("hi")
        a = nil
        #expect(first == nil)
        #expect(second?.text == "hi")
        #expect(recorder?.events.isEmpty == true)
        recorder = nil
        b = nil
        #expect(second == nil)
    }
}
