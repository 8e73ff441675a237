parser grammar Tags;
options { tokenVocab = TagsLexer; }

document : (TEXT | element)* EOF ;
element : OPEN NAME attribute* CLOSE document OPEN SLASH NAME CLOSE
        | OPEN NAME attribute* SLASH CLOSE ;
attribute : NAME (EQUALS STRING)? ;
