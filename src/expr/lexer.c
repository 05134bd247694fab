/* lexer.c - see lexer.h. */
#include "lexer.h"
#include "../decimal.h"

#include <stdio.h>
#include <string.h>

static char peek(const lexer *l, size_t ahead) {
    return l->at + ahead < l->length ? l->text[l->at + ahead] : '\0';
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int lexer_is_word(const token *t, const char *word) {
    return (t->kind == TOKEN_NAME || t->kind == TOKEN_SIGN) && !t->rate &&
           strcmp(t->text, word) == 0;
}

static void skip_blanks(lexer *l) {
    while (peek(l, 0) == ' ' || peek(l, 0) == '\t' || peek(l, 0) == '\r') l->at++;
    if (peek(l, 0) == '#')
        while (l->at < l->length && l->text[l->at] != '\n') l->at++;
}

static void wrong(token *t, const char *why) {
    t->kind = TOKEN_WRONG;
    snprintf(t->text, sizeof t->text, "%s", why);
}

static void take_number(lexer *l, token *t) {
    char digits[64] = "";
    size_t rest = l->length - l->at;
    memcpy(digits, l->text + l->at, rest < sizeof digits - 1 ? rest : sizeof digits - 1);
    t->length = decimal_length(digits);
    t->kind = TOKEN_NUMBER;
    if (t->length >= sizeof digits - 1) {
        wrong(t, "a number is too long");
        return;
    }
    t->value = decimal_value(digits, t->length);
    snprintf(t->text, sizeof t->text, "%.*s", (int)t->length, digits);
    if (!isfinite(t->value)) wrong(t, "a number is too large");
}

/* Letters, digits and '_', in parts joined by points: arm.x. */
static void take_name(lexer *l, token *t) {
    size_t n = 0;
    while (is_letter(peek(l, n)) || is_digit(peek(l, n)) ||
           (peek(l, n) == '.' && is_letter(peek(l, n + 1))))
        n++;
    t->kind = TOKEN_NAME;
    t->length = n;
    if (n > NAME_MOST) {
        wrong(t, "a name has more than 63 letters");
        return;
    }
    memcpy(t->text, l->text + l->at, n);
    t->text[n] = '\0';
    if (peek(l, n) == '\'') {
        t->rate = 1;
        t->length++;
    }
}

static void take_sign(lexer *l, token *t) {
    char c = peek(l, 0), next = peek(l, 1);
    t->kind = TOKEN_SIGN;
    t->length = next == '=' && strchr("<>=!", c) ? 2 : c == '*' && next == '*' ? 2 : 1;
    memcpy(t->text, l->text + l->at, t->length);
    t->text[t->length] = '\0';
    if (strcmp(t->text, "**") == 0)
        wrong(t, "a power is written ^");
    else if (c == '\0' || !strchr("+-*/^(),=<>!", c) || strcmp(t->text, "!") == 0) {
        unsigned char byte = (unsigned char)c;
        if (byte > ' ' && byte < 0x7f)
            snprintf(t->text, sizeof t->text, "'%c' is not known", c);
        else
            snprintf(t->text, sizeof t->text, "the byte 0x%02X is not known", byte);
        t->kind = TOKEN_WRONG;
    }
}

void lexer_next(lexer *l, token *t) {
    skip_blanks(l);
    *t = (token){.start = l->at, .line = l->line, .column = (int)(l->at - l->line_start) + 1};
    char c = peek(l, 0);
    if (l->at >= l->length) {
        t->kind = TOKEN_END;
        snprintf(t->text, sizeof t->text, "the end");
    } else if (c == '\n' || c == ';') {
        t->kind = TOKEN_LINE;
        t->length = 1;
        snprintf(t->text, sizeof t->text, c == ';' ? "';'" : "the end of the line");
    } else if (is_digit(c) || (c == '.' && is_digit(peek(l, 1)))) {
        take_number(l, t);
    } else if (is_letter(c)) {
        take_name(l, t);
    } else {
        take_sign(l, t);
    }
    l->at += t->length;
    if (c == '\n' && t->kind == TOKEN_LINE) {
        l->line++;
        l->line_start = l->at;
    }
}

/* ---- units --------------------------------------------------------------------------------- */

static int unit_letter(char c) { return is_letter(c) && c != '_'; }

/* Length of one factor at place n, "mm", "s2", "s^-1", "m^0.5"; 0 if there is none. */
static size_t factor_length(const lexer *l, size_t n) {
    size_t from = n;
    while (unit_letter(peek(l, n))) n++;
    if (n == from) return 0;
    size_t sign = peek(l, n) == '^' ? (peek(l, n + 1) == '-' ? 2 : 1) : 0;
    if (is_digit(peek(l, n + sign))) {
        n += sign;
        while (is_digit(peek(l, n))) n++;
        if (sign && peek(l, n) == '.' && is_digit(peek(l, n + 1)))
            for (n++; is_digit(peek(l, n));) n++;
    }
    return n - from;
}

/* Words of the language are no units. */
static int is_reserved(const lexer *l, size_t n, size_t length) {
    static const char *const words[] = {"and", "or", "not"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncmp(l->text + l->at + n, words[i], length) == 0)
            return 1;
    return 0;
}

size_t lexer_unit(const lexer *l, size_t *start) {
    size_t first = 0, n, length;
    while (peek(l, first) == ' ') first++;
    *start = l->at + first;
    n = first;
    if (peek(l, n) == '1' && peek(l, n + 1) == '/' && unit_letter(peek(l, n + 2))) n += 2;
    length = factor_length(l, n);
    if (length == 0 || is_reserved(l, n, length)) return 0;
    n += length;
    for (;;) {
        size_t gap = peek(l, n) == '/' || peek(l, n) == ' ';
        length = gap ? factor_length(l, n + 1) : 0;
        if (length == 0 || is_reserved(l, n + 1, length)) return n - first;
        n += 1 + length;
    }
}
