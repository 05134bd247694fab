/* nearest.c - how far two spellings are apart, and which word was cut short. */
#include "nearest.h"

#include "bristle_tools.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 63 };

static int length(const char *s) {
    size_t n = strlen(s);
    return n < LONGEST ? (int)n : LONGEST;
}

static int smaller(int a, int b) { return a < b ? a : b; }

static int lower(char c) { return tolower((unsigned char)c); }

int bri_spelling_distance(const char *a, const char *b) {
    int la = length(a), lb = length(b);
    int d[LONGEST + 1][LONGEST + 1]; /* d[i][j]: first i letters of a into first j of b */
    for (int i = 0; i <= la; i++) d[i][0] = i;
    for (int j = 0; j <= lb; j++) d[0][j] = j;
    for (int i = 1; i <= la; i++)
        for (int j = 1; j <= lb; j++) {
            int change = d[i - 1][j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            d[i][j] = smaller(change, 1 + smaller(d[i - 1][j], d[i][j - 1]));
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                d[i][j] = smaller(d[i][j], 1 + d[i - 2][j - 2]);
        }
    return d[la][lb];
}

/* Letters that both begin with. */
static size_t common(const char *a, const char *b) {
    size_t n = 0;
    while (a[n] && lower(a[n]) == lower(b[n])) n++;
    return n;
}

const char *bri_completion(const char *name, const char *const *candidates, int count) {
    const char *found = NULL;
    for (int i = 0; i < count; i++) {
        const char *word = candidates[i];
        size_t n = common(name, word);
        if (n < 3 || (name[n] && word[n])) continue;
        if (found && strcmp(found, word) != 0) return NULL;
        found = word;
    }
    return found;
}

const char *bri_nearest(const char *name, const char *const *candidates, int count) {
    const char *best = bri_completion(name, candidates, count);
    int least = 0;
    if (best) return best;
    for (int i = 0; i < count; i++) {
        int d = bri_spelling_distance(name, candidates[i]);
        /* of two as near, the one that begins alike: Fs, not v_s, for F_s */
        if (!best || d < least ||
            (d == least && common(name, candidates[i]) > common(name, best))) {
            best = candidates[i];
            least = d;
        }
    }
    /* a slip of the pen changes up to a third of the letters, and at least one */
    int limit = best ? (int)(strlen(best) + 2) / 3 : 0;
    return least <= limit ? best : NULL;
}
