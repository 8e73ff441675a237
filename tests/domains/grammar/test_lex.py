from __future__ import annotations

import pytest

from tests.domains.grammar.reading import accepts, kinds, parser, yacc
from wynot.domains.grammar.readers.read_grammar import ConvertedGrammar, GrammarError

GRAMMAR = """%token NUM ID STR TYPE IF
%%
s: | s item ;
item: NUM | ID | STR | IF | TYPE | '+' | '(' | ')' | '\\n' ;
"""


def lexed(rules: str, head: str = "", tail: str = "") -> ConvertedGrammar:
    return yacc(GRAMMAR, lex=f"{head}\n%%\n{rules}\n%%\n{tail}")


def test_definitions_and_actions() -> None:
    head = """%{
    #include "y.tab.h"
    %%
%}
%option noyywrap
D   [0-9]
EXP [eE][+-]?{D}+   /* an exponent */
LETTER [[:alpha:]_]
"""
    rules = """
    int local = 1;
"if"                    return IF;
{D}+("."{D}*)?{EXP}?    { yylval.n = atof(yytext); return(NUM); }
{LETTER}({LETTER}|{D})* {
                          if (known(yytext)) { count++; }
                          return ID; /* return STR; */
                        }
\\"([^"\\\\\\n]|\\\\.)*\\"    { puts("return TYPE;"); return STR; }
[+()]                   |
\\n                      { return yytext[0]; }
[ \\t]+                  /* skipped */ ;
"#".*                   { ; }
.                       { return yytext[0]; }
"""
    found = lexed(rules, head)
    assert kinds(found, '1.5e3 if x1 "a\\"b" + # c\n(') == [
        ("NUM", "1.5e3"), ("IF", "if"), ("ID", "x1"), ("STR", '"a\\"b"'), ("'+'", "+"), ("'\n'", "\n"), ("'('", "("),
    ]  # fmt: skip
    assert found.undefined == ("TYPE",)


def test_conditions_that_collect_become_patterns() -> None:
    found = lexed(
        """
"/*"            { BEGIN(COMMENT); }
<COMMENT>"*/"   BEGIN(INITIAL);
<COMMENT>\\n     line++;
<COMMENT>.      ;
\\"              { BEGIN STRING; start(); }
<STRING>{
  \\"            { BEGIN(INITIAL); return STR; }
  \\\\.           { append(yytext[1]); }
  [^\\\\\\"]+      { append(yytext); }
}
[a-z]+          return ID;
" "             ;
""",
        "%x COMMENT STRING",
    )
    assert found.lexing
    assert list(found.lexing.modes) == [""]
    assert kinds(found, 'a /* "b\n* */ "c\\"d" e') == [("ID", "a"), ("STR", '"c\\"d"'), ("ID", "e")]


def test_conditions_that_give_tokens_become_modes() -> None:
    found = lexed(
        """
"("             { yy_push_state(INSIDE); return '('; }
<INSIDE>")"     { yy_pop_state(); return ')'; }
<INSIDE>[0-9]+  return NUM;
<INSIDE>[ ]     ;
[a-z]+          return ID;
""",
        "%x INSIDE",
    )
    assert [kind for kind, _text in kinds(found, "ab(1 2)c")] == ["ID", "'('", "NUM", "NUM", "')'", "ID"]
    assert not accepts(parser(found), "1")
    assert not accepts(parser(found), "(a)")


def test_a_condition_that_is_kept_in_a_variable_is_taken_to_be_the_first() -> None:
    found = lexed("'  BEGIN(QUOTE);\n<QUOTE>' { BEGIN(before); return STR; }\n<QUOTE>[a-z] ;\n", "%x QUOTE")
    assert found.warnings[0] == "t.l:4: ': which condition it begins cannot be told; taken to be INITIAL"
    assert kinds(found, "'ab''c'") == [("STR", "'ab'"), ("STR", "'c'")]


def test_inclusive_conditions_have_the_plain_rules_too() -> None:
    found = lexed('"<" BEGIN(IN);\n<IN>">" BEGIN(INITIAL);\n<IN>[0-9]+ return NUM;\n[a-z]+ return ID;\n', "%s IN")
    assert [kind for kind, _text in kinds(found, "a<b1>c")] == ["ID", "ID", "NUM", "ID"]
    assert not accepts(parser(found), "1")


def test_a_rule_that_gives_one_token_or_another() -> None:
    """The grammar takes either where it asks for one; which one it is only the program knows."""
    found = lexed("[a-z]+ { return check(); }\n[0-9]+ return is(yytext) ? NUM : STR;", tail="int check(void) {\n"
                  "  if (type(yytext)) return TYPE;\n  return ID;\n}\n")  # fmt: skip
    assert accepts(parser(found), "a1")
    assert [kind for kind, _text in kinds(found, "a1")] == ["TYPE_or_ID", "NUM_or_STR"]


def test_macros_and_names_of_cpp() -> None:
    found = lexed('[0-9]+ RETURN(NUM);\n[a-z]+ return yy::parser::make_ID(yytext, loc);\n"if" return token::IF;\n')
    assert [kind for kind, _text in kinds(found, "1a")] == ["NUM", "ID"]


def test_prefixes_of_tokens() -> None:
    found = yacc("%define api.token.prefix {TOK_}\n%token NUM\n%%\ns: NUM;\n", lex="%%\n[0-9] return TOK_NUM;\n")
    assert kinds(found, "1") == [("NUM", "1")]


def test_what_only_the_program_knows_is_told() -> None:
    found = lexed('[a-z]+ return other(yytext);\n"/*" { skip_comment(); }\n[0-9]+ { yyless(1); return NUM; }\n')
    assert found.warnings[:3] == (
        "t.l:3: [a-z]+: which token it gives cannot be told: return other(yytext)",
        "t.l:4: /* is taken to begin a comment; its action reads on by itself",
        "t.l:5: [0-9]+: yyless is ignored",
    )
    assert kinds(found, "/* a */1") == [("NUM", "1")]


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        ('"a+"\\.x', ["a+.x"], ["aa.x"]),
        ("[^a-c\\n]", ["d", "é"], ["a", "\n"]),
        ("[[:digit:][:upper:]]{2,3}", ["A1", "1AB"], ["a1", "A"]),
        ("[a-z]{-}[aeiou]", ["b"], ["a"]),
        ("(?i:ab)c", ["ABc", "abc"], ["ABC"]),
        ("a{3}", ["aaa"], ["aa"]),
        ("a|ab|abc", ["abc", "ab", "a"], ["c"]),
        ("\\x41\\102\\t", ["AB\t"], ["A"]),
        ("[\\]\\-x]", ["]", "-"], ["y"]),
        ("^a$", ["a"], []),
        ("ab/c|x", [], ["ab", "x"]),
        ("[\\x80-\\xff]+", ["é", "日本"], ["e"]),
    ],
)
def test_patterns(pattern: str, good: list[str], bad: list[str]) -> None:
    lark = parser(yacc("%token A\n%%\ns: A;\n", lex=f"%%\n{pattern} return A;\n"))
    assert [text for text in good if not accepts(lark, text)] == []
    assert [text for text in bad if accepts(lark, text)] == []


def test_case_insensitive_lexers() -> None:
    assert accepts(parser(lexed('"if" return IF;\n[a-c]x return ID;', "%option case-insensitive")), "IFAX")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("[a-z return ID;", r"t\.l:3: this is no regular expression of Lex"),
        ("{NOPE} return ID;", r"t\.l:3: \{NOPE\} is not defined"),
        ("<NOPE>a return ID;", r"t\.l:3: the start condition NOPE is not declared"),
        ("()  return ID;", r"t\.l:3: ID matches nothing"),
        ("a { return ID;", r"t\.l:3: this action has no end"),
    ],
)
def test_what_is_no_lexer_is_refused(rules: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        yacc(GRAMMAR, lex=f"\n%%\n{rules}\n")


def test_no_rules_at_all() -> None:
    with pytest.raises(GrammarError, match=r"t\.l:1: there is no %% before the lexer's rules"):
        yacc(GRAMMAR, lex="NUM [0-9]+\n")
