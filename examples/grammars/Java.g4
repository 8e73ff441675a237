// Java up to version 17, as far as it takes to read files that compile: declarations, generics, annotations, records,
// switch expressions, lambdas, text blocks. Written for reducing: it describes a little more than Java itself does.
//
//   wynot reduce Bug.java --grammar Java.g4 -- javac {}
//   wynot grammar check Java.g4 Bug.java

grammar Java;

compilationUnit : packageDeclaration? importDeclaration* typeDeclaration* EOF ;

packageDeclaration : annotation* 'package' qualifiedName ';' ;
importDeclaration  : 'import' 'static'? identifier '.' importedName ';' ;
importedName       : identifier | '*' | identifier '.' importedName ;
qualifiedName      : identifier ('.' identifier)* ;

// ---------------------------------------------------------------- declarations

typeDeclaration : modifier* typeKind | ';' ;

typeKind
    : 'class' identifier typeParameters? ('extends' type)? ('implements' typeList)? ('permits' typeList)? classBody
    | 'interface' identifier typeParameters? ('extends' typeList)? ('permits' typeList)? classBody
    | 'enum' identifier ('implements' typeList)? enumBody
    | 'record' identifier typeParameters? parameters ('implements' typeList)? classBody
    | '@' 'interface' identifier '{' annotationMember* '}'
    ;

modifier
    : annotation
    | 'public' | 'protected' | 'private' | 'static' | 'abstract' | 'final' | 'native' | 'synchronized'
    | 'transient' | 'volatile' | 'strictfp' | 'default' | 'sealed' | 'non-sealed'
    ;

annotation      : '@' qualifiedName annotationValues? ;
annotationValues: '(' (elementPair (',' elementPair)* | elementValue)? ')' ;
elementPair     : identifier '=' elementValue ;
elementValue    : operand | annotation | '{' (elementValue (',' elementValue)*)? ','? '}' ;

typeParameters : '<' typeParameter (',' typeParameter)* '>' ;
typeParameter  : annotation* identifier ('extends' type ('&' type)*)? ;
typeList       : type (',' type)* ;

classBody : '{' member* '}' ;
enumBody  : '{' (enumConstant (',' enumConstant)*)? ','? (';' member*)? '}' ;
enumConstant : annotation* identifier arguments? classBody? ;

member
    : ';'
    | 'static'? block
    | modifier* memberKind
    ;

memberKind : method | constructor | shortConstructor | field | typeKind ;

// A method and a constructor are rules of their own, so that no reduction makes one of the other: the name of a
// constructor is that of its class, which no grammar of this kind can say.
method      : typeParameters? (type | 'void') identifier parameters brackets* throws? (block | ';') ;
constructor : typeParameters? identifier parameters throws? block ;
shortConstructor : identifier block ;                     // that of a record
field       : type declarators ';' ;

annotationMember : ';' | modifier* (type identifier '(' ')' brackets* ('default' elementValue)? ';' | field | typeKind) ;

throws       : 'throws' typeList ;
parameters   : '(' (parameter (',' parameter)* | receiver (',' parameter)*)? ')' ;
parameter    : localModifier* type (annotation* '...')? identifier brackets* ;
receiver     : annotation* type (identifier '.')? 'this' ;
declarators  : declarator (',' declarator)* ;
declarator   : identifier brackets* ('=' initializer)? ;
initializer  : expression | arrayValue ;
arrayValue   : '{' (initializer (',' initializer)*)? ','? '}' ;
brackets     : annotation* '[' ']' ;

// ----------------------------------------------------------------------- types

type          : annotation* (primitive | classType) brackets* ;
primitive     : 'boolean' | 'byte' | 'char' | 'short' | 'int' | 'long' | 'float' | 'double' ;
classType     : identifier typeArguments? ('.' annotation* identifier typeArguments?)* ;
typeArguments : '<' (typeArgument (',' typeArgument)*)? '>' ;
typeArgument  : type | annotation* '?' (('extends' | 'super') type)? ;

// ------------------------------------------------------------------ statements

block            : '{' blockStatement* '}' ;
blockStatement   : localDeclaration ';' | classModifier* typeKind | statement ;
localDeclaration : localModifier* type declarators ;
localModifier    : annotation | 'final' ;
classModifier    : annotation | 'final' | 'abstract' | 'static' | 'strictfp' ;

statement
    : block
    | ';'
    | statementExpression ';'
    | 'if' '(' expression ')' statement ('else' statement)?
    | 'while' '(' expression ')' statement
    | 'do' statement 'while' '(' expression ')' ';'
    | 'for' '(' forInit? ';' expression? ';' statementExpressions? ')' statement
    | 'for' '(' localModifier* type identifier ':' expression ')' statement
    | 'return' expression? ';'
    | 'break' identifier? ';'
    | 'continue' identifier? ';'
    | 'throw' expression ';'
    | 'yield' expression ';'
    | 'assert' expression (':' expression)? ';'
    | 'synchronized' '(' expression ')' block
    | 'try' block catchClause+ ('finally' block)?
    | 'try' block 'finally' block
    | 'try' resources block catchClause* ('finally' block)?
    | 'switch' '(' expression ')' switchBody
    | identifier ':' statement
    ;

forInit     : localDeclaration | statementExpressions ;
statementExpressions : statementExpression (',' statementExpression)* ;
resources   : '(' resource (';' resource)* ';'? ')' ;
resource    : localModifier* type identifier '=' expression | qualifiedName ;
catchClause : 'catch' '(' localModifier* type ('|' type)* identifier ')' block ;
switchBody  : '{' switchGroup* switchLabel* '}' | '{' switchRule+ '}' ;
switchGroup : switchLabel+ blockStatement+ ;
switchLabel : switchCase ':' ;
switchRule  : switchCase '->' (expression ';' | block | 'throw' expression ';') ;
switchCase  : 'case' operand (',' operand)* | 'default' ;

// ----------------------------------------------------------------- expressions

expression : assignment | lambda | operand ;

// What may stand as a statement.
statementExpression : assignment | call | step | creation ;

assignment
    : operand ('=' | '+=' | '-=' | '*=' | '/=' | '&=' | '|=' | '^=' | '%=' | '<<=' | '>' '>=' | '>' '>' '>=') expression
    ;

lambda           : lambdaParameters '->' (expression | block) ;
lambdaParameters : identifier | '(' (identifier (',' identifier)*)? ')' | parameters ;

step : operand ('++' | '--') | ('++' | '--') operand ;

call
    : identifier arguments
    | operand '.' typeArguments? (identifier | 'super') arguments
    | operand '.' 'super' '.' typeArguments? identifier arguments
    | ('this' | 'super') arguments
    | 'super' '.' typeArguments? identifier arguments
    ;

creation : 'new' creator | operand '.' 'new' creator ;

// Alternatives that come first bind tighter.
operand
    : primary
    | call
    | step
    | creation
    | operand '.' (identifier | 'this' | 'class' | 'super' '.' identifier)
    | operand '[' expression ']'
    | operand '::' typeArguments? (identifier | 'new')
    | ('+' | '-' | '~' | '!') operand
    | '(' type ('&' type)* ')' (operand | lambda)
    | operand ('*' | '/' | '%') operand
    | operand ('+' | '-') operand
    | operand ('<<' | '>' '>' '>' | '>' '>') operand
    | operand ('<=' | '>=' | '<' | '>') operand
    | operand 'instanceof' 'final'? type identifier?
    | operand ('==' | '!=') operand
    | operand '&' operand
    | operand '^' operand
    | operand '|' operand
    | operand '&&' operand
    | operand '||' operand
    | operand '?' expression ':' (operand | lambda)
    ;

primary
    : literal
    | identifier
    | '(' expression ')'
    | 'this'
    | 'super' ('.' identifier | '::' typeArguments? identifier)
    | type brackets* '.' 'class'
    | type '::' (identifier | 'new')
    | 'void' '.' 'class'
    | 'switch' '(' expression ')' switchBody
    ;

creator
    : typeArguments? annotation* classType arguments classBody?
    | annotation* (primitive | classType) brackets+ arrayValue
    | annotation* (primitive | classType) ('[' expression ']')+ brackets*
    ;

arguments : '(' (expression (',' expression)*)? ')' ;

literal : INTEGER | FLOATING | CHARACTER | STRING | TEXT | 'true' | 'false' | 'null' ;

identifier : IDENTIFIER | 'record' | 'yield' | 'sealed' | 'permits' ;

// ---------------------------------------------------------------------- tokens

INTEGER   : ([0-9] [0-9_]* | '0' [xX] [0-9a-fA-F_]+ | '0' [bB] [01_]+) [lL]? ;
FLOATING
    : ([0-9] [0-9_]* '.' [0-9_]* EXPONENT? | '.' [0-9] [0-9_]* EXPONENT? | [0-9] [0-9_]* EXPONENT) [fFdD]?
    | [0-9] [0-9_]* [fFdD]
    | '0' [xX] [0-9a-fA-F_]* '.'? [0-9a-fA-F_]* [pP] [+-]? [0-9]+ [fFdD]?
    ;
fragment EXPONENT : [eE] [+-]? [0-9_]+ ;
CHARACTER  : '\'' (~['\\\r\n] | ESCAPE) '\'' ;
STRING     : '"' (~["\\\r\n] | ESCAPE)* '"' ;
TEXT       : '"""' [ \t]* [\r\n] (. | ESCAPE)*? '"""' ;
fragment ESCAPE : '\\' ([btnfrs"'\\] | [0-7]+ | 'u'+ [0-9a-fA-F]+ | '\r'? '\n') ;
IDENTIFIER : [a-zA-Z$_\u0080-\uFFFF] [a-zA-Z0-9$_\u0080-\uFFFF]* ;

SPACE        : [ \t\r\n\u000C\u001A]+ -> skip ;
COMMENT      : '/*' .*? '*/' -> skip ;
LINE_COMMENT : '//' ~[\r\n]* -> skip ;
