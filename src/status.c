/* status.c - version and the sentences behind the status codes. */
#include "bristle.h"

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *bri_version(void) {
    return TEXT(BRI_VERSION_MAJOR) "." TEXT(BRI_VERSION_MINOR) "." TEXT(BRI_VERSION_PATCH);
}

const char *bri_status_text(bri_status status) {
    static const char *const text[BRI_STATUS_COUNT] = {
        [BRI_OK] = "all went well",
        [BRI_NOT_FOUND] = "there is nothing of that name",
        [BRI_BAD_VALUE] = "a value is out of range, inconsistent or not a number",
        [BRI_BAD_UNIT] = "a unit is unknown or of the wrong dimension",
        [BRI_BAD_FILE] = "a file cannot be opened, written or understood",
        [BRI_NO_MEMORY] = "there is not enough memory",
        [BRI_NO_PROGRESS] = "a solver gave up before the requested time",
        [BRI_DOUBTFUL] = "a run reached its end, but contradicts itself",
        [BRI_MISSING] = "an optional library or program is missing",
    };
    return (unsigned)status < BRI_STATUS_COUNT ? text[status] : "unknown status";
}
