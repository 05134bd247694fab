/* number.c - a double as the shortest decimal that reads back as the same double; among those of
 * that length the nearest one. An order of magnitude faster than printf("%.17g").
 *
 * Algorithm Schubfach: R. Giulietti, "The Schubfach way to render doubles", 2020. The decimals of
 * exponent k around x = c 2^q are c 2^q / 10^k; with k such that the rounding interval of x is
 * between 1 and 10 of them wide, one of the two decimals of exponent k + 1 or of the four of
 * exponent k next to x is the answer. Products with 10^-k are rounded to odd, which keeps enough to
 * compare them with the ends of the interval. */
#include "number.h"

#include <stdint.h>
#include <string.h>

typedef struct wide {
    uint64_t hi, lo;
} wide;

static wide times(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 uint128;
    uint128 p = (uint128)a * b;
    return (wide){(uint64_t)(p >> 64), (uint64_t)p};
#else
    uint64_t a1 = a >> 32, a0 = a & 0xffffffff, b1 = b >> 32, b0 = b & 0xffffffff;
    uint64_t low = a0 * b0, mid = a1 * b0 + (low >> 32), cross = a0 * b1 + (mid & 0xffffffff);
    return (wide){a1 * b1 + (mid >> 32) + (cross >> 32), cross << 32 | (low & 0xffffffff)};
#endif
}

/* ---- powers of ten --------------------------------------------------------------------------- */

enum { STRIDE = 27, FIRST = -297 }; /* spacing and first exponent of the table below */

// clang-format off
/* 10^FIRST, 10^(FIRST + STRIDE), ...: the first 192 bits, the rest cut off. */
static const uint64_t tens[][3] = {
    {0xa76c582338ed2621, 0xaf2af2b80af6f24e, 0x657c8f4d43323a36},
    {0x873e4f75e2224e68, 0x5a7744a6e804a291, 0xcc35eddfcf0996d7},
    {0xda7f5bf590966848, 0xaf39a475506a899e, 0xa30294cc2934e662},
    {0xb080392cc4349dec, 0xbd8d794d96aacfb3, 0xfe13a5c86af64418},
    {0x8e938662882af53e, 0x547eb47b7282ee9c, 0x41b0230e1421487d},
    {0xe65829b3046b0afa, 0x0cb4a5a3112a5112, 0xa3b561b1cb208396},
    {0xba121a4650e4ddeb, 0x92f34d62616ce413, 0x21a0183e10583cd3},
    {0x964e858c91ba2655, 0x3a6a07f8d510f86f, 0xe9082f25e9c5e9ec},
    {0xf2d56790ab41c2a2, 0xfae27299423fb9c3, 0x3695dad7e8858901},
    {0xc428d05aa4751e4c, 0xaa97e14c3c26b886, 0x96842dc95323f5a8},
    {0x9e74d1b791e07e48, 0x775ea264cf55347d, 0xca49f1c05120c9c7},
    {0x8000000000000000, 0x0000000000000000, 0x0000000000000000},
    {0xcecb8f27f4200f3a, 0x0000000000000000, 0x0000000000000000},
    {0xa70c3c40a64e6c51, 0x999090b65f67d924, 0x0000000000000000},
    {0x86f0ac99b4e8dafd, 0x69a028bb3ded71a3, 0xdf9f915627c04e28},
    {0xda01ee641a708de9, 0xe80e6f4820cc9495, 0xd74baad03bc1d8d3},
    {0xb01ae745b101e9e4, 0x5ec05dcff72e7f8f, 0xc04c79ffe324301f},
    {0x8e41ade9fbebc27d, 0x14588f13be847307, 0x23bd6a2059c002f5},
    {0xe5d3ef282a242e81, 0x8f1668c8a86da5fa, 0xf0b5ccf5176ecc7c},
    {0xb9a74a0637ce2ee1, 0x6d953e2bd7173692, 0x88efb0037ac08bde},
    {0x95f83d0a1fb69cd9, 0x4abdaf101564f98e, 0x0d5a4af7b3a98e47},
    {0xf24a01a73cf2dccf, 0xbc633b39673c8cec, 0x3d9c44cd2f36917c},
    {0xc3b8358109e84f07, 0x0a862f80ec4700c8, 0x02606ea01029dc37},
    {0x9e19db92b4e31ba9, 0x6c07a2c26a8346d1, 0x4944d9f52cd0dec2},
};

/* 5^0 ... 5^26, shifted up until the highest bit is set. */
static const uint64_t fives[STRIDE] = {
    0x8000000000000000, 0xa000000000000000, 0xc800000000000000, 0xfa00000000000000,
    0x9c40000000000000, 0xc350000000000000, 0xf424000000000000, 0x9896800000000000,
    0xbebc200000000000, 0xee6b280000000000, 0x9502f90000000000, 0xba43b74000000000,
    0xe8d4a51000000000, 0x9184e72a00000000, 0xb5e620f480000000, 0xe35fa931a0000000,
    0x8e1bc9bf04000000, 0xb1a2bc2ec5000000, 0xde0b6b3a76400000, 0x8ac7230489e80000,
    0xad78ebc5ac620000, 0xd8d726b7177a8000, 0x878678326eac9000, 0xa968163f0a57b400,
    0xd3c21bcecceda100, 0x84595161401484a0, 0xa56fa5b99019a5c8,
};
// clang-format on

/* The first 128 bits of 10^k, rounded up, for k from -292 to 324. */
static wide power_of_ten(int k) {
    const uint64_t *ten = tens[(k - FIRST) / STRIDE], five = fives[(k - FIRST) % STRIDE];
    wide p0 = times(ten[2], five), p1 = times(ten[1], five), p2 = times(ten[0], five);
    p1.lo += p0.hi;
    p1.hi += p1.lo < p0.hi;
    p2.lo += p1.hi;
    p2.hi += p2.lo < p1.hi;
    if (!(p2.hi >> 63)) {
        p2.hi = p2.hi << 1 | p2.lo >> 63;
        p2.lo = p2.lo << 1 | p1.lo >> 63;
        p1.lo = p1.lo << 1 | p0.lo >> 63;
        p0.lo <<= 1;
    }
    if (p1.lo | p0.lo) p2.hi += ++p2.lo == 0;
    return p2;
}

/* ---- shortest decimal ------------------------------------------------------------------------ */

typedef struct decimal {
    uint64_t digits;
    int exponent; /* digits 10^exponent */
} decimal;

/* floor(g c / 2^128), its last bit set if anything was cut off. */
static uint64_t round_to_odd(wide g, uint64_t c) {
    wide x = times(g.lo, c), y = times(g.hi, c);
    y.lo += x.hi;
    y.hi += y.lo < x.hi;
    return y.hi | (y.lo > 1);
}

/* floor(e log10(2)), floor(e log10(2) + log10(3/4)) and floor(e log2(10)), exact in this range. A
 * shift of a negative number is made to round down by an offset that is a multiple of the divisor.
 */
static int floor_log10_pow2(int e) {
    return (int)((e * 1262611LL + (1LL << 40)) >> 22) - (1 << 18);
}
static int floor_log10_three_quarters_pow2(int e) {
    return (int)((e * 1262611LL - 524031LL + (1LL << 40)) >> 22) - (1 << 18);
}
static int floor_log2_pow10(int e) {
    return (int)((e * 1741647LL + (1LL << 40)) >> 19) - (1 << 21);
}

/* x > 0, given by the fields of its representation. */
static decimal shortest(uint64_t fraction, int biased) {
    uint64_t c = biased ? fraction | 1ULL << 52 : fraction;
    int q = (biased ? biased : 1) - 1075;
    if (q <= 0 && q > -53 && (c & ((1ULL << -q) - 1)) == 0) return (decimal){c >> -q, 0};

    /* At a power of two the doubles below are twice as dense. */
    int lopsided = fraction == 0 && biased > 1, odd = (int)(c & 1);
    int k = lopsided ? floor_log10_three_quarters_pow2(q) : floor_log10_pow2(q);
    int shift = q + floor_log2_pow10(-k) + 1;
    wide g = power_of_ten(-k);
    uint64_t lower = round_to_odd(g, (4 * c - 2 + (uint64_t)lopsided) << shift) + (uint64_t)odd;
    uint64_t middle = round_to_odd(g, (4 * c) << shift);
    uint64_t upper = round_to_odd(g, (4 * c + 2) << shift) - (uint64_t)odd;

    uint64_t s = middle / 4, tenth = s / 10;
    if (s >= 10) {
        int below = lower <= 40 * tenth, above = 40 * tenth + 40 <= upper;
        if (below != above) return (decimal){tenth + (uint64_t)above, k + 1};
    }
    int below = lower <= 4 * s, above = 4 * s + 4 <= upper;
    if (below != above) return (decimal){s + (uint64_t)above, k};
    uint64_t half = 4 * s + 2;
    int up = middle > half || (middle == half && (s & 1));
    return (decimal){s + (uint64_t)up, k};
}

/* ---- text ------------------------------------------------------------------------------------ */

static const char pairs[] = "0001020304050607080910111213141516171819"
                            "2021222324252627282930313233343536373839"
                            "4041424344454647484950515253545556575859"
                            "6061626364656667686970717273747576777879"
                            "8081828384858687888990919293949596979899";

/* The digits of d, ending before `end`; returns their start. */
static char *digits_before(char *end, uint64_t d) {
    while (d >= 100) {
        end -= 2;
        memcpy(end, pairs + 2 * (d % 100), 2);
        d /= 100;
    }
    if (d < 10) {
        *--end = (char)('0' + d);
        return end;
    }
    end -= 2;
    memcpy(end, pairs + 2 * d, 2);
    return end;
}

static char *zeros(char *to, int count) {
    memset(to, '0', (size_t)count);
    return to + count;
}

static char *copy(char *to, const char *from, int count) {
    memcpy(to, from, (size_t)count);
    return to + count;
}

/* "12300", "12.3", "0.00123". */
static char *put_plain(char *to, const char *digits, int n, int exponent) {
    int whole = n + exponent; /* digits before the point */
    if (exponent >= 0) return zeros(copy(to, digits, n), exponent);
    if (whole > 0) {
        to = copy(to, digits, whole);
        *to++ = '.';
        return copy(to, digits + whole, n - whole);
    }
    return copy(zeros(copy(to, "0.", 2), -whole), digits, n);
}

/* "1.23e-07", the exponent with two digits at least, as printf writes it. */
static char *put_scientific(char *to, const char *digits, int n, int power) {
    *to++ = digits[0];
    if (n > 1) {
        *to++ = '.';
        to = copy(to, digits + 1, n - 1);
    }
    *to++ = 'e';
    *to++ = power < 0 ? '-' : '+';
    if (power < 0) power = -power;
    if (power >= 100) *to++ = (char)('0' + power / 100);
    return copy(to, pairs + 2 * (power % 100), 2);
}

char *number_put(char *to, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t fraction = bits & ((1ULL << 52) - 1);
    int biased = (int)(bits >> 52 & 0x7ff);
    if (biased == 0x7ff && fraction) return copy(to, "nan", 3);
    if (bits >> 63) *to++ = '-';
    if (biased == 0x7ff) return copy(to, "inf", 3);
    if (biased == 0 && fraction == 0) return copy(to, "0", 1);

    decimal d = shortest(fraction, biased);
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    char room[20], *end = room + sizeof room, *digits = digits_before(end, d.digits);
    int n = (int)(end - digits), power = n + d.exponent - 1;
    if (power < -4 || power >= 16) return put_scientific(to, digits, n, power);
    return put_plain(to, digits, n, d.exponent);
}
