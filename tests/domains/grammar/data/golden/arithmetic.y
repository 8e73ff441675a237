%{
#include <stdio.h>
int yylex(void);
%}
%union { int value; }
%token <value> N
%type <value> E
%left '+' '-'
%left '*' '/'
%start E
%%
E : E '*' E   { $$ = $1 * $3; }
  | E '/' E   { if (!$3) YYERROR; $$ = $1 / $3; }
  | E '+' E   { $$ = $1 + $3; }
  | E '-' E   { $$ = $1 - $3; }
  | '(' { deeper('{'); } E ')'   { $$ = $3; }
  | N
  ;
%%
N : [|[1-9][0-9]*|] [|1|];
SKIP : [|[ \t\n]+|];
