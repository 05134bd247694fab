/* utf8.h - text as code points; what is not UTF-8 becomes the replacement character. */
#ifndef BRI_UTF8_H
#define BRI_UTF8_H

#include <stdint.h>

/* The code point at *text, which moves on; 0 at the end. */
static inline uint32_t utf8_next(const char **text) {
    const unsigned char *s = (const unsigned char *)*text;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (!*s) return 0;
    int length = *s < 0x80 ? 1 : *s >> 5 == 6 ? 2 : *s >> 4 == 14 ? 3 : *s >> 3 == 30 ? 4 : 0;
    uint32_t code = length == 1 ? *s : length ? *s & (0x7fU >> length) : 0;
    int i = 1;
    while (i < length && s[i] >> 6 == 2) code = code << 6 | (s[i++] & 0x3fU);
    if (i != length || code < least[length] || code > 0x10ffff || (code >> 11) == 0x1b) {
        *text += 1;
        return 0xfffd;
    }
    *text += length;
    return code;
}

#endif
