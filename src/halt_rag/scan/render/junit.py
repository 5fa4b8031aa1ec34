"""JUnit XML: a suite per document, a case per detection."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from halt_rag.scan.report import Detection, ScanReport

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(report: ScanReport) -> str:
    """The report as JUnit XML: new detections fail, suppressed and known ones are skipped, unread files are errors."""
    suites = Element("testsuites", name="halt-rag scan")
    failures = tests = skipped = 0
    for document in report.documents:
        cases = document.detections
        failing = sum(case.state == "new" for case in cases)
        suite = SubElement(
            suites, "testsuite", name=_clean(document.target.path), tests=str(max(1, len(cases))),
            failures=str(failing), errors="0", skipped=str(len(cases) - failing),
            timestamp=document.timestamp.strftime("%Y-%m-%dT%H:%M:%S"),
        )  # fmt: skip
        if not cases:
            SubElement(suite, "testcase", classname=_clean(document.target.path), name="nothing detected")
        for case in cases:
            _case(suite, document.target.path, case)
        tests, failures = tests + max(1, len(cases)), failures + failing
        skipped += len(cases) - failing
    if report.unread:
        suite = SubElement(
            suites, "testsuite", name="not read", tests=str(len(report.unread)), failures="0",
            errors=str(len(report.unread)), skipped="0",
        )  # fmt: skip
        for unread in report.unread:
            case_element = SubElement(suite, "testcase", classname=_clean(unread.path), name="read")
            SubElement(case_element, "error", message=_clean(unread.reason))
    counts = {
        "tests": tests + len(report.unread),
        "failures": failures,
        "errors": len(report.unread),
        "skipped": skipped,
    }
    for name, number in counts.items():
        suites.set(name, str(number))
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _case(suite: Element, path: str, detection: Detection) -> None:
    place = detection.location
    name = f"{detection.rule} {detection.type} at {place.line}:{place.column}"
    case = SubElement(suite, "testcase", classname=_clean(path), name=name)
    said = f"{detection.claim}: {detection.note or detection.evidence.actual}"
    if detection.state == "new":
        failure = SubElement(case, "failure", type=detection.severity.value, message=_clean(said))
        failure.text = _clean(f"{path}:{place.line}:{place.column}\n{place.context}\n{detection.suggestion}")
    else:
        SubElement(case, "skipped", message=_clean(detection.reason or detection.state))


def _clean(text: str) -> str:
    """The text without characters that XML 1.0 cannot have."""
    return _NOT_XML.sub("\ufffd", text)
