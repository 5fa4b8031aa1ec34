"""Patterns of citations and references that more than one rule reads. All are linear in the text."""

from __future__ import annotations

import re

NAME = r"[^\W\d_][\w\u0300-\u036f'’-]{0,60}"
_PARTICLE = (
    r"(?:(?:[Vv]an|[Vv]on|[Dd]er|[Dd]en|[Dd]e|[Dd]a|[Dd]i|[Dd]u|[Dd]el|[Ll]a|[Ll]e|[Ee]l|al|bin|ibn|ter|"
    r"ten|dos|das)\s){0,3}"
)
_SECOND = rf"(?:,?\s(?:and|&|und|et|y)\s{_PARTICLE}{NAME})"
_MORE = rf"(?:,\s{_PARTICLE}{NAME}){{0,6}}"
_ET_AL = r",?\set\sal\.?"

AUTHOR_YEAR = re.compile(
    rf"(?<![\w\u0300-\u036f.@/'’-])(?P<lead>{_PARTICLE})(?P<name>{NAME})"
    rf"(?:(?P<etal>{_MORE}{_ET_AL})|(?P<pair>{_MORE}{_SECOND}))?(?:['’]s?)?,?\s"
    r"(?:\((?P<year>\d{4})[a-z]?(?:,\s?pp?\.\s?\d+(?:[-–]\d+)?)?\)|\[(?P<year2>\d{4})[a-z]?\])"
)
"""``Smith et al. (2024)``, ``Smith and Jones (2024)``, ``Smith (2024)``."""

BRACKETED = re.compile(
    rf"(?<=[(;])\s?(?:see\s|e\.g\.,?\s|cf\.\s)?(?P<lead>{_PARTICLE})(?P<name>{NAME})"
    rf"(?:(?P<etal>{_MORE}{_ET_AL})|(?P<pair>{_MORE}{_SECOND}))?,\s(?P<year>\d{{4}})[a-z]?(?=\s?[;),])"
)
"""``(Smith et al., 2024)``, ``(Smith, 2024; Jones & Li, 2023)``."""

ET_AL = re.compile(rf"(?<![\w\u0300-\u036f.@/'’-])(?P<lead>{_PARTICLE})(?P<name>{NAME}){_MORE},?\set\sal\b\.?")
"""``Smith et al.``"""

DOI = re.compile(r"(?<![\w.-])10\.\d{4,9}(?:\.\d+)*/[^\s\"'`\ufffc|{}\\^]+")
"""A DOI with whatever follows it up to a blank; the end must still be trimmed."""

ARXIV = re.compile(
    r"(?<![\w./-])(?:arxiv:\s?(?P<new>\d{4}\.\d{4,5}(?:v\d{1,2})?)(?![\w]|\.\d)"
    r"|(?:arxiv:\s?)?(?P<old>[a-z]{2,8}(?:-[a-z]{2,3})?(?:\.[A-Z]{2})?/\d{7}(?:v\d{1,2})?)(?!\w))"
    r"|(?<![\w-])arxiv\.org/(?:abs|pdf|html)/(?P<url>\d{4}\.\d{4,5}(?:v\d{1,2})?)(?!\w)",
    re.IGNORECASE,
)
"""An arXiv identifier with its label, an old-style one without, or one in an address."""

FOOTNOTE = re.compile(r"\[\^([^\[\]\s]{1,100})\](?!:)")
NUMERIC = re.compile(r"\[\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,20}\](?![(:\[])")
KEYED = re.compile(r"\[@([\w:.#$%&+?<>~/-]{1,100})")
POINTER = re.compile(
    r"\b(?:[Tt]able|[Ff]ig(?:ure|\.)|[Aa]ppendix|[Ss]ection|[Ee]q(?:uation|\.)|[Ll]isting)\s?[A-Z]?\d+\b"
)
NAMED_SOURCE = re.compile(
    r"(?i)(?:\b(?:sources?|quellen?|fuentes?)\s?:|\b(?:according to|cited (?:in|from)|data from|reported by|"
    r"published (?:in|by)|laut|gemäß|selon|d['’]après|según)\s|\b(?:author|vendor|self)s?[- ]reported\b)"
)

TITLES = frozenset(
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday spring summer autumn fall winter table figure fig section chapter appendix "
    "version release copyright updated published accessed created since until python windows office ubuntu report "
    "standard edition volume issue draft proposal note see also in as the this that these those by while and but "
    "following after before for from of on at to with when where which both however q1 q2 q3 q4 page part step "
    "conference workshop proceedings journal survey study paper model dataset benchmark award rfc iso ieee acm nist "
    "gdpr ecma est act law directive regulation convention treaty committee commission council university institute "
    "press group team next last port total overview introduction results summary status history background "
    "discussion conclusion line north south east west world global new old early late mid circa era year years "
    "season game film movie album book series olympics cup games google microsoft apple amazon meta openai facebook "
    "anthropic netflix ibm intel nvidia java javascript typescript rust go kotlin swift linux macos ios android "
    "chrome firefox safari docker kubernetes react angular vue node department company founded born established "
    "retrieved reviewed revised approved signed effective ".split()
)
"""Capitalised words before a year in brackets that are no author."""
