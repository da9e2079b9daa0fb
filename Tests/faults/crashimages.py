"""The files that a loss of power may leave, from the calls that disklog.c recorded. Python 3.9+, standard library only.

A write, a truncation and a name are on the disk for certain once their file or folder has been synced. Any part of the later
calls may be there, and a write may be there in pieces of 512 bytes.
"""
import os, struct

CREATED, WRITTEN, TRUNCATED, SYNCED, RENAMED, UNLINKED, MADE_FOLDER = range(1, 8)
RECORD = struct.Struct("=QQQII")
SECTOR = 512


class Call:
    def __init__(self, time, inode, offset, kind, data):
        self.time, self.inode, self.offset, self.kind, self.data = time, inode, offset, kind, data


def calls(path):
    """The calls of a log, in their order."""
    with open(path, "rb") as file:
        log = file.read()
    at, found = 0, []
    while at + RECORD.size <= len(log):
        time, inode, offset, kind, length = RECORD.unpack_from(log, at)
        at += RECORD.size
        found.append(Call(time, inode, offset, kind, log[at:at + length]))
        at += length
    return found


def written(content, call):
    """The content of a file after a write or a truncation."""
    if call.kind == TRUNCATED:
        return content[:call.offset].ljust(call.offset, b"\0")
    content = content.ljust(call.offset, b"\0")
    return content[:call.offset] + call.data + content[call.offset + len(call.data):]


class Disk:
    """The disk of a machine whose power may go at any moment."""

    def __init__(self, root):
        self.root = os.path.realpath(root)
        self.synced = {}     # file: its bytes on the disk
        self.pending = {}    # file: writes and truncations since its last sync
        self.names = {}      # path: file, on the disk; a folder is None
        self.changes = {}    # folder: changes of names in it since its last sync
        self.current = {}    # path: file, as the programs see it
        self.files = {}      # inode: file; the system reuses an inode, a file keeps its name for ever
        self.folders = {os.stat(self.root).st_ino: self.root}

    def apply(self, call):
        if call.kind == CREATED:
            file = self.files[call.inode] = f"{call.inode}/{len(self.synced)}"
            self.synced[file], self.pending[file] = b"", []
            self.rename(None, call.data.decode(), file)
        elif call.kind == MADE_FOLDER:
            self.folders[call.inode] = call.data.decode()
            self.rename(None, call.data.decode(), None)
        elif call.kind in (WRITTEN, TRUNCATED):
            if call.inode in self.files:
                self.pending[self.files[call.inode]].append(call)
        elif call.kind == UNLINKED:
            self.rename(call.data.decode(), None, self.current.get(call.data.decode()))
        elif call.kind == RENAMED:
            old, new = call.data[:call.offset].decode(), call.data[call.offset:].decode()
            self.rename(old, new, self.current.get(old))
        elif call.kind == SYNCED and call.inode in self.folders:
            for change in self.changes.pop(self.folders[call.inode], []):
                self.settle(self.names, change)
        elif call.kind == SYNCED and call.inode in self.files:
            file = self.files[call.inode]
            for write in self.pending[file]:
                self.synced[file] = written(self.synced[file], write)
            self.pending[file] = []

    def rename(self, old, new, file):
        change = (old, new, file)
        self.changes.setdefault(os.path.dirname(new or old), []).append(change)
        self.settle(self.current, change)

    @staticmethod
    def settle(names, change):
        old, new, file = change
        if old is not None:
            names.pop(old, None)
        if new is not None:
            names[new] = file

    # Images: {path below the root: bytes, or None for a folder}.

    def image(self, keeps_change, kept_part):
        """The files after one crash.

        `keeps_change(folder, count)` returns the number of changes of names that reached the disk, and `kept_part(call)` the
        ranges of a write.
        """
        names = dict(self.names)
        for folder in sorted(self.changes):
            changes = self.changes[folder]
            for change in changes[:keeps_change(folder, len(changes))]:
                self.settle(names, change)
        image = {}
        for path, file in names.items():
            if os.path.dirname(path) != self.root and os.path.dirname(path) not in names:
                continue
            image[os.path.relpath(path, self.root)] = None if file is None else self.content(file, kept_part)
        return image

    def content(self, file, kept_part):
        content = self.synced[file]
        for call in self.pending[file]:
            for begin, end in kept_part(call):
                part = call if call.kind == TRUNCATED else Call(0, 0, call.offset + begin, WRITTEN, call.data[begin:end])
                content = written(content, part)
        return content

    def nothing(self):
        return self.image(lambda folder, count: 0, lambda call: [])

    def everything(self):
        return self.image(lambda folder, count: count, lambda call: [(0, len(call.data))])

    def torn(self, random):
        """A random part of the calls: whole writes and single sectors are there or not."""
        def kept_part(call):
            if call.kind == TRUNCATED:
                return [(0, 0)] if random.random() < 0.5 else []
            style = random.random()
            if style < 0.3:
                return [(0, len(call.data))]
            if style < 0.5:
                return []
            # A sector begins at a multiple of its size, wherever the write begins.
            cuts = [0, *range(-call.offset % SECTOR or SECTOR, len(call.data), SECTOR), len(call.data)]
            return [part for part in zip(cuts, cuts[1:]) if random.random() < 0.5]
        return self.image(lambda folder, count: random.randint(0, count), kept_part)


def lay_out(image, folder):
    """Puts an image into an empty folder."""
    for path in sorted(image):
        target = os.path.join(folder, path)
        if image[path] is None:
            os.mkdir(target, 0o700)
        else:
            with open(target, "wb") as file:
                file.write(image[path])
            os.chmod(target, 0o600)
