"""The parts that the checks of type names share. Python 3.9+, standard library only."""
import re

PAGE = "docs/architecture.md"

DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*"
    r"(?:(?:public|package|internal|fileprivate|private|open|final|indirect|nonisolated|distributed)(?:\([^)]*\))?\s+)*"
    r"(?:class|struct|enum|actor|protocol|typealias)\s+(\w+)",
    re.MULTILINE,
)
NO_CODE = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*', re.DOTALL)


def code(path):
    """The text of a Swift file without comments and strings."""
    return NO_CODE.sub(" ", path.read_text(encoding="utf-8"))


def declared(text):
    """The names of the types that a text declares outside any other type."""
    return DECLARATION.findall(text)


def items(root, heading):
    """The numbers and texts of the list items that the architecture page has below a heading."""
    below = False
    for number, line in enumerate((root / PAGE).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#"):
            below = line.lstrip("# ") == heading
        elif below and line.startswith("- "):
            yield number, line
