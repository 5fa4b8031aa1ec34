"""Results, repair text and logs: what each says, and what never gets to a model."""

from __future__ import annotations

import math
import pickle
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halt_rag.errors import BackendError, InputError, UnknownNameError
from halt_rag.groundedness.log import log_fields, log_line
from halt_rag.groundedness.repair import Checked, Strategy, repair_text, should_recheck, should_repair
from halt_rag.groundedness.result import UndeterminedError, ValidationResult

STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
PASS, FAIL = ValidationResult(True, "fine"), ValidationResult(False, "too long")
LINE = st.text(st.characters(codec="utf-8", exclude_categories=["Zl", "Zp", "Cc"]))
ERROR = ValidationResult(False, error=ValueError("no documents"))


class TestResult:
    @pytest.mark.parametrize("passed", [True, False])
    @pytest.mark.parametrize("error", [None, ValueError("x"), BackendError("down", backend="b")])
    def test_only_a_pass_without_an_error_is_true(self, *, passed: bool, error: Exception | None) -> None:
        result = ValidationResult(passed, error=error)
        assert result.status == ("error" if error else "pass" if passed else "fail")
        assert bool(result) is result.as_bool() is (passed and error is None)

    def test_it_shows_its_error(self) -> None:
        assert "no documents" in repr(ERROR)

    @pytest.mark.parametrize("score", [-0.1, 1.1, math.nan, math.inf])
    def test_a_score_is_a_probability(self, score: float) -> None:
        with pytest.raises(InputError, match="score"):
            ValidationResult(True, score=score)

    def test_the_error_of_unread_answers_can_be_pickled(self) -> None:
        error = pickle.loads(pickle.dumps(UndeterminedError("1 span", hint="Look.")))  # noqa: S301 - made here
        assert (str(error), error.code) == ("1 span Look.", "UNDETERMINED")


class TestAdvice:
    def test_only_a_fail_is_repaired(self) -> None:
        assert [should_repair(r) for r in (PASS, FAIL, ERROR)] == [False, True, False]
        assert [should_repair(r, repair_errors=True) for r in (PASS, FAIL, ERROR)] == [False, True, True]

    @pytest.mark.parametrize("retryable", [True, False])
    def test_an_error_says_whether_to_check_again(self, *, retryable: bool) -> None:
        outage = BackendError("down", backend="b", retryable=retryable)
        assert should_recheck(ValidationResult(False, error=outage)) is retryable
        wrapper = RuntimeError("wrapped")
        wrapper.__cause__ = outage
        assert should_recheck(ValidationResult(False, error=wrapper)) is retryable

    def test_other_results_need_no_second_look(self) -> None:
        assert not any(map(should_recheck, (PASS, FAIL, ERROR)))

    def test_causes_that_run_in_a_circle_end(self) -> None:
        error = ValueError("a")
        error.__cause__ = error
        assert not should_recheck(ValidationResult(False, error=error))


class TestRepairText:
    @pytest.mark.parametrize(
        ("strategy", "reason", "description", "bullets"),
        [
            ("template", "too long", "be brief", ["* too long"]),
            ("template", None, "be brief", ["* be brief"]),
            ("template", " ", "be brief", ["* be brief"]),
            ("template", "", "  ", []),
            ("multi-turn", "too long", "be brief", ["* too long"]),
            ("multi-turn", None, "be brief", ["* be brief"]),
            ("model-friendly", "too long", "be brief", ["* be brief (not met). Details: too long"]),
            ("model-friendly", None, "be brief", ["* be brief (not met)."]),
            ("model-friendly", "too long", "", ["* too long"]),
            ("model-friendly", None, "", []),
        ],
    )
    def test_lines(self, strategy: Strategy, reason: str | None, description: str, bullets: list[str]) -> None:
        text = repair_text([Checked("be kind", PASS), Checked(description, ValidationResult(False, reason))], strategy)
        assert text.splitlines()[1:] == bullets
        assert bool(text) == bool(bullets)

    def test_an_unknown_strategy_is_named(self) -> None:
        with pytest.raises(UnknownNameError, match="model-friendly"):
            repair_text([], "modelfriendly")  # type: ignore[arg-type]

    @pytest.mark.parametrize("strategy", STRATEGIES)
    @pytest.mark.parametrize("reason", [None, "", "Engine said: CANARY-7", "CANARY-7"])
    def test_an_error_never_speaks(self, strategy: Strategy, reason: str | None) -> None:
        for passed in (True, False):
            result = ValidationResult(passed, reason, RuntimeError("CANARY-7"))
            text = repair_text([Checked("be grounded", result)], strategy)
            assert "be grounded" in text
            assert "CANARY" not in text
            assert "None" not in text

    def test_a_reason_beside_an_error_is_used_if_it_is_not_the_error(self) -> None:
        result = ValidationResult(False, "span X unsupported", ValueError("y!"))
        assert repair_text([Checked("be grounded", result)]).endswith("* span X unsupported")

    @given(st.lists(st.tuples(LINE, st.booleans(), st.none() | LINE, st.none() | LINE)), st.sampled_from(STRATEGIES))
    def test_each_open_requirement_has_one_bullet_and_none_is_empty(
        self, given_: list[tuple[str, bool, str | None, str | None]], strategy: Strategy
    ) -> None:
        checked = [
            Checked(description, ValidationResult(passed, reason, None if error is None else ValueError(error)))
            for description, passed, reason, error in given_
        ]
        bullets = repair_text(checked, strategy).split("\n")[1:]
        assert len(bullets) == sum(not c.result for c in checked if c.description.strip() or _speaks(c.result))
        assert all(bullet.startswith("* ") and bullet[2:].strip() for bullet in bullets)


def _speaks(result: ValidationResult) -> bool:
    """Whether a result has a reason that is not its error."""
    error = str(result.error or "").strip()
    reason = (result.reason or "").strip()
    return bool(reason) and not (error and error in reason)


class TestLogs:
    @pytest.mark.parametrize(
        ("result", "line"),
        [
            (PASS, "be brief: pass └─ fine"),
            (FAIL, "be brief: fail └─ too long"),
            (ERROR, "be brief: error └─ no documents"),
            (ValidationResult(False, "span X", ValueError("y")), "be brief: error └─ span X"),
            (ValidationResult(False, "no"), "be brief: fail"),
            (ValidationResult(True, "Yes."), "be brief: pass"),
            (ValidationResult(False, "no", ValueError("y")), "be brief: error └─ y"),
            (ValidationResult(False, error=TimeoutError()), "be brief: error └─ TimeoutError"),
        ],
    )
    def test_line(self, result: ValidationResult, line: str) -> None:
        assert log_line("be brief", result) == line

    def test_fields_keep_an_error_and_a_score_apart(self) -> None:
        outage = BackendError("down", backend="b", retryable=True)
        errored = log_fields("be brief", ValidationResult(False, error=outage, score=0.2, stage="support"))
        assert errored == {
            "requirement": "be brief",
            "status": "error",
            "stage": "support",
            "score": None,
            "reason": None,
            "error_type": "halt_rag.errors.BackendError",
            "error_message": "down",
            "error_retryable": True,
            "failing": 0,
            "unknown": 0,
        }
        failed = log_fields("be brief", ValidationResult(False, "too long", score=0.2))
        assert failed["score"] == 0.2
        assert [failed[key] for key in failed if key.startswith("error")] == [None] * 3
