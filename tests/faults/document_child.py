"""Open one document, walk all that it holds, and print what became of it and the most memory it took."""

from __future__ import annotations

import json
import re
import resource
import sys
from pathlib import Path

from assay.core.errors import AssayError
from assay.files.documents.document import DocumentLines
from assay.files.documents.opening import open_document

GIB = 1 << 30

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (6 * GIB, 6 * GIB))
    resource.setrlimit(resource.RLIMIT_CPU, (240, 240))
    refused, read, faults = None, 0, []
    try:
        document = open_document(Path(sys.argv[1]))
        if isinstance(document, DocumentLines):
            read = len(document.lines)
        else:
            for record in document:
                read += 1
                faults += [record.fault] if record.fault and len(faults) < 5 else []
    except AssayError as error:
        refused = str(error)
    told = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text(encoding="ascii"))
    peak = int(told[1]) // 1024 if told else 0
    print(json.dumps({"refused": refused, "read": read, "faults": faults, "peak": peak}))
