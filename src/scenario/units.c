/* units.c - a number with an optional unit, "71.3 N/um", into the unit a table asks for.
 *
 * The unit is checked and converted by UDUNITS. Its database takes about 4 ms to read, and UDUNITS
 * does not give back all of it: some 7 kB are lost with every reading. So the first conversion of
 * the process reads it, and it is kept until the end: constant once it is there, and the only thing
 * that the library keeps between calls. Bare numbers, and numbers in the very unit that is wanted,
 * need no database. UDUNITS itself is not thread-safe: a lock guards it. It reads and writes
 * numbers by the locale: for the time of a call its thread has that of C. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_tools.h"

#include "../decimal.h"
#include "../fail.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a unit measures, for messages. */
static const char *quantity_of(const char *unit) {
    static const struct {
        const char *unit, *name;
    } table[] = {
        {"1", "a plain number"},
        {"m", "a length"},
        {"m/s", "a velocity"},
        {"s", "a time"},
        {"Hz", "a frequency"},
        {"N", "a force"},
        {"kg", "a mass"},
        {"N/m", "a stiffness"},
        {"N s/m", "a damping coefficient"},
        {"N.s/m", "a damping coefficient"},
        {"rad", "an angle"},
        {"m/s2", "an acceleration"},
        {"rad/s", "an angular velocity"},
        {"N m", "a torque"},
        {"kg m2", "a moment of inertia"},
        {"N m/rad", "a torsional stiffness"},
        {"N m s/rad", "a torsional damping coefficient"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].unit, unit) == 0) return table[i].name;
    return NULL;
}

#ifdef BRI_HAVE_UDUNITS
#include <pthread.h>
#include <udunits2.h>

/* A number inside a unit must be an exponent ("m/s2", "m s-1") or the leading one of "1/m": UDUNITS
 * would read "mm/s 5" as five times mm/s. */
static int has_stray_number(const char *unit) {
    for (size_t i = 0; unit[i]; i++) {
        if (!isdigit((unsigned char)unit[i])) continue;
        if (i == 0 && unit[0] == '1' && (unit[1] == '/' || unit[1] == ' ' || !unit[1])) continue;
        if (i > 0 && isdigit((unsigned char)unit[i - 1])) continue;
        size_t k = i;
        if (k > 0 && (unit[k - 1] == '-' || unit[k - 1] == '+')) k--;
        if (k == 0) return 1;
        unsigned char before = (unsigned char)unit[k - 1];
        int power =
            before == '^' || before == ')' || (before == '*' && k > 1 && unit[k - 2] == '*');
        if (!isalpha(before) && !power && before < 0x80) return 1;
    }
    return 0;
}

/* Radians are no unit to UDUNITS, so that rpm and rad/s would pass for cycles per second unchanged.
 */
static double cycles_in(const ut_unit *have, const char *to) {
    char definition[128];
    int n =
        strcmp(to, "Hz") == 0 ? ut_format(have, definition, sizeof definition, UT_DEFINITION) : 0;
    return n > 0 && n < (int)sizeof definition && strstr(definition, "rad") ? 0.5 / acos(-1.0)
                                                                            : 1.0;
}

/* Convert where the two scales differ by a factor and an offset. UDUNITS also turns s/m into m/s
 * by taking the reciprocal, and logarithms: those are mistakes here. */
static bri_status convert(ut_system *system, const char *from, const char *to, double *value) {
    bri_status status = BRI_BAD_UNIT;
    ut_unit *have = ut_parse(system, from, UT_UTF8), *want = ut_parse(system, to, UT_UTF8);
    cv_converter *c = NULL;
    if (!have || !want) {
        status = BRI_NOT_FOUND;
    } else if (ut_are_convertible(have, want) && (c = ut_get_converter(have, want)) != NULL) {
        double a = cv_convert_double(c, 0.0), b = cv_convert_double(c, 1.0),
               d = cv_convert_double(c, 2.0);
        if (isfinite(a) && isfinite(b) && fabs((d - b) - (b - a)) <= 1e-9 * fabs(b - a)) {
            *value = cv_convert_double(c, *value) * cycles_in(have, to);
            status = BRI_OK;
        }
    }
    if (c) cv_free(c);
    if (have) ut_free(have);
    if (want) ut_free(want);
    return status;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ut_system *database; /* guarded by the lock; NULL until the first conversion */

/* UDUNITS does not look whether it got the memory it asked for: it is not called where there is
 * less than it takes to read the database (0.4 MB), or to take a unit apart. */
static int has_room(void) {
    void *volatile room = malloc(database ? 1 << 16 : 1 << 20);
    free(room);
    return room != NULL;
}

/* BRI_NOT_FOUND for a unit nobody knows, BRI_BAD_UNIT for one that does not fit. */
static bri_status convert_unit(const char *from, const char *to, double *value) {
    bri_status status = BRI_MISSING;
    if (has_stray_number(from)) return BRI_NOT_FOUND;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return BRI_NO_MEMORY;
    pthread_mutex_lock(&lock);
    locale_t host = uselocale(plain);
    ut_error_message_handler told = ut_set_error_message_handler(ut_ignore);
    errno = 0;
    if (!has_room())
        status = BRI_NO_MEMORY;
    else if (!database && !(database = ut_read_xml(NULL)) && errno == ENOMEM)
        status = BRI_NO_MEMORY;
    if (database && status != BRI_NO_MEMORY) status = convert(database, from, to, value);
    ut_set_error_message_handler(told);
    uselocale(host);
    pthread_mutex_unlock(&lock);
    freelocale(plain);
    return status;
}

static bri_status missing(const char *given, bri_error *err) {
    const char *path = getenv("UDUNITS2_XML_PATH");
    if (path)
        return bri_fail(
            err, BRI_MISSING,
            "'%.60s': the units of UDUNITS cannot be read from UDUNITS2_XML_PATH, '%.100s'", given,
            path);
    return bri_fail(
        err, BRI_MISSING,
        "'%.60s': the units of UDUNITS cannot be read (Debian package libudunits2-data)", given);
}
#else
static bri_status convert_unit(const char *from, const char *to, double *value) {
    (void)from, (void)to, (void)value;
    return BRI_MISSING;
}

static bri_status missing(const char *given, bri_error *err) {
    return bri_fail(
        err, BRI_MISSING,
        "'%.60s': this build has no units; rebuild with UDUNITS (Debian package libudunits2-dev)",
        given);
}
#endif

/* s without blanks at its ends. */
static void trim(const char *s, char *out, size_t size) {
    while (isspace((unsigned char)*s)) s++;
    size_t n = strlen(s);
    while (n && isspace((unsigned char)s[n - 1])) n--;
    if (n >= size) n = size - 1;
    memcpy(out, s, n);
    out[n] = '\0';
}

bri_status bri_quantity(const char *text, const char *unit, double *value, bri_error *err) {
    char all[128], own[128];
    if (strlen(text) >= sizeof all)
        return bri_fail(err, BRI_BAD_VALUE, "'%.20s...' is too long for a number", text);
    trim(text, all, sizeof all);
    if (!all[0]) return bri_fail(err, BRI_BAD_VALUE, "a number is missing");
    size_t length = decimal_length(all);
    if (!length) return bri_fail(err, BRI_BAD_VALUE, "'%.60s' is not a number", all);
    double number = decimal_value(all, length);
    trim(all + length, own, sizeof own);
    if (!isfinite(number)) return bri_fail(err, BRI_BAD_VALUE, "'%.60s' is too large", all);
    if (own[0] == ',')
        return bri_fail(err, BRI_BAD_VALUE, "'%.60s': decimals are written with a point", all);

    if (own[0] && strcmp(own, unit) != 0) {
        bri_status status = convert_unit(own, unit, &number);
        const char *kind = quantity_of(unit);
        if (status == BRI_NO_MEMORY) return bri_fail(err, status, "%s", bri_status_text(status));
        if (status == BRI_MISSING) return missing(all, err);
        if (status == BRI_NOT_FOUND)
            return bri_fail(err, BRI_BAD_UNIT, "'%.60s': there is no unit '%.60s'; the unit is %s",
                            all, own, unit);
        if (status != BRI_OK && kind)
            return bri_fail(err, status, "%.60s is not %s: the unit is %s", all, kind, unit);
        if (status != BRI_OK)
            return bri_fail(err, status, "%.60s does not fit: the unit is %s", all, unit);
        if (!isfinite(number)) return bri_fail(err, BRI_BAD_VALUE, "'%.60s' is too large", all);
    }
    *value = number;
    return BRI_OK;
}
