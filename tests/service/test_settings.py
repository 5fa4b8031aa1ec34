"""Settings from flags, the environment and a file; and who may be reached without a key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from halt_rag import ConfigurationError
from halt_rag.cli.app import app
from halt_rag.service.settings import Settings, key_hash, load_settings

KEY = "0123456789abcdef"


def written(folder: Path, text: str) -> Path:
    file = folder / "serve.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_flags_come_first_then_the_environment_then_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, '[serve]\nport = 1\nworkers = 1\nqueue = 1\ncache = "scores.sqlite"\n')
    settings = load_settings({"port": 3, "host": None}, {"HALT_RAG_PORT": "2", "HALT_RAG_WORKERS": "2"}, file)
    assert (settings.port, settings.workers, settings.queue) == (3, 2, 1)
    assert settings.host == "127.0.0.1"
    assert settings.cache == Path("scores.sqlite")


def test_the_environment_may_name_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, "[serve]\nqueue = 7\n")
    assert load_settings({}, {"HALT_RAG_CONFIG": str(file)}).queue == 7
    other = tmp_path / "other.toml"
    other.write_text("[serve]\nqueue = 8\n", encoding="utf-8")
    assert load_settings({}, {"HALT_RAG_CONFIG": str(file)}, other).queue == 8


def test_every_setting_can_be_a_variable_or_in_the_file(tmp_path: Path) -> None:
    usual = Settings(api_key_hashes=(key_hash(KEY),), cache=Path("x"), threads=2)
    given = usual.model_dump(mode="json")
    lines = [f"{name} = {_toml(value)}" for name, value in given.items() if name != "backend_options"]
    assert load_settings({}, {}, written(tmp_path, "[serve]\n" + "\n".join(lines))) == usual
    variables = {
        f"HALT_RAG_{name.upper()}": ",".join(value) if isinstance(value, list) else str(value)
        for name, value in given.items()
        if name != "backend_options"
    }
    assert load_settings({}, variables) == usual


def _toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def test_other_variables_are_not_ours() -> None:
    assert load_settings({}, {"HALT_RAG_JUDGE_API_KEY": "x", "PORT": "9"}) == Settings()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.9.1"])
def test_loopback_needs_no_key(host: str) -> None:
    assert load_settings({"host": host}, {}).host == host


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", "localhost.example.org"])  # noqa: S104
def test_other_addresses_need_a_key_or_the_flag(host: str) -> None:
    with pytest.raises(ConfigurationError, match="can be reached from other machines, so it needs an API key"):
        load_settings({"host": host}, {})
    assert load_settings({"host": host}, {"HALT_RAG_API_KEY": KEY}).api_key_hashes == (key_hash(KEY),)
    assert load_settings({"host": host, "allow_remote_without_key": True}, {}).host == host


@pytest.mark.parametrize(
    ("flags", "environment", "text", "message"),
    [
        ({"port": 70000}, {}, "", r"^--port: Input should be less than"),
        ({}, {"HALT_RAG_QUEUE": "many"}, "", r"^HALT_RAG_QUEUE: Input should be a valid integer"),
        ({}, {}, "[serve]\nqueue = 0", r"serve.toml: queue: Input should be greater"),
        ({}, {}, "[serve]\nque = 1", r"serve.toml: que: Extra inputs are not permitted"),
        ({}, {}, "serve = 1", "serve is no table"),
        ({}, {}, "[serve", "cannot be read"),
        ({}, {"HALT_RAG_CONFIG": "missing.toml"}, None, "missing.toml cannot be read"),
        ({}, {"HALT_RAG_API_KEY": "short"}, "", "fewer than 16 characters.*openssl rand"),
        ({}, {"HALT_RAG_API_KEY": "0123456789abcdef\n"}, "", "a header cannot carry"),
        ({}, {"HALT_RAG_API_KEY": "0123456789abcdéf"}, "", "a header cannot carry"),
        ({}, {"HALT_RAG_API_KEY_HASHES": "abc"}, "", "must be 64 hexadecimal digits"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    flags: dict[str, Any], environment: dict[str, str], text: str | None, message: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        load_settings(flags, environment, None if text is None else written(tmp_path, text))
    assert "short" not in str(caught.value)


def test_the_command_ends_with_2(monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in (["--host", "0.0.0.0"], ["--backend", "embeded"], ["--task", "poetry"]):  # noqa: S104
        result = CliRunner().invoke(app, ["serve", *arguments])
        assert result.exit_code == 2, result.output
        assert result.output.startswith("halt-rag: ")


def test_a_missing_package_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [name for name in sys.modules if name.startswith("halt_rag.service.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = CliRunner().invoke(app, ["serve"])
    assert result.exit_code == 2
    assert 'pip install "halt-rag[service]"' in result.output
