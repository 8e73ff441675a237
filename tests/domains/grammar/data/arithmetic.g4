grammar arithmetic;

@header { package sums; }

e : e '*' e   # times
  | e '/' e   # over
  | e '+' e   # plus
  | e '-' e { count++; } # minus
  | '(' inner=e ')' # brackets
  | N # number
  ;

N : [1-9] DIGIT* ;
fragment DIGIT : [0-9] ;
WS : [ \t\r\n]+ -> skip ;
