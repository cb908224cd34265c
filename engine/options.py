"""Rule options of a patience: declared once, checked everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kibitz.engine.errors import OptionError

__all__ = ["Option", "OptionValue", "check_options", "option_text"]

OptionValue = bool | int | str | None
"""What an option can be: a switch, a number, a word, or None (no limit)."""


@dataclass(frozen=True, slots=True)
class Option:
    """One rule option: its name, its default, and what else it can be."""

    name: str
    """As in files and on the command line."""
    default: OptionValue
    """The reading of the rules that is used unless told otherwise."""
    values: tuple[OptionValue, ...]
    """Values to offer, the default among them; all that are accepted unless there is a range."""
    doc: str
    """What it decides, in one English sentence."""
    minimum: int | None = None
    """Smallest whole number accepted, if any whole number of a range is."""
    maximum: int | None = None
    """Largest whole number accepted."""

    def __post_init__(self) -> None:
        """Check that the default and the values offered are accepted."""
        for value in (self.default, *self.values):
            self.check(value)

    @property
    def accepts(self) -> str:
        """What is accepted, in words: `true, false` or `null or a number from 0 to 99`."""
        listed = [option_text(value) for value in self.values]
        if self.minimum is None:
            return ", ".join(listed)
        words = [option_text(v) for v in self.values if not _is_number(v)]
        return " or ".join([*words, f"a number from {self.minimum} to {self.maximum}"])

    def check(self, value: OptionValue) -> OptionValue:
        """Return the value if the option accepts it.

        Raises:
            OptionError: It does not.
        """
        if any(value is v or (type(value) is type(v) and value == v) for v in self.values):
            return value
        if self.minimum is not None and self.maximum is not None and type(value) is int:
            in_range = self.minimum <= value <= self.maximum
            if in_range:
                return value
        raise OptionError(f"option {self.name}: expected {self.accepts}, got {option_text(value)}")

    def parse(self, text: str) -> OptionValue:
        """Return the value written as on the command line (`true`, `null`, `3`, a word).

        Raises:
            OptionError: The option does not accept it.
        """
        words: dict[str, OptionValue] = {option_text(value): value for value in self.values}
        if text in words:
            return words[text]
        if text.isascii() and text.isdigit() and len(text) < 5:
            return self.check(int(text))
        raise OptionError(f"option {self.name}: expected {self.accepts}, got {text[:40]!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def option_text(value: object) -> str:
    """Return an option's value as it is written: `true`, `false`, `null`, `3` or a word."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)[:40]


def check_options(game: str, declared: Iterable[Option], given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Return the value of every declared option, given or default, in the order of declaration.

    Raises:
        OptionError: An option is not declared or has a value that it does not accept.
    """
    known = {option.name: option for option in declared}
    for name in given:
        if name not in known:
            raise OptionError(f"{game}: expected an option among {', '.join(known) or 'none'}, got {str(name)[:40]!r}")
    return {name: option.check(given[name]) if name in given else option.default for name, option in known.items()}
