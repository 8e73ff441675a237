"""Read grammars in the notations of Lark, ANTLR, YACC and Lex."""
