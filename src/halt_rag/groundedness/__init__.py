"""A check for generate-validate-repair loops that never confuses a verdict with a failure to reach one."""

from __future__ import annotations
