/// The subject of a certificate, read from its DER bytes.
///
/// The bytes come from outside. A byte out of place gives no name, never a wrong one.
struct CertificateSubject {
    /// The last common name, which is the most special one; nil if there is none, or if it is no text.
    let commonName: String?

    /// Reads a certificate; nil if the bytes are none.
    init?(der: [UInt8]) {
        guard var certificate = DERReader(der[...]).content(of: .sequence),
            var body = certificate.next(.sequence)
        else { return nil }
        // The version is left out in certificates of version 1; then come number, signature, issuer and validity.
        body.skip(.version)
        for tag in [DERReader.Tag.integer, .sequence, .sequence, .sequence] where body.next(tag) == nil { return nil }
        guard let subject = body.next(.sequence) else { return nil }
        self.commonName = Self.commonName(in: subject)
    }

    /// The object identifier 2.5.4.3.
    private static let commonNameIdentifier: [UInt8] = [0x55, 4, 3]

    private static func commonName(in subject: DERReader) -> String? {
        var (subject, name) = (subject, String?.none)
        while var set = subject.next(.set) {
            while var attribute = set.next(.sequence) {
                guard let identifier = attribute.next(.objectIdentifier) else { return nil }
                guard identifier.bytes.elementsEqual(Self.commonNameIdentifier) else { continue }
                guard let text = attribute.next(.utf8) ?? attribute.next(.printable) else { return nil }
                name = String(certificate: text.bytes)
            }
            guard set.isAtEnd else { return nil }
        }
        return subject.isAtEnd ? name : nil
    }
}

/// Reads the elements of DER, the encoding of certificates, one behind the other.
struct DERReader {
    enum Tag: UInt8 {
        case integer = 0x02
        case objectIdentifier = 0x06
        case utf8 = 0x0C
        case printable = 0x13
        case sequence = 0x30
        case set = 0x31
        case version = 0xA0
    }

    /// The bytes that are not read yet.
    private(set) var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { self.bytes.isEmpty }

    /// The content of the only element; nil if it has another tag.
    func content(of tag: Tag) -> DERReader? {
        var reader = self
        return reader.next(tag)
    }

    /// Passes over an element with this tag, if it comes next.
    mutating func skip(_ tag: Tag) {
        _ = self.next(tag)
    }

    /// The content of the next element; nil, and nothing is read, if it has another tag or is cut short.
    mutating func next(_ tag: Tag) -> DERReader? {
        var rest = self.bytes
        guard rest.popFirst() == tag.rawValue, let length = Self.length(&rest), length <= rest.count else { return nil }
        let end = rest.startIndex + length
        self.bytes = rest[end...]
        return DERReader(rest[..<end])
    }

    private static func length(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let first = rest.popFirst() else { return nil }
        guard first >= 0x80 else { return Int(first) }
        // Four bytes of length are more than any certificate has.
        let count = Int(first & 0x7F)
        guard (1...4).contains(count), rest.count >= count else { return nil }
        return (0..<count).reduce(0) { length, _ in length << 8 | Int(rest.popFirst() ?? 0) }
    }
}

extension String {
    /// The text of a name in a certificate; nil if it is empty, no UTF-8, or has control characters.
    init?(certificate bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self = text
    }
}
