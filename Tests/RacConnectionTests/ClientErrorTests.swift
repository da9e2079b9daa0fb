import Expectations
import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

@Suite struct ClientErrorTests {
    @Test("Every code of the daemon is a code of the client's errors", arguments: ErrorCode.allCases)
    func codes(code: ErrorCode) {
        let error = ClientError(.sample(code))
        expect(error.code.rawValue == code.rawValue)
        expect(error.message == "for a test")
    }

    @Test("A refusal's revision, value and data come with the error")
    func standing() throws {
        let error = WireError(code: "conflict", message: "somebody was first", data: .null)
        let refusal = Refusal(error, standing: Valuation(value: .integer(1), revision: Revision(7), cause: nil))
        let made = ClientError(refusal)
        expect(made.code == .conflict)
        expect(made.revision == Revision(7))
        expect(made.value == .integer(1))
        expect(made.data == .null)
    }

    @Test("A refusal for want of a right prints with what helps", arguments: [ErrorCode.unauthenticated, .forbidden])
    func remedy(code: ErrorCode) {
        let error = ClientError(.sample(code))
        #expect("\(error)".hasPrefix("\(code.rawValue): for a test (") && "\(error)".hasSuffix(")"))
        #expect(!"\(ClientError(.sample(.conflict)))".contains("("))
    }

    @Test("A refusal without a message prints as its code")
    func withoutMessage() {
        let error = ClientError(Refusal(WireError(code: "odd", message: "")))
        expect(error.message == "racd refused: odd")
    }
}
