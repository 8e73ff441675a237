// JSON, with comments and labels.
grammar Json;

json : value EOF ;

object
   : '{' pair (',' pair)* '}'
   | '{' '}'
   ;
pair : key=STRING ':' value ;
array : '[' (value (',' value)*)? ']' ;

value
   : STRING   # text
   | NUMBER   # number
   | object   # inner
   | array    # inner
   | ('true' | 'false' | 'null') {seen();} # constant
   ;

STRING : '"' (ESC | ~["\\\u0000-\u001F])* '"' ;
fragment ESC : '\\' (["\\/bfnrt] | 'u' HEX HEX HEX HEX) ;
fragment HEX : [0-9a-fA-F] ;
NUMBER : '-'? INT ('.' [0-9]+)? EXP? ;
fragment INT : '0' | [1-9] [0-9]* ;
fragment EXP : [Ee] [+\-]? INT ;
WS : [ \t\n\r]+ -> skip ;
COMMENT : ('//' ~[\r\n]* | '/*' .*? '*/') -> channel(HIDDEN) ;
