/* replay.c - a fuzz target without a fuzzer: every file of the folders named goes through it once.
 *   replay_NAME FOLDER... */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 1 << 20 };

/* In memory of just that size, so that a sanitizer sees what is read beyond. */
static int replay(const char *path) {
    static uint8_t room[MOST];
    FILE *in = fopen(path, "rb");
    if (!in) return 0;
    size_t size = fread(room, 1, MOST, in);
    fclose(in);
    uint8_t *data = malloc(size ? size : 1);
    if (!data) return 0;
    for (size_t i = 0; i < size; i++) data[i] = room[i];
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}

int main(int argc, char **argv) {
    int count = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        for (struct dirent *e; folder && (e = readdir(folder)) != NULL;) {
            char path[4096];
            if (e->d_name[0] == '.') continue;
            snprintf(path, sizeof path, "%s/%s", argv[i], e->d_name);
            count += replay(path);
        }
        if (folder) closedir(folder);
    }
    printf("%d inputs\n", count);
    return count == 0;
}
