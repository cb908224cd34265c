"""No test starts the background compiler by itself."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _no_background_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_NO_COMPILE", "1")
