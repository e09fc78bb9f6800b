"""Does make take a question as it was typed, and say what is missing on a new machine?"""

import os
import shutil
import subprocess

import pytest

from tests.require import command
from tests.tree import ROOT

ECHO = '#!/bin/sh\nfor each in "$@"; do printf "<%s>" "$each"; done\nexit ${STATUS:-0}\n'


@pytest.fixture
def checkout(tmp_path):
    """Make a checkout whose `widedeep` says what it was given."""
    for each in ("Makefile", "pyproject.toml"):
        shutil.copy2(ROOT / each, tmp_path)
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / ".demo").touch()
    fake = tmp_path / ".venv" / "bin" / "widedeep"
    fake.write_text(ECHO, encoding="utf-8")
    fake.chmod(0o755)
    return tmp_path


def make(folder, *arguments, **environment):
    inherited = {key: os.environ[key] for key in os.environ if not key.startswith("MAKE")}
    return subprocess.run(
        [command("make"), *arguments],
        cwd=folder,
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("door", ["argument", "environment"])
@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of Ecuador?",
        """it's "quoted", back\\slashed, 100 % $HOME $$ # ; | & > out""",
        "$(shell touch pwned) `touch pwned` $(touch pwned)",
        "two\nlines",
        "--help",
    ],
)
def test_a_question_reaches_the_command_as_typed(checkout, question, door):
    made = make(checkout, "demo", f"Q={question}") if door == "argument" else None
    made = made or make(checkout, "demo", Q=question)
    assert made.stdout == f"<ask><--corpus><sample><--><{question}>"
    assert (made.returncode, made.stderr) == (0, "")
    assert not (checkout / "pwned").exists()


@pytest.mark.parametrize(("status", "good"), [("0", True), ("3", True), ("4", True), ("1", False)])
def test_no_evidence_is_an_answer_and_a_failure_is_not(checkout, status, good):
    assert (make(checkout, "demo", STATUS=status).returncode == 0) is good


OLD = "#!/bin/sh\nexit 1\n"
BARE = "#!/bin/sh\ncase $* in *ensurepip*) exit 1 ;; esac\n"


@pytest.mark.parametrize(("python", "fix"), [(OLD, "PYTHON="), (BARE, "python3-venv")])
def test_a_machine_without_a_python_that_will_do_is_told_the_fix(tmp_path, python, fix):
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    path = tmp_path / "bin"
    path.mkdir()
    for each in ("sh", "dirname"):
        (path / each).symlink_to(command(each))
    (path / "python3").write_text(python, encoding="utf-8")
    (path / "python3").chmod(0o755)
    made = subprocess.run(
        [command("sh"), tmp_path / ".ci" / "venv"],
        env={"PATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 1
    assert fix in made.stderr
    assert len(made.stderr.splitlines()) == 1
