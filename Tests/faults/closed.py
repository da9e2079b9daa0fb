"""A closed racd, its configuration file and its certificates, for access.py. Python 3.9+, standard library only."""
import hashlib, os, ssl, subprocess, tempfile

from harness import Racd

VERBS = ("read", "write", "lead", "manage", "exec", "observe", "host")
LOCAL = "subjectAltName=DNS:localhost,IP:127.0.0.2"
CLIENT = "extendedKeyUsage=clientAuth"


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, stdin=subprocess.DEVNULL, capture_output=True)


class Authority:
    """A certificate authority in a folder of its own, below another one."""

    NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    CONFIGURATION = """
        [ca]
        default_ca = authority
        [authority]
        database = index.txt
        serial = serial
        new_certs_dir = .
        default_md = sha256
        policy = any
        unique_subject = no
        [any]
        commonName = optional
        """

    def __init__(self, parent):
        self.folder = tempfile.mkdtemp(dir=parent)
        for name, text in (("index.txt", ""), ("serial", "01\n"), ("ca.cnf", self.CONFIGURATION)):
            with open(os.path.join(self.folder, name), "w") as file:
                file.write(text)
        openssl(self.folder, "req", "-x509", *self.NEW_KEY, "-days", "9", "-keyout", "ca.key", "-out", "ca.crt",
                "-subj", "/CN=Test authority")
        self.file = os.path.join(self.folder, "ca.crt")

    def sign(self, name, extensions=LOCAL, subject="/CN=localhost", start="20200101000000Z", end="20490101000000Z"):
        """The files of a new certificate and of its key."""
        with open(os.path.join(self.folder, f"{name}.ext"), "w") as file:
            file.write(extensions)
        openssl(self.folder, "req", "-new", *self.NEW_KEY, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", subject)
        openssl(self.folder, "ca", "-batch", "-config", "ca.cnf", "-cert", "ca.crt", "-keyfile", "ca.key",
                "-in", f"{name}.csr", "-out", f"{name}.crt", "-startdate", start, "-enddate", end,
                "-extfile", f"{name}.ext", "-notext")
        return tuple(os.path.join(self.folder, f"{name}.{suffix}") for suffix in ("crt", "key"))

    def trust(self, *files):
        """The context of a client that trusts this authority, and shows the certificate of these files."""
        context = ssl.create_default_context(cafile=self.file)
        if files:
            context.load_cert_chain(*files)
        return context


def text(value):
    """A value of TOML."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(text, value))}]"
    return {True: "true", False: "false"}.get(value) or f'"{value}"'


def table(kind, **keys):
    """A table of TOML, of several of its kind."""
    return "\n".join([f"[[{kind}]]", *(f"{key.replace('_', '-')} = {text(value)}" for key, value in keys.items())]) + "\n"


def digest(token):
    """A token as the configuration file has it."""
    return f"sha256:{hashlib.sha256(token.encode()).hexdigest()}"


def role(name, grants, deny=(), **keys):
    return table("role", name=name, **grants, deny=list(deny), **keys)


def principal(name, *roles, token=None):
    """A principal, whose token is its name unless given."""
    return table("principal", name=name, roles=list(roles or (name,)), token=digest(token or name))


ROOT = role("root", {verb: ["**"] for verb in VERBS}, admin=True) + principal("root")


class Closed:
    """A folder with a configuration file, and a racd that has read it."""

    def __init__(self, folder, *tables):
        self.folder = folder
        self.file = os.path.join(folder, "racd.toml")
        self.socket = os.path.join(folder, "socket")
        self.racd = None
        self.write(*tables)

    def write(self, *tables):
        """Puts another configuration into the place of the present one."""
        with open(self.file + ".new", "w") as file:
            file.write("\n".join(tables))
        os.chmod(self.file + ".new", 0o600)
        os.rename(self.file + ".new", self.file)

    async def start(self, binary, *arguments, data=None):
        self.racd = await Racd.started(binary, data, *arguments, configuration=self.file)
        return self.racd
