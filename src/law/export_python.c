/* export_python.c - a law as a Python module, which needs nothing but Python. */
#include "export.h"

#include <string.h>

static void put_head(exporter *e) {
    const bri_model *m = &e->law->model;
    put(e, "\"\"\"%s: %s.\n\n", e->name, m->title);
    put_comment(e, "    ", m->equations);
    put(e,
        "\nSource: %s\nLimits: %s\n\nF is the resisting force [N]: it has the sign of v in steady "
        "sliding. x, v: relative\ndisplacement and velocity [m, m/s]; N: normal load [N]; law_z: "
        "list of states.\nWritten by bristle %s. To test it: python3 %s.py\n\"\"\"\n",
        m->cite, m->limits, bri_version(), e->name);
    put(e, "%s\n\n", export_math("math_py"));
}

static void put_parameters(exporter *e) {
    put(e,
        "class Parameters:\n    \"\"\"Values of the parameters; change them as you like.\"\"\"\n\n"
        "    def __init__(self):\n");
    for (int i = 0; i < e->n_params; i++) {
        const bri_param *row = &e->page->params[i];
        put(e, "        self.");
        put_name(e, row->name);
        put(e, " = ");
        put_number(e, e->s->p[i]);
        put(e, "  # %s [%s]\n", row->text, row->unit);
    }
    if (e->n_params == 0) put(e, "        pass\n");
    put(e, "\n\n");
}

static const char *applied(const exporter *e) { return e->page->holds >= 0 ? ", law_fa" : ""; }

static void put_lift(exporter *e, int step) {
    if (!e->lifts) { /* its equations hold without a load */
        put(e, "    N = max(N, 1e-290)  # Python does not divide by zero\n");
        return;
    }
    put(e, "    if N < 1e-30:  # an open contact\n");
    if (e->n_states == 0) {
        put(e, "        return 0.0\n");
        return;
    }
    if (!export_open(e, &e->page->lift, 1, "        ")) return;
    if (step)
        put(e, "        return 0.0, [z*exp(-law_h/(%s)) for z in law_z]\n", export_root(e, 0));
    else
        put(e, "        return 0.0, [-1.0/(%s)*z for z in law_z]\n", export_root(e, 0));
    export_close(e);
}

static void put_force(exporter *e) {
    expr_id roots[1 + BRI_MAX_STATES];
    int k = e->n_states;
    put(e, "def force(law_p, x, v, N%s%s):\n    \"\"\"%s\"\"\"\n", applied(e),
        k > 0 ? ", law_z" : "",
        k > 0 ? "The force, and the rates of the states as a list." : "The force.");
    put_lift(e, 0);
    if (e->page->holds >= 0) {
        put(e, "    if v == 0.0:  # sticks: what balances the applied force law_fa\n");
        if (!export_open(e, &e->page->holds, 1, "        ")) return;
        put(e, "        law_level = %s\n", export_root(e, 0));
        put(e, "        return clamp(law_fa, -law_level, law_level)\n");
        export_close(e);
    }
    if (!law_values(e->page, roots) || !export_open(e, roots, 1 + k, "    ")) return;
    put(e, "    return %s", export_root(e, 0));
    for (int i = 0; i < k; i++) put(e, i == 0 ? ", [%s" : ", %s", export_root(e, 1 + i));
    put(e, k > 0 ? "]\n\n\n" : "\n\n\n");
    export_close(e);
}

/* (1 - h J) dz = h rates, with pivoting. */
static void put_implicit(exporter *e) {
    int k = e->n_states;
    put(e, "    law_A = [\n");
    for (int i = 0; i < k; i++) {
        put(e, "        [");
        for (int j = 0; j < k; j++)
            put(e, "%s - law_h*(%s), ", i == j ? "1.0" : "0.0", export_root(e, k + i * k + j));
        put(e, "law_h*(%s)],\n", export_root(e, i));
    }
    put(e,
        "    ]\n    for c in range(%d):\n"
        "        best = max(range(c, %d), key=lambda r: abs(law_A[r][c]))\n"
        "        law_A[c], law_A[best] = law_A[best], law_A[c]\n"
        "        law_A[c] = [a/law_A[c][c] for a in law_A[c]]\n        for r in range(%d):\n"
        "            if r != c:\n"
        "                law_A[r] = [a - law_A[r][c]*b for a, b in zip(law_A[r], law_A[c])]\n"
        "    law_z = [law_z[i] + law_A[i][%d] for i in range(%d)]\n",
        k, k, k, k, k);
}

static void put_step(exporter *e) {
    expr_id roots[BRI_MAX_STATES * (BRI_MAX_STATES + 2)];
    int k = e->n_states;
    if (k == 0) return;
    put(e,
        "def step(law_p, x, v, N%s, law_z, law_h):\n    \"\"\"The force after law_h seconds, and "
        "the "
        "states there, with v and N held (those of the middle).\n\n    Stable for every step%s."
        "\n    \"\"\"\n",
        applied(e), e->affine ? ", and exact" : ": linearly implicit Euler");
    put_lift(e, 1);
    int count = export_step_roots(e, roots);
    if (!count || !export_open(e, roots, count, "    ")) return;
    if (e->affine) {
        put(e, "    law_ends = []\n    for law_here, law_rate, law_x in (");
        for (int i = 0; i < k; i++) {
            put(e, "(law_z[%d], %s, ", i, export_root(e, i));
            put(e, "min((%s)*law_h, 300.0)),%s", export_root(e, k + i), i + 1 < k ? " " : "");
        }
        put(e, "):\n        law_share = expm1(law_x)/law_x if abs(law_x) > 1e-300 else 1.0\n"
               "        law_ends.append(law_here + law_rate*law_h*law_share)\n"
               "    law_z = law_ends\n");
    } else {
        put_implicit(e);
    }
    export_close(e);
    for (int i = 0; e->affine && i < k; i++)
        if (e->page->bounds[i] >= 0) {
            if (!export_open(e, &e->page->bounds[i], 1, "    ")) return;
            put(e, "    law_b = %s\n", export_root(e, 0));
            put(e, "    law_z[%d] = clamp(law_z[%d], -law_b, law_b)\n", i, i);
            export_close(e);
        }
    put(e, "    return force(law_p, x, v, N%s, law_z)[0], law_z\n\n\n", applied(e));
}

static void put_list(exporter *e, const double *list, int count) {
    put(e, "[");
    for (int i = 0; i < count; i++) {
        if (i > 0) put(e, ", ");
        put_number(e, list[i]);
    }
    put(e, "]");
}

static void put_rows(exporter *e) {
    put(e,
        "# (x, v, N, applied force, h, states), and what bristle finds: F, rates, then after the "
        "step F, states\nROWS = [\n");
    for (int r = 0; r < EXPORT_ROWS; r++) {
        const export_row *row = &e->rows[r];
        const double head[] = {row->x, row->v, row->N, row->fa, row->h};
        put(e, "    (");
        put_list(e, head, 5);
        put(e, ", ");
        put_list(e, row->z, e->n_states);
        put(e, ", [");
        put_number(e, row->F);
        put(e, "] + ");
        put_list(e, row->dz, e->n_states);
        if (e->n_states > 0) {
            put(e, " + [");
            put_number(e, row->F_end);
            put(e, "] + ");
            put_list(e, row->z_end, e->n_states);
        }
        put(e, "),\n");
    }
    put(e, "]\n\n\n");
}

static void put_test(exporter *e) {
    const char *fa = e->page->holds >= 0 ? ", head[3]" : "";
    put(e, "def test():\n    \"\"\"The largest distance from the rows, as a share of their "
           "columns.\"\"\"\n"
           "    law_p, found = Parameters(), []\n    for head, z, want in ROWS:\n");
    if (e->n_states > 0)
        put(e,
            "        F, rates = force(law_p, *head[:3]%s, z)\n"
            "        F_end, ends = step(law_p, *head[:3]%s, z, head[4])\n"
            "        found.append([F] + rates + [F_end] + ends)\n",
            fa, fa);
    else
        put(e, "        found.append([force(law_p, *head[:3]%s)])\n", fa);
    put(e,
        "    worst = 0.0\n    for j in range(len(found[0])):\n"
        "        size = max([abs(row[2][j]) for row in ROWS] + [1e-300])\n"
        "        worst = max([worst] + [abs(got[j] - row[2][j])/size for got, row in zip(found, "
        "ROWS)])\n    return worst\n\n\nif __name__ == \"__main__\":\n    worst = test()\n"
        "    print(\"%s: off by %%.2g at most\" %% worst)\n"
        "    raise SystemExit(0 if worst <= 1e-12 else 1)\n",
        e->name);
}

void export_python(exporter *e) {
    put_head(e);
    put_parameters(e);
    put_force(e);
    put_step(e);
    put_rows(e);
    put_test(e);
}
