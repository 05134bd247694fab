/* test_law_files.c - reading law files: what is wrong is told with line, key and column; nothing
 * that is wrong is taken. */
#include "law/law.h"
#include "scenario/reader.h"
#include "test.h"

#include "bristle_law.h"

#include <stdlib.h>

typedef struct heard {
    int count, line;
    char words[700];
} heard;

static void listen(void *to, int line, const char *words) {
    heard *h = to;
    if (h->count++ > 0) return;
    h->line = line;
    snprintf(h->words, sizeof h->words, "%s", words);
}

static const char good[] = "law: mine\n"                                              /* 1 */
                           "title: A bristle\n"                                       /* 2 */
                           "cite: nobody\n"                                           /* 3 */
                           "limits: many\n"                                           /* 4 */
                           "defaults: {from: a guess, load: 100 N}\n"                 /* 5 */
                           "parameters:\n"                                            /* 6 */
                           "  mu: {default: 0.5, range: [0, 1], text: level}\n"       /* 7 */
                           "  k: {default: 1e5 N/m, range: [1, 1e9], text: spring}\n" /* 8 */
                           "require: mu >= 0.1\n"                                     /* 9 */
                           "states:\n"                                                /* 10 */
                           "  z: {unit: m, nominal: 1 mm, text: deflection}\n"        /* 11 */
                           "equations: |\n"                                           /* 12 */
                           "  # the rate\n"                                           /* 13 */
                           "  z' = v - k*abs(v)*z/(mu*N)\n"                           /* 14 */
                           "  F = k*z\n"                                              /* 15 */
                           "lift: 1 ms\n"                                             /* 16 */
                           "stored: k*z^2/2\n";                                       /* 17 */

/* The text with `old` replaced. */
static char *changed(const char *old, const char *new) {
    const char *at = strstr(good, old);
    if (!at) fail_msg("the file has no '%s'", old);
    char *text = calloc(strlen(good) + strlen(new) + 1, 1);
    assert_non_null(text);
    memcpy(text, good, (size_t)(at - good));
    strcat(strcat(text, new), at + strlen(old));
    return text;
}

static void test_good(void **state) {
    heard h = {0};
    law *l = law_read(good, strlen(good), listen, &h);
    if (!l) fail_msg("%d: %s", h.line, h.words);
    assert_int_equal(l->n_params, 2);
    assert_int_equal(l->n_states, 1);
    assert_string_equal(l->params[1].unit, "N/m");
    near(l->states[0].nominal, 1e-3, 0.0, "nominal");
    near(l->load, 100.0, 0.0, "load");
    assert_string_equal(l->rules[0].words, "mu must be >= 0.1");
    bri_error err;
    char *code = law_to_c(l, "mine.yaml", &err);
    assert_non_null(code);
    assert_non_null(strstr(code, "const double z_rate = v - k*law_speed*z/(mu*N);"));
    assert_non_null(strstr(code, "const bri_model BRI_LAW(mine)"));
    free(code);
    law_free(l);
    (void)state;
}

static void test_wrong(void **state) {
    const struct {
        const char *old, *new;
        int line;
        const char *words;
    } rows[] = {
        {"title:", "titel:", 2, "titel: is not a key of a law; did you mean 'title'?"},
        {"cite: nobody\n", "", 1, "cite is missing"},
        {"load: 100 N", "load: 100 m", 5, "defaults.load: '100 m' must be in N"},
        {"load: 100 N", "lod: 100 N", 5, "defaults must be"},
        {"default: 0.5", "default: half", 7, "parameters.mu.default: must be a number"},
        {"default: 0.5", "default: 5", 7, "parameters.mu.range: the default 5 is outside"},
        {"range: [0, 1]", "range: 1", 7, "range must be [least, largest]"},
        {"range: [0, 1], ", "", 7, "parameters.mu: range is missing"},
        {"1e5 N/m", "100 N/mm", 8, "'N/mm' is not a coherent unit"},
        {"1e5 N/m", "1e5 N/furlong", 8, "is not a number with a unit"},
        {"  k: {default", "  mu: {default", 8, "parameters.mu: is given twice"},
        {"  k: {default", "  z: {default", 8, "'z' is no name, or is taken"},
        {"  k: {default", "  N: {default", 8, "'N' is no name, or is taken"},
        {"  k: {default", "  k-1: {default", 8, "'k-1' is no name, or is taken"},
        {"spring}", "spring, hole: yes}", 8,
         "parameters.k.hole: is not a key of a law; did you mean 'whole'?"},
        {"spring}", "spring, role: stifness}", 8,
         "parameters.k.role: 'stifness' is not a role; did you mean 'stiffness'?"},
        {"spring}", "spring, role: [a, b]}", 8, "parameters.k.role: must be a text"},
        {"mu >= 0.1", "mu + 0.1", 9, "require: must be a condition"},
        {"mu >= 0.1", "z >= 0", 9, "a rule holds parameters only"},
        {"mu >= 0.1", "mue >= 1", 9,
         "require: column 10: 'mue' is not known here; did you mean 'mu'?"},
        {"nominal: 1 mm", "nominal: 1 mN", 11, "states.z.nominal: '1 mN' must be in m"},
        {"abs(v)", "abs(w)", 14, "equations: column 18: 'w' is not known here"},
        {"v - k*abs(v)*z/(mu*N)", "z", 14, "equations: column 3: z' must be in m/s, and is in m"},
        {"z' = v - k", "z' = v + k", 0, NULL}, /* a change of sign is no mistake of the language */
        {"F = k*z", "F = k*z + v", 15, "equations: column 11: units do not add up"},
        {"F = k*z", "F = z", 15, "equations: column 3: F must be in N, and is in m"},
        {"F = k*z", "G = k*z", 12, "the equation of F is missing"},
        {"  z' = v - k*abs(v)*z/(mu*N)\n", "", 12, "the equation of z' is missing"},
        {"lift: 1 ms", "lift: 1 m", 16, "lift: must be in s, and is in m"},
        {"stored: k*z^2/2", "stored: k*z^2/*2", 17, "stored: column 15: '*' stands where"},
        {"lift: 1 ms", "holds: mu*N", 16, "a law with states does not hold by itself"},
        {"lift: 1 ms", "lift: 1 ms\nlaw: twice", 17, "law: is given twice"},
        {"law: mine", "law: [a, b]", 1, "law: must be a text"},
        {"law: mine", "law: {", 3, "not YAML"},
        /* a law becomes C: no text of it may end a comment or a string there */
        {"cite: nobody", "cite: 'x */ int y; /*'", 3, "cite: */ cannot stand in a text of a law"},
        {"spring}", "'spring \?\?/'}", 8, "parameters.k.text: \?\? cannot stand in a text"},
        {"spring}", "spring, level: 'a\\'}", 8, "parameters.k.level: \\ cannot stand in a text"},
        {"cite: nobody", "cite: 'x \"\"\" y'", 3, "cite: \"\"\" cannot stand in a text"},
        {"cite: nobody", "cite: \"x\\ny\"", 3, "cite: a second line cannot stand in a text"},
        {"cite: nobody", "cite: \"x\\ey\"", 3, "cite: a control character cannot stand in a text"},
        {"  k: {default", "  'k */': {default", 7, "parameters: */ cannot stand in a text"},
        {"F = k*z", "F = k*z # */", 12, "equations: */ cannot stand in a text"},
        {"spring}", "spring, unit: 'N\"m'}", 8, "parameters.k"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        heard h = {0};
        char *text = changed(rows[i].old, rows[i].new);
        law *l = law_read(text, strlen(text), listen, &h);
        if (rows[i].words ? l || h.line != rows[i].line || !strstr(h.words, rows[i].words) : !l)
            fail_msg("'%s': %d: %s; expected %d: ...%s", rows[i].new, h.line,
                     l ? "is taken" : h.words, rows[i].line, rows[i].words ? rows[i].words : "");
        law_free(l);
        free(text);
    }
    (void)state;
}

/* Files that end anywhere are refused, and nothing is lost. */
static void test_cut(void **state) {
    for (size_t n = 0; n < strlen(good); n++) {
        heard h = {0};
        law *l = law_read(good, n, listen, &h);
        if (!l) assert_true(h.count > 0 && h.words[0]);
        law_free(l);
    }
    (void)state;
}

/* Names that C does not take. */
static void test_names(void **state) {
    static const char *const bad[] = {"int", "exp", "law_x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char row[100];
        heard h = {0};
        bri_error err = {0};
        snprintf(row, sizeof row, "  %s: {default: 1, range: [0, 1], text: bad}\n  mu: {", bad[i]);
        char *text = changed("  mu: {", row);
        law *l = law_read(text, strlen(text), listen, &h);
        if (!l) fail_msg("%d: %s", h.line, h.words);
        assert_null(law_to_c(l, "mine.yaml", &err));
        assert_non_null(strstr(err.text, "cannot stand in C"));
        law_free(l);
        free(text);
    }
    (void)state;
}

/* Plain files are read without libyaml: the trees are the same, line by line. */
static void same_tree(const char *page, const node *a, const node *b) {
    if (a->kind != b->kind || a->line != b->line || a->key_line != b->key_line ||
        a->column != b->column || a->block != b->block || a->count != b->count ||
        a->place != b->place)
        fail_msg("%s: line %d: a node differs from that in line %d", page, a->line, b->line);
    if (a->key || b->key) assert_string_equal(a->key, b->key);
    if (a->kind == NODE_SCALAR) assert_string_equal(a->text, b->text);
    const node *m = a->first, *n = b->first;
    for (; m && n; m = m->next, n = n->next) {
        assert_true(m->up == a && n->up == b);
        same_tree(page, m, n);
    }
    assert_true(!m && !n);
}

static void listen_node(void *to, int line, bri_status status, const char *words) {
    (void)status;
    listen(to, line, words);
}

/* Nonzero if the text is plain: it is then the same to libyaml. */
static int is_plain(const char *text, size_t length) {
    arena memory = {0};
    heard h = {0};
    node *a = plain_parse(text, length, &memory, listen_node, &h);
    if (a) {
        node *b = whole_parse(text, length, &memory, listen_node, &h);
        if (!b) fail_msg("taken, but %d: %s:\n%s", h.line, h.words, text);
        same_tree(text, a, b);
    }
    arena_free(&memory);
    return a != NULL;
}

static void test_plain_yaml(void **state) {
    int plain = 0;
    assert_true(bri_law_page_count() > 30);
    for (int i = 0; i < bri_law_page_count(); i++) {
        const char *text = bri_law_page(bri_law_page_name(i));
        if (!is_plain(text, strlen(text))) fail_msg("%s", bri_law_page_name(i));
    }
    for (int i = 0; i < bri_shipped_count; i++)
        plain += is_plain(bri_shipped[i].text, strlen(bri_shipped[i].text));
    assert_true(plain >= bri_shipped_count - 1); /* pulse has brackets below their key */
    (void)state;
}

/* All that ships with one or two letters in the place of others: whatever is still plain, libyaml
 * sees as well. */
static void test_almost_plain(void **state) {
    static const char letters[] = " \n:-#,[]{}\"'|>&*!?%@`.+=~\\/a1\t\r";
    enum { LETTERS = sizeof letters - 1, PLACES = 15 };
    int all = 0, plain = 0;
    for (int i = 0; i < bri_shipped_count + bri_law_page_count(); i++) {
        const char *text = i < bri_shipped_count
                               ? bri_shipped[i].text
                               : bri_law_page(bri_law_page_name(i - bri_shipped_count));
        size_t length = strlen(text);
        char *copy = malloc(length + 3);
        assert_non_null(copy);
        for (int k = 0; k < PLACES * LETTERS; k++) {
            size_t at = (size_t)(halton(k / LETTERS + 97 * i, 2) * (double)length);
            size_t cut = (size_t)(3.0 * halton(k, 3)), put = (size_t)(3.0 * halton(k, 5));
            if (at + cut > length) cut = length - at;
            memcpy(copy, text, at);
            for (size_t j = 0; j < put; j++)
                copy[at + j] = letters[j == 0 ? k % LETTERS : (int)(halton(k, 7) * LETTERS)];
            memcpy(copy + at + put, text + at + cut, length - at - cut + 1);
            all++;
            plain += is_plain(copy, strlen(copy));
        }
        free(copy);
    }
    if (plain < all / 5) fail_msg("%d of %d are plain", plain, all);
    (void)state;
}

/* What is not plain is refused with its line, whatever it is. */
static void test_not_plain(void **state) {
    static const struct {
        const char *text;
        int line;
    } rows[] = {{"a: 1\nb: &x 2\n", 2},
                {"a: [1, 2\nb: 3\n", 1},
                {"a:\n- 1\n", 1},
                {"a:\n  -\n    b: 1\n", 2},
                {"a: [1, #2]\n", 2},
                {"a: {b:1}\n", 1},
                {"a: [b c[0]]\n", 1},
                {"a: \"\\x41\"\n", 1},
                {"a: >-\n  one\n\n  two\n", 4},
                {"a: |2\n  one\n", 1},
                {"--- \na: 1\n", 1},
                {"a: 1", 1},
                {"a: \xC3\xA4\n", 1},
                {"a: \"no end\nb: 1\n", 1},
                {"a: 1\na: 2\n", 2},
                {"\ta: 1\n", 1},
                {"a: {b: 1, b: 2}\n", 1},
                {"a: b: c\n", 1},
                {"  a: 1\n b: 2\n", 2},
                {"a: 'x'\n", 1},
                {"a:\n", 1},
                {"a: 1\n    b: 2\n", 2},
                {"{a: 1}\n", 1},
                {"", 1},
                {"a: {b: {c: 1}\n", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        arena memory = {0};
        heard h = {0};
        node *n = plain_parse(rows[i].text, strlen(rows[i].text), &memory, listen_node, &h);
        if (n) fail_msg("taken: %s", rows[i].text);
        assert_int_equal(h.count, 1);
        if (h.line > rows[i].line + 1) fail_msg("%s: line %d", rows[i].text, h.line);
        arena_free(&memory);
    }
    for (size_t cut = 0; cut < strlen(good); cut++) { /* ends anywhere */
        arena memory = {0};
        heard h = {0};
        plain_parse(good, cut, &memory, listen_node, &h);
        arena_free(&memory);
    }
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),         cmocka_unit_test(test_plain_yaml),
        cmocka_unit_test(test_almost_plain), cmocka_unit_test(test_not_plain),
        cmocka_unit_test(test_wrong),        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
