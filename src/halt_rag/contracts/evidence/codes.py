"""The stable codes of the validator: what each means, and whether it makes a field invalid.

A code is never reused for something else. ``error`` makes a field invalid, ``doubt`` leaves it unverified (nothing is
wrong, nothing is proven), ``note`` changes nothing.
"""

from __future__ import annotations

from typing import Literal

Severity = Literal["error", "doubt", "note"]

ERRORS = {
    # shape
    "RECORD_NOT_OBJECT": "the record is not a JSON object",
    "FIELD_MISSING": "the record has no such field",
    "FIELD_NOT_OBJECT": "the field is not a JSON object",
    "VALUE_MISSING": "the field has no value key",
    "ITEMS_MISSING": "the list field has no items",
    "EVIDENCE_MISSING": "a value without evidence",
    "EVIDENCE_NOT_OBJECT": "the evidence is neither an object nor a list of objects",
    "SPAN_MISSING": "the evidence lacks a line number or an offset",
    "LINE_NOT_INTEGER": "a line number or offset is not an integer",
    "QUOTE_MISSING": "the evidence has no quote",
    "QUOTE_NOT_STRING": "the quote is not a string",
    "QUOTE_EMPTY": "the quote has no visible character",
    # bounds
    "SOURCE_UNKNOWN": "the evidence names a source that was not given",
    "SOURCE_CHANGED": "the source is not the text that the evidence was made from",
    "SPAN_INVERTED": "the range starts after its end",
    "SPAN_OUT_OF_BOUNDS": "the range is not inside the source",
    # quote
    "QUOTE_NOT_IN_SPAN": "the quote is in the source, but not at the claimed place",
    "QUOTE_NOT_FOUND": "the quote is not in the source",
    "QUOTE_NOT_VERBATIM": "the quote matches only through folds that are not allowed here",
    "QUOTE_HAS_ELLIPSIS": "the quote leaves words out",
    "FRAGMENTS_OUT_OF_ORDER": "the parts around an ellipsis stand in another order in the source",
    # value
    "VALUE_UNPARSEABLE": "the value is not of its declared type",
    "VALUE_NOT_IN_QUOTE": "the quote does not state the value",
    "VALUE_AMBIGUOUS": "the quote can be read as this value and as another",
    "VALUE_OVERPRECISE": "the value says more than the quote",
    "VALUE_CONTRADICTS_QUOTE": "the quote states the opposite",
    "CURRENCY_NOT_IN_QUOTE": "the quote states the number, not in this currency",
    "UNIT_NOT_IN_QUOTE": "the quote states the number, not in this unit",
    # flags
    "FLAG_MISSING": "answer_found or complete_answer_found is missing",
    "FLAG_NOT_BOOLEAN": "answer_found or complete_answer_found is neither true nor false",
    "FLAGS_INCONSISTENT": "the flags contradict the value or each other",
    "NULL_NOT_ALLOWED": "no value, although the field requires one",
    "ABSENCE_CONTRADICTED": "the field's presence probe finds what was declared absent",
    "COMPLETENESS_CONTRADICTED": "the field's presence probe finds more than was reported as complete",
}

DOUBTS = {
    "VALUE_NOT_DERIVABLE": "the span holds, but whether it means the value cannot be checked mechanically",
    "VALUE_DERIVED": "declared as derived: there is no verbatim span to check it against",
}

NOTES = {
    "ABSENT_DECLARED": "declared as not found",
    "INCOMPLETE_DECLARED": "declared as found in part",
    "EVIDENCE_ON_ABSENT": "no value, but a span that holds",
    "SPAN_WIDER_THAN_QUOTE": "the range is wider than the quote needs",
    "QUOTE_TOO_SHORT": "the quote is so short that it may be there by coincidence",
    "RANGE_ENDPOINT": "the value is one end of a range",
    "FIELD_UNKNOWN": "the contract has no such field",
}
"""Notes; ``QUOTE_HAS_ELLIPSIS`` is one too where a field allows ellipses, ``RANGE_ENDPOINT`` an error where it forbids
ranges."""

MEANING = {**ERRORS, **DOUBTS, **NOTES}
"""Every code with its meaning."""

HINTS = {
    "case_differs": "the source has the same words in another case; copy its spelling",
    "confusable": "letters of another script look like those of the source; this may be an attack",
    "ocr_confusable": "the source has look-alike characters such as l for 1; quote it as it is and report the error",
    "html_entity": "the source has HTML entities; declare content_type html or quote them as they are",
    "markdown": "the source has Markdown marks; declare content_type markdown or quote them as they are",
    "escaped_newline": "the quote holds a backslash and a letter; unescape it once more",
    "compatibility_characters": "the source has super- or subscripts, full-width or similar characters",
    "wrapped_quote": "the quote has quotation marks around it that the source does not have",
    "line_number_prefix": "the quote begins with a line number of the prompt",
    "bracketed_insertion": "the quote has words in brackets that the source does not have",
    "send_separate_spans": "send one piece of evidence for each fragment",
    "other_source": "the quote is in another source",
}
"""Why a quote may not have been found: information for a person or a retry, never a reason to accept it."""
