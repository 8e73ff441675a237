/* A stack of numbers, and a calculator in reverse Polish notation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 64

typedef struct stack {
    double items[DEPTH];
    int top;
} stack_t;

static int push(stack_t *s, double value)
{
    if (s->top >= DEPTH)
        return -1;
    s->items[s->top++] = value;
    return 0;
}

static double pop(stack_t *s) { return s->top > 0 ? s->items[--s->top] : 0.0; }

int main(int argc, char **argv)
{
    stack_t s = { .items = { 0 }, .top = 0 };
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        switch (word[0]) {
        case '+': push(&s, pop(&s) + pop(&s)); break;
        case '*': push(&s, pop(&s) * pop(&s)); break;
        default: // a number, one hopes
            push(&s, strtod(word, NULL));
        }
    }
    while (s.top)
        printf("%g%s", pop(&s), s.top ? ", " : "\n");
    return EXIT_SUCCESS;
}
