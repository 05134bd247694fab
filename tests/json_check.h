/* json_check.h - whether a text is JSON (RFC 8259). */
#ifndef BRI_TEST_JSON_CHECK_H
#define BRI_TEST_JSON_CHECK_H

#include <ctype.h>
#include <string.h>

static inline const char *json_blanks(const char *s) { return s + strspn(s, " \t\r\n"); }

/* Each returns what follows, or NULL if *bad is where it goes wrong. */
static inline const char *json_string(const char *s, const char **bad) {
    *bad = s;
    if (*s++ != '"') return NULL;
    for (; *s != '"'; s++) {
        *bad = s;
        if ((unsigned char)*s < 0x20) return NULL;
        if (*s != '\\') continue;
        s++;
        if (*s == 'u') {
            for (int i = 0; i < 4; i++)
                if (!isxdigit((unsigned char)*++s)) return NULL;
        } else if (!*s || !strchr("\"\\/bfnrt", *s)) {
            return NULL;
        }
    }
    return s + 1;
}

static inline const char *json_number(const char *s, const char **bad) {
    *bad = s;
    if (*s == '-') s++;
    if (!isdigit((unsigned char)*s)) return NULL;
    if (*s == '0' && isdigit((unsigned char)s[1])) return NULL;
    while (isdigit((unsigned char)*s)) s++;
    if (*s == '.') {
        if (!isdigit((unsigned char)*++s)) return NULL;
        while (isdigit((unsigned char)*s)) s++;
    }
    if (*s == 'e' || *s == 'E') {
        s++;
        if (*s == '+' || *s == '-') s++;
        if (!isdigit((unsigned char)*s)) return NULL;
        while (isdigit((unsigned char)*s)) s++;
    }
    return s;
}

static inline const char *json_value(const char *s, const char **bad) {
    static const char *const words[] = {"null", "true", "false"};
    s = json_blanks(s);
    *bad = s;
    if (*s == '"') return json_string(s, bad);
    for (int i = 0; i < 3; i++)
        if (strncmp(s, words[i], strlen(words[i])) == 0) return s + strlen(words[i]);
    if (*s != '{' && *s != '[') return json_number(s, bad);
    char close = *s == '{' ? '}' : ']';
    s = json_blanks(s + 1);
    if (*s == close) return s + 1;
    for (;;) {
        if (close == '}') {
            s = json_string(json_blanks(s), bad);
            if (!s) return NULL;
            s = json_blanks(s);
            *bad = s;
            if (*s++ != ':') return NULL;
        }
        s = json_value(s, bad);
        if (!s) return NULL;
        s = json_blanks(s);
        *bad = s;
        if (*s == close) return s + 1;
        if (*s++ != ',') return NULL;
    }
}

/* NULL if it is; else the place where it is not. */
static inline const char *json_check(const char *text) {
    const char *bad = text, *end = json_value(text, &bad);
    if (!end) return bad;
    end = json_blanks(end);
    return *end ? end : NULL;
}

#endif
