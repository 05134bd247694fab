/* entry.c - the map of columns that commands take: "ours=theirs[unit], ...", and columns read by
 * it. */
#include "study/entry.h"

#include "bristle_tools.h"

#include "fail.h"

#include <string.h>

static bri_status bad_entry(const char *from, size_t length, bri_error *err) {
    return bri_fail(err, BRI_BAD_VALUE,
                    "'%.*s' maps no column: OURS=THEIRS or OURS=THEIRS[UNIT], such as "
                    "block.x=position[mm] or t=time[ms]",
                    (int)(length < 60 ? length : 60), from);
}

static int copy(char *to, size_t size, const char *from, const char *end) {
    while (from < end && *from == ' ') from++;
    while (end > from && end[-1] == ' ') end--;
    if (from >= end || (size_t)(end - from) >= size) return 0;
    memcpy(to, from, (size_t)(end - from));
    to[end - from] = '\0';
    return 1;
}

bri_status entry_next(const char **at, entry *e, bri_error *err) {
    const char *from = *at, *end = from, *bracket = NULL;
    for (; *end && (*end != ',' || bracket); end++) {
        if (*end == '[' && !bracket) bracket = end;
        if (*end == ']' && (end[1] == ',' || !end[1])) {
            end++;
            break;
        }
    }
    const char *equals = memchr(from, '=', (size_t)(end - from));
    int closed = bracket && end[-1] == ']';
    *at = *end == ',' ? end + 1 : end;
    *e = (entry){0};
    if (!equals || (bracket && (!closed || bracket < equals)) ||
        !copy(e->ours, sizeof e->ours, from, equals) ||
        !copy(e->theirs, sizeof e->theirs, equals + 1, bracket ? bracket : end) ||
        (bracket && !copy(e->unit, sizeof e->unit, bracket + 1, end - 1)))
        return bad_entry(from, (size_t)(end - from), err);
    return BRI_OK;
}

bri_status entry_factor(const entry *e, const char *unit, double *factor, bri_error *err) {
    char one[80];
    bri_error why;
    *factor = 1.0;
    if (!e->unit[0]) return BRI_OK;
    snprintf(one, sizeof one, "1 %s", e->unit);
    bri_status status = bri_quantity(one, unit, factor, &why);
    return status
               ? bri_fail(err, status, "%s=%s[%s]: %.250s", e->ours, e->theirs, e->unit, why.text)
               : BRI_OK;
}
