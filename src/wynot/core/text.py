"""Small helpers for text: plural forms, and names quoted for a shell."""

from __future__ import annotations

from shlex import quote


def counted(number: int, thing: str) -> str:
    """A number with the plural form that fits it.

    >>> counted(0, "test"), counted(1, "test"), counted(1234, "test"), counted(2, "pass")
    ('0 tests', '1 test', '1234 tests', '2 passes')
    """
    if number == 1:
        return f"1 {thing}"
    return f"{number} {thing}{'es' if thing.endswith(('s', 'ch')) else 's'}"


# Names in lines that users paste into a shell.


def pasted(name: object) -> str:
    """A name as a shell takes it: quoted where it has to be, and never an option.

    >>> pasted("bug.c"), pasted("my bug.c"), pasted("-rf")
    ('bug.c', "'my bug.c'", './-rf')
    """
    text = str(name)
    text = f"./{text}" if text.startswith("-") else text
    return quote(text) if text.isprintable() else _written(text)


def _written(text: str) -> str:
    r"""A name with characters that a terminal would not show, as bash, zsh and ksh read it.

    >>> print(_written("a\x1b[2J'\udcff"))
    $'a\033[2J\'\377'
    """
    return f"$'{''.join(map(_character, text))}'"


def _character(character: str) -> str:
    if character.isprintable():
        return f"\\{character}" if character in "\\'" else character
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", "surrogateescape"))
