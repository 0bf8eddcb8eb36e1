"""Tables for notebooks."""

from html import escape
from typing import Any, Iterable, Sequence


def cell(value: Any) -> str:
    """A value as a cell: numbers stand on the right, whole ones with separators of thousands."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return f"<td style='text-align:left'>{escape(str(value))}</td>"
    text = f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
    return f"<td style='text-align:right'>{text}</td>"


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table with a title; nothing in it is taken for markup."""
    head = "".join(f"<th>{escape(str(c))}</th>" for c in columns)
    body = "".join(f"<tr>{''.join(cell(v) for v in row)}</tr>" for row in rows)
    return f"<table><caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def counts(part: int, whole: int) -> str:
    """A part in per cent."""
    return f"{100 * part / whole:.1f} %" if whole else ""
