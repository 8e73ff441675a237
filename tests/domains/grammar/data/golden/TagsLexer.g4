lexer grammar TagsLexer;

COMMENT : '<!--' .*? '-->' -> skip ;
OPEN : '<' -> pushMode(INSIDE) ;
TEXT : ~'<'+ ;

mode INSIDE;
CLOSE : '>' -> popMode ;
SLASH : '/' ;
EQUALS : '=' ;
NAME : [a-zA-Z_] [a-zA-Z0-9_\-]* ;
STRING : '"' ~["]* '"' | '\'' ~[']* '\'' ;
BLANK : [ \t\r\n]+ -> skip ;
