"""Small grammars for the tests of what is done with them, and random ones."""

from __future__ import annotations

from hypothesis import strategies as st

from wynot.domains.grammar.grammar_language import GrammarLanguage
from wynot.domains.grammar.grammar_model import ConvertedGrammar
from wynot.domains.grammar.productions import Production, Rules, compiled

SIGNS = "abc"
NAMES = ("p", "q", "r", "s")
Bodies = dict[str, list[tuple[str, ...]]]


@st.composite
def bodies(draw: st.DrawFn, *, empty: bool = True) -> Bodies:
    """The productions of a few nonterminals; some may derive nothing at all."""
    names = NAMES[: draw(st.integers(1, len(NAMES)))]
    symbols = st.sampled_from((*names, *(sign.upper() for sign in SIGNS)))
    body = st.lists(symbols, min_size=0 if empty else 1, max_size=3).map(tuple)
    return {name: draw(st.lists(body, min_size=1, max_size=3, unique=True)) for name in names}


def written(rules: Bodies) -> str:
    """A grammar as Lark reads it."""
    lines = [f"{name}: {' | '.join(' '.join(body) for body in found)}" for name, found in rules.items()]
    return "\n".join((*lines, *(f'{sign.upper()}: "{sign}"' for sign in SIGNS))) + "\n"


def productions(rules: Bodies) -> list[Production]:
    return [
        Production(number, *pair)
        for number, pair in enumerate((name, body) for name, found in rules.items() for body in found)
    ]


def rules_of(text: str, start: str = "start") -> Rules:
    return compiled(ConvertedGrammar(text, start))


def language(text: str, start: str = "start") -> GrammarLanguage:
    return GrammarLanguage(ConvertedGrammar(text, start))


STATEMENTS = r"""
start: stmt*
stmt: "if" "(" e ")" stmt | "if" "(" e ")" stmt "else" stmt | "{" stmt* "}" | "var" names ";"
    | NAME "=" e ";" | NAME "(" (e ("," e)*)? ")" ";"
names: NAME | names "," NAME
e: t | e "+" t | e "-" t
t: NAME | NUMBER | "(" e ")" | NAME "(" (e ("," e)*)? ")"
NAME: /[a-z]+/
NUMBER: /[0-9]+/
%ignore /\s+/
%ignore /#.*/
"""
PROGRAM = b"""# what is counted
var one, two , three;
if (one) if (two + 1) f(1, 2 # why
  , 3); else two = iffy - (3 + one); # done
{ g(); { h(f(1)); } }
one = two
  + three;
# the end
"""
