/* laws.c - `laws` of a scenario file: law files, folders of them, and pages of laws themselves. */
#include "law/laws.h"

void read_laws(reader *r, const node *root, const char *text, size_t length) {
    const node *list = node_get(root, "laws");
    if (!list || !want_list(r, list, "of law files or pages, [my_law.yaml]")) return;
    for (const node *n = list->first; n; n = n->next) {
        char path[4096];
        if (n->kind == NODE_MAP) {
            laws_add_tree(r->s->laws, n, text, length, r);
        } else if (n->kind == NODE_SCALAR && n->text[0]) {
            place_file(r, n->text, path, sizeof path);
            if (laws_add_file(r->s->laws, path, r)) note_file(r->s, path);
        } else {
            report(r, n, BRI_BAD_VALUE, "must be the name of a file or the page of a law");
        }
        if (r->status == BRI_NO_MEMORY) return;
    }
}
