"""Cases that the document of the API cannot exclude, for schemathesis."""
import schemathesis


def fits(entries):
    """Whether the entries of a transaction name each channel once, and their integers have no fraction as 2.0 has one."""
    entries = [entry for entry in entries if isinstance(entry, dict)]
    names = [repr(entry.get("channel")) for entry in entries]
    return len(set(names)) == len(names) and not any(isinstance(entry.get("if"), float) for entry in entries)


@schemathesis.hook
def filter_case(context, case):
    """Whether the document judges the case rightly.

    Both conditions at once are refused. A condition has quotation marks, which schemathesis leaves out. The header
    Last-Event-ID counts for streams only. A name has 255 bytes of UTF-8, while a schema counts characters.
    """
    headers = {name.lower(): value for name, value in (case.headers or {}).items()}
    body = case.body if isinstance(case.body, dict) else {}
    entries = body.get("set")
    named = [body, *(entry for entry in entries if isinstance(entry, dict))] if isinstance(entries, list) else [body]
    texts = [
        *(case.path_parameters or {}).values(), *(case.query or {}).values(),
        *(part[key] for part in named for key in ("channel", "code") if key in part),
    ]
    return (
        (not isinstance(entries, list) or fits(entries))
        and not {"if-match", "if-none-match"} <= set(headers)
        and str(headers.get("if-match", '"1"')).startswith('"')
        and str(headers.get("last-event-id", "1")).isdecimal()
        and all(len(str(text).encode()) <= 255 for text in texts)
    )
