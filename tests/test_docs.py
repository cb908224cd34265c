"""Documentation is tested: every command has help and stands in the README, and the README's examples run."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main

from kibitz.assistant.cli import app

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
GROUP: Any = typer.main.get_command(app)


def commands() -> dict[str, Any]:
    return dict(GROUP.commands)


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_has_help_and_is_in_the_readme(name: str) -> None:
    command = commands()[name]
    assert (command.help or "").strip().endswith(".")
    assert f"kibitz {name}" in README
    for parameter in command.params:
        if parameter.param_type_name == "option":
            assert parameter.help, f"{name} {parameter.name}"


def test_every_command_in_the_readme_exists() -> None:
    named = set(re.findall(r"`kibitz ([a-z]+)", README)) | set(re.findall(r"^kibitz ([a-z]+)", README, re.M))
    assert named <= set(commands())


def test_the_readme_is_short_and_its_links_lead_somewhere() -> None:
    assert len(README.splitlines()) <= 150
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        if "://" not in target:
            assert (ROOT / target).exists(), target


def test_the_library_example_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.S)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_the_scripts_that_the_readme_names_exist() -> None:
    for words in re.findall(r"^python3 (\S+\.py.*)$", README, re.M):
        assert (ROOT / shlex.split(words)[0]).exists()


def test_ci_calls_what_the_readme_names() -> None:
    assert "scripts/test.py" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "python3 scripts/test.py" in README
