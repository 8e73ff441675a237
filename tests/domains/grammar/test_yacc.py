from __future__ import annotations

from tests.domains.grammar.reading import accepts, kinds, parser, yacc

WILD = r"""
/* A comment with %% in it, and a { brace. */
%code requires { struct x { int y; }; }
%{
#define BRACE '{'
%}
%define api.pure full
%define api.value.type {struct value}
%parse-param { void *p }
%expect 3
%union {
  int n; /* } */
  char *s;
}
%token <s> ID 258 "identifier" <n> NUM
%token END 0 "end of file"
%token IF "if" ELSE "else" ARROW _("=>")
%token ID_TOKEN
%type <n> expr stmts
%destructor { free($$); } <s> <*>
%printer { fprintf(yyo, "%d", $$); } <n>
%left '+' '-'
%precedence UMINUS
%nonassoc "then" IF
%initial-action { @$.first = 1; }
%start input
%%
input[top]: stmts END { $top = $1; } ;

stmts
  : %empty
  | stmts[list] stmt { $$ = add($list, '}', "}"); }
  | error ';' { yyerrok; }
  ;
stmt: "if" expr { begin(); } stmt %prec "then"
    | "if" expr stmt "else" stmt
    | expr '=' '>' ID ';'
    | expr "=>" ID
    | expr ';'
    | ';'
expr: expr '+' expr %dprec 2 | expr '-' expr %merge <join>
    | '-' expr %prec UMINUS { $$ = -$2; } | NUM | '\'' ID '\\' | bad
bad: error
;
%%
int main(void) { return '%%'; }
"""
TOKENS = """
# tokens of WILD
ID   [a-z]+
NUM  : /[0-9]+/ "0"
SKIP \\s+
"""


def test_a_grammar_as_it_is_found_in_the_wild() -> None:
    found = yacc(WILD, tokens=TOKENS)
    assert (found.start, found.undefined) == ("input", ())
    assert found.minimal == {"NUM": "0"}
    lark = parser(found)
    for text in ("", "1;", "if 1 1+-2; else ;", "1 => a", "1 => a;;", "'a\\;", "1=>b;"):
        assert accepts(lark, text), text
    for text in ("if", "1", "1 => if;", "a;"):
        assert not accepts(lark, text), text
    assert found.warnings == (
        "t.y:33: rule stmts: the alternative for errors is left out",
        "t.y:43: rule bad: the alternative for errors is left out",
        "t.y:43: rule bad is for errors only, and left out",
    )
    assert found.lines["stmt"] == 35


def test_tokens_without_a_lexer_are_named() -> None:
    found = yacc('%token A B \'c\' PLUS "+" NAME "identifier" EOL "end of line"\n%%\ns: A \'c\' PLUS NAME EOL;\n')
    assert found.undefined == ("EOL", "A")
    assert found.warnings == (
        "t.y:1: the token NAME is taken to be its alias, 'identifier'",
        "t.y:1: nothing defines the token EOL",
        "t.y:1: nothing defines the token A",
    )
    assert parser(found, "lalr")


def test_the_section_of_the_thesis() -> None:
    """As in figure 7.1: rules only, %% and tokens; or all of YACC's parts, and tokens behind %:."""
    rules = "goal: PUBLIC_TK ID {} | ID\n  { create($1); } '!' {;}\n;\n"
    tokens = """
SKIP: [|"/*"([^*]|\\*+[^*/])*"*"+"/"|];
SKIP: [|[ \\t\\n]+|];
PUBLIC_TK : [|"public"|] [|public|];
ID : [|[a-z]+|] [|x|];   // names
'!' : [|"!"|];
"""
    for text in (f"{rules}%%\n{tokens}", f"%token ID\n%%\n{rules}%%\nint x;\n%:\n{tokens}"):
        found = yacc(text)
        assert found.minimal == {"PUBLIC_TK": "public", "ID": "x"}
        assert kinds(found, "public/* a **/b!") == [("PUBLIC_TK", "public"), ("ID", "b"), ("'!'", "!")]
        assert accepts(parser(found), "public a")
        assert found.lines["ID"] == text[: text.index("ID :")].count("\n") + 1


def test_rules_without_semicolons_and_in_pieces() -> None:
    found = yacc("%%\na: b 'x'\n   | a b\nb: 'y'\n%token C \"c\"\na: 'z' C;\n")
    assert accepts(parser(found), "yxy")
    assert accepts(parser(found), "zcy")


def test_the_earlier_rule_wins_as_in_yacc() -> None:
    """With two rules that fit, YACC takes the first; LALR is built for such grammars, too."""
    found = yacc("%%\ns: a 'x' | b 'x' | b 'y';\na: 'c';\nb: 'c';\n")
    assert parser(found, "lalr").parse("cx").children[0].data == "a"  # type: ignore[union-attr]
