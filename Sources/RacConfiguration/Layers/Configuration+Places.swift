import Glibc
import RacServer
import RacWeb

extension Configuration {
    /// Looks at the places that the file names: certificates with their keys, and folders.
    ///
    /// Places that variables and options name are left to the start.
    ///
    /// - Throws: ``ConfigurationError``: all places with which a daemon would not start.
    package func checkPlaces() throws(ConfigurationError) {
        guard let file else { return }
        let faults = file.makeFaultList()
        for (number, listener) in (self.fileListeners ?? []).enumerated() {
            Self.check(listener, at: [SettingKey.listen.rawValue, "\(number)"], faults)
        }
        if let path = file.access.tokenFile { Self.checkTokenFile(path, faults) }
        if case .file = self.origin(of: .console), let path = self.web?.folder, !FileMode.isFolder(path) {
            faults.note("there is no folder \(path)", of: ["web", "console"])
        }
        guard faults.faults.isEmpty else { throw ConfigurationError(file: file.path, faults: faults.faults) }
    }

    /// Looks at the folder of the page: without it racd would show its own page.
    ///
    /// - Throws: ``ConfigurationFault``: there is no such folder.
    package func checkConsole() throws(ConfigurationFault) {
        guard let path = self.web?.folder, !FileMode.isFolder(path) else { return }
        throw ConfigurationFault("\(self.origin(of: .console)): there is no folder \(path)")
    }

    /// The folders of sockets that the service has to make before a start, since they are not there now.
    var awaitedFolders: [String] {
        let folders = self.listeners.compactMap { listener -> String? in
            guard case .unix(let socket) = listener.address else { return nil }
            return FilePlace.folder(of: socket)
        }
        return folders.filter { Self.isMadeByService($0) && !FileMode.isFolder($0) }
    }

    private static func check(_ listener: ListenerSetting, at path: [String], _ faults: FaultList) {
        if case .unix(let socket) = listener.address {
            let folder = FilePlace.folder(of: socket)
            guard !Self.isMadeByService(folder), !FileMode.isFolder(folder) else { return }
            faults.note("there is no folder \(folder) for the socket", of: path + ["address"])
        }
        do throws(CertificateFault) {
            try listener.tls?.check()
        } catch {
            let key =
                switch error.file {
                case .certificate: "certificate"
                case .key: "key"
                case .authority: "client-ca"
                }
            faults.note(error.description, of: path + [key])
        }
    }

    /// Whether the service makes a folder at each start of racd: those below /run do not outlive the machine.
    private static func isMadeByService(_ folder: String) -> Bool { folder.hasPrefix("/run/") }

    /// A token file that is not there yet is made by the first token.
    private static func checkTokenFile(_ path: String, _ faults: FaultList) {
        let folder = FilePlace.folder(of: path)
        if FileMode.isFolder(path) {
            faults.note("\(path) is a folder, and the key takes a file in it", of: [SettingKey.tokenFile.rawValue])
        } else if !FileMode.isFolder(folder) {
            faults.note("there is no folder \(folder) for the file", of: [SettingKey.tokenFile.rawValue])
        }
    }
}
