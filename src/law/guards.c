/* guards.c - which branches of the conditions of a law a node is needed in. What costs a call of
 * the C library and is needed in one branch only need not be computed in the other. */
#include "emit.h"

#include "expr/ops.h"

#include <stdlib.h>
#include <string.h>

/* The bit of a branch; 0: there are too many. */
static uint64_t branch(guards *found, expr_id condition, int otherwise) {
    int i = 0;
    while (i < found->count && found->conditions[i] != condition) i++;
    if (i == GUARD_CONDITIONS) return 0;
    if (i == found->count) found->conditions[found->count++] = condition;
    return (uint64_t)1 << (2 * i + otherwise);
}

/* Children stand before their parents: going down, all that need a node have been seen. */
int guards_find(guards *found, const law *l, const expr_id *roots, int count, const expr_id *lower,
                int end) {
    found->count = 0;
    found->needs = malloc(sizeof *found->needs * ((size_t)end + 1));
    if (!found->needs) return 0;
    memset(found->needs, 0xff, sizeof *found->needs * ((size_t)end + 1));
    unsigned char *reached = calloc((size_t)end + 1, 1);
    for (int i = 0; reached && i < count; i++) {
        reached[roots[i]] = 1;
        found->needs[roots[i]] = 0;
    }
    for (int i = end - 1; reached && i >= 0; i--) {
        const expr_node *n = expr_at(l->g, i);
        if (!reached[i]) continue;
        if (lower[i] >= 0) {
            reached[lower[i]] = 1;
            found->needs[lower[i]] &= found->needs[i];
        }
        for (int k = 0; k < expr_ops[n->op].arity; k++) {
            uint64_t at = n->op == EXPR_IF && k > 0 ? branch(found, n->at[0], k == 2) : 0;
            reached[n->at[k]] = 1;
            found->needs[n->at[k]] &= found->needs[i] | at;
        }
    }
    free(reached);
    return reached != NULL;
}

int guards_is_dear(expr_op op) {
    return op == EXPR_POW || op == EXPR_GPOW ||
           (op >= EXPR_EXP && op <= EXPR_TANH && op != EXPR_SQRT);
}
