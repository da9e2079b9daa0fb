import Expectations
import RacAccess
import RacTesting
import Testing

@Suite struct JSONWebKeySetTests {
    private static let (p256, ed25519) = (Result { try TestIssuer() }, Result { try TestIssuer(.ed25519, id: "k2") })

    private static func fault(_ text: String) -> String? {
        do throws(RuleError) {
            _ = try JSONWebKeySet(text)
            return nil
        } catch {
            return error.description
        }
    }

    private static func set(_ keys: String...) -> String { "{\"keys\":[\(keys.joined(separator: ","))]}" }

    @Test("Keys of all kinds are read, and keys for something else are passed over")
    func kinds() throws {
        let issuers = [
            try TestIssuer(.rsa(bits: 2048), id: "rsa"), try TestIssuer(.p256, id: "p256"),
            try TestIssuer(.p384, id: "p384"), try TestIssuer(.ed25519, id: "ed"),
        ]
        let others = [
            #"{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"}"#, #"{"kty":"OKP","crv":"X25519","x":"AA","kid":"x"}"#,
            #"{"kty":"new","kid":"n"}"#, "{}", #"{"kty":"RSA","use":"enc","n":"AA","e":"AQAB","kid":"rsa"}"#,
            #"{"kty":"RSA","alg":"RSA-OAEP","n":"AA","e":"AQAB"}"#, #"{"kty":"RSA","key_ops":["encrypt"],"n":"AA"}"#,
        ]
        let keys = issuers.map { $0.publicKey() } + others
        let set = try JSONWebKeySet("\n{\"keys\": [\(keys.joined(separator: " , "))], \"more\": null}\n")
        expect(set.count == 4)
        expect(JSONWebKeySet.empty.count == 0)
    }

    @Test(
        "A text that is no key set is refused in one line",
        arguments: [
            ("", "the key set is no JSON of a key set: the JSON ends too early"), ("no", "unexpected 'o'"),
            ("<html>", "unexpected '<'"), ("{\"keys\":[]} {}", "something follows"),
            ("[]", "is an object with an array 'keys'"), ("{}", "is an object with an array 'keys'"),
            ("{\"keys\":{}}", "is an object with an array 'keys'"), ("{\"keys\":[1]}", "is an object with an array"),
            ("{\"keys\":[]}", "has no key for signatures"), ("{\"keys\":[{\"kty\":\"oct\"}]}", "has no key for"),
            ("{\"keys\":[],\"keys\":[]}", "the member 'keys' stands twice"),
            ("{\"keys\":[{\"kid\":\"a\",\"kid\":\"b\"}]}", "the member 'kid' stands twice"),
            (String(repeating: "[", count: 100_000), "nested too deep"),
            ("{\"keys\":\(String(repeating: "[", count: 40))", "nested too deep"),
        ]
    )
    func noSet(text: String, words: String) {
        let fault = Self.fault(text)
        #expect(fault?.contains(words) == true && fault?.contains("\n") == false, "\(fault as Any)")
    }

    @Test("Two keys of one name, and a key without a name, are refused")
    func names() throws {
        let (one, other) = (try Self.p256.get(), try TestIssuer())
        expect(Self.fault(TestIssuer.keySet(one, other)) == "two keys have the 'kid' 'k1'")
        let nameless = one.publicKey().replacing(#""kid":"k1","#, with: "")
        expect(Self.fault(Self.set(nameless)) == "a key without 'kid' cannot be chosen by a token: give it a 'kid'")
    }

    @Test("A private or secret key in the set is refused and not shown", arguments: ["d", "p", "k"])
    func secrets(member: String) throws {
        let key = try Self.ed25519.get().publicKey(",\"\(member)\":\"c2VjcmV0\"")
        let fault = Self.fault(Self.set(try Self.p256.get().publicKey(), key))
        expect(fault == "the key 'k2' is private or secret: a key set has public keys only")
        let secret = "{\"kty\":\"oct\",\"\(member)\":\"c2VjcmV0\"}"
        expect(Self.fault(Self.set(secret))?.hasPrefix("a key without 'kid' is private or secret") == true)
    }

    @Test("A key of RSA has 2048 to 8192 bits")
    func short() throws {
        let short = try TestIssuer(.rsa(bits: 1024))
        expect(Self.fault(TestIssuer.keySet(short)) == "the key 'k1' has 1024 bits: a key of RSA has 2048 to 8192")
        let long = TestIssuer.text([UInt8](repeating: 0xFF, count: 1025))
        let key = #"{"kid":"k1","kty":"RSA","n":"\#(long)","e":"AQAB"}"#
        expect(Self.fault(Self.set(key)) == "the key 'k1' has 8200 bits: a key of RSA has 2048 to 8192")
        let padded = TestIssuer.text([0] + [UInt8](repeating: 0xFF, count: 256))
        expect(Self.fault(Self.set(#"{"kid":"k1","kty":"RSA","n":"\#(padded)","e":"AAEAAQ"}"#)) == nil)
    }

    @Test("A key whose numbers are those of no key is refused")
    func damaged() throws {
        let (p256, ed25519) = (try Self.p256.get().publicKey(), try Self.ed25519.get().publicKey())
        let modulus = TestIssuer.text([UInt8](repeating: 0xFF, count: 256))
        let even = TestIssuer.text([UInt8](repeating: 0xFE, count: 256))
        let zeros = TestIssuer.text([UInt8](repeating: 0, count: 32))
        let damaged = [
            p256.replacing("P-256", with: "P-384"), p256.replacing(#""y""#, with: #""z""#),
            #"{"kid":"k1","kty":"EC","crv":"P-256","x":"\#(zeros)","y":"\#(zeros)"}"#,
            p256.replacing(#""x":""#, with: #""x":"="#),
            ed25519.replacing(#""x":""#, with: #""x":"AA"#).replacing(#""kid":"k2""#, with: #""kid":"k1""#),
            #"{"kid":"k1","kty":"RSA","n":"\#(modulus)"}"#, #"{"kid":"k1","kty":"RSA","n":"","e":"AQAB"}"#,
            #"{"kid":"k1","kty":"RSA","n":"\#(modulus)","e":"AQ"}"#,
            #"{"kid":"k1","kty":"RSA","n":"\#(modulus)","e":"Ag"}"#,
            #"{"kid":"k1","kty":"RSA","n":"\#(modulus)","e":"\#(modulus)"}"#,
            #"{"kid":"k1","kty":"RSA","n":"\#(even)","e":"AQAB"}"#, #"{"kid":"k1","kty":"RSA","n":7,"e":"AQAB"}"#,
        ]
        for key in damaged {
            let fault = Self.fault(Self.set(key))
            expect(fault == "the key 'k1' is damaged: its numbers are those of no key", "\(key)")
        }
        let other = try Self.p256.get().publicKey(#","alg":"RS256""#)
        expect(Self.fault(Self.set(other)) == "the key 'k1' has another type than its 'alg' needs")
    }

    @Test("The number of keys in a set is limited")
    func many() throws {
        let key = try Self.p256.get().publicKey()
        let keys = (0..<257).map { key.replacing(#""kid":"k1""#, with: #""kid":"key-\#($0)""#) }.joined(separator: ",")
        expect(Self.fault(Self.set(keys)) == "the key set has more than 256 keys")
    }
}
