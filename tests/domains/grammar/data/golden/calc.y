/* A calculator with statements. */
%token <v> NUM
%token ID LE
%token WHILE "while" ASSIGN ":="
%right ASSIGN
%left '+'
%%
prog : /* nothing */
     | prog line
     ;
line : expr '\n'   { printf("%d\n", $1); }
     | error '\n'  { yyerrok; }
     | "while" expr line
     ;
expr : ID ASSIGN expr | expr '+' expr | expr LE expr
     | '(' expr ')' | NUM | ID
     ;
