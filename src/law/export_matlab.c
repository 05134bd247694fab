/* export_matlab.c - a law as a function file for MATLAB and Octave. */
#include "export.h"

#include <string.h>

static void put_head(exporter *e) {
    const bri_model *m = &e->law->model;
    put(e, "%% %s: %s.\n%%\n", e->name, m->title);
    put_comment(e, "%   ", m->equations);
    put(e, "%%\n%% Source: %s\n%% Limits: %s\n%%\n", m->cite, m->limits);
    put(e,
        "%% F is the resisting force [N]: it has the sign of v in steady sliding. x, v: relative\n"
        "%% displacement and velocity [m, m/s]; N: normal load [N]; z: column of states.\n"
        "%%   law = %s();  law.p holds the parameters\n",
        e->name);
    const char *fa = e->page->holds >= 0 ? ", fa" : "";
    if (e->n_states > 0)
        put(e,
            "%%   [F, dz] = law.force(law.p, x, v, N%s, z)\n"
            "%%   [F, z] = law.step(law.p, x, v, N%s, z, h)  after h seconds\n",
            fa, fa);
    else
        put(e, "%%   F = law.force(law.p, x, v, N%s)\n", fa);
    put(e, "%%   law.test()  the largest distance from a test vector\n%% Written by bristle %s.\n",
        bri_version());
}

static void put_main(exporter *e) {
    put(e, "function law = %s()\n", e->name);
    if (e->n_params == 0) put(e, "  law.p = struct();\n");
    for (int i = 0; i < e->n_params; i++) {
        const bri_param *row = &e->page->params[i];
        put(e, "  law.p.");
        put_name(e, row->name);
        put(e, " = ");
        put_number(e, e->s->p[i]);
        put(e, ";  %% %s [%s]\n", row->text, row->unit);
    }
    put(e, "  law.force = @law_force;\n%s  law.test = @law_test;\nend\n\n",
        e->n_states > 0 ? "  law.step = @law_step;\n" : "");
}

static const char *applied(const exporter *e) { return e->page->holds >= 0 ? ", law_fa" : ""; }

static void put_lift(exporter *e, int step) {
    if (!e->lifts) return;
    put(e, "  if N < 1e-30  %% an open contact\n    law_F = 0;\n");
    if (e->n_states > 0 && export_open(e, &e->page->lift, 1, "    ")) {
        if (step)
            put(e, "    law_z = law_z*exp(-law_h/(%s));\n", export_root(e, 0));
        else
            put(e, "    law_dz = -1/(%s)*law_z;\n", export_root(e, 0));
        export_close(e);
    }
    put(e, "    return\n  end\n");
}

static void put_force(exporter *e) {
    expr_id roots[1 + BRI_MAX_STATES];
    int k = e->n_states;
    put(e, "function %s = law_force(law_p, x, v, N%s%s)\n", k > 0 ? "[law_F, law_dz]" : "law_F",
        applied(e), k > 0 ? ", law_z" : "");
    put_lift(e, 0);
    if (e->page->holds >= 0) {
        put(e, "  if v == 0  %% sticks: what balances the applied force law_fa\n");
        if (!export_open(e, &e->page->holds, 1, "    ")) return;
        put(e, "    law_level = %s;\n", export_root(e, 0));
        put(e, "    law_F = bri_clamp(law_fa, -law_level, law_level);\n    return\n  end\n");
        export_close(e);
    }
    if (!law_values(e->page, roots) || !export_open(e, roots, 1 + k, "  ")) return;
    put(e, "  law_F = %s;\n", export_root(e, 0));
    if (k > 0) put(e, "  law_dz = zeros(%d, 1);\n", k);
    for (int i = 0; i < k; i++) put(e, "  law_dz(%d) = %s;\n", i + 1, export_root(e, 1 + i));
    put(e, "end\n\n");
    export_close(e);
}

static void put_step(exporter *e) {
    expr_id roots[BRI_MAX_STATES * (BRI_MAX_STATES + 2)];
    int k = e->n_states;
    if (k == 0) return;
    put(e,
        "%% Stable for every step%s; v and N are those of its middle.\n"
        "function [law_F, law_z] = law_step(law_p, x, v, N%s, law_z, law_h)\n  law_z = law_z(:);\n",
        e->affine ? ", and exact" : ": linearly implicit Euler", applied(e));
    put_lift(e, 1);
    int count = export_step_roots(e, roots);
    if (!count || !export_open(e, roots, count, "  ")) return;
    put(e, "  law_r = zeros(%d, 1);\n", k);
    for (int i = 0; i < k; i++) put(e, "  law_r(%d) = %s;\n", i + 1, export_root(e, i));
    put(e, "  law_J = zeros(%d, %d);\n", k, e->affine ? 1 : k);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < (e->affine ? 1 : k); j++)
            put(e, "  law_J(%d, %d) = %s;\n", i + 1, j + 1,
                export_root(e, e->affine ? k + i : k + i * k + j));
    export_close(e);
    if (e->affine)
        put(e,
            "  for law_i = 1:%d\n    law_x = min(law_J(law_i)*law_h, 300);\n    law_share = 1;\n"
            "    if abs(law_x) > 1e-300\n      law_share = expm1(law_x)/law_x;\n    end\n"
            "    law_z(law_i) = law_z(law_i) + law_r(law_i)*law_h*law_share;\n  end\n",
            k);
    else
        put(e, "  law_z = law_z + (eye(%d) - law_h*law_J)\\(law_h*law_r);\n", k);
    for (int i = 0; e->affine && i < k; i++)
        if (e->page->bounds[i] >= 0) {
            if (!export_open(e, &e->page->bounds[i], 1, "  ")) return;
            put(e, "  law_b = %s;\n", export_root(e, 0));
            put(e, "  law_z(%d) = bri_clamp(law_z(%d), -law_b, law_b);\n", i + 1, i + 1);
            export_close(e);
        }
    put(e, "  law_F = law_force(law_p, x, v, N%s, law_z);\nend\n\n", applied(e));
}

static void put_test(exporter *e) {
    int k = e->n_states;
    const char *fa = e->page->holds >= 0 ? ", r(4)" : "";
    put(e, "%% x, v, N, applied force, h, states; what bristle finds: F, rates, and after the step "
           "F, states\nfunction worst = law_test()\n  rows = [\n");
    for (int r = 0; r < EXPORT_ROWS; r++) {
        const export_row *row = &e->rows[r];
        const double head[] = {row->x, row->v, row->N, row->fa, row->h};
        put(e, "   ");
        for (int i = 0; i < 5; i++) put(e, " "), put_number(e, head[i]);
        for (int i = 0; i < k; i++) put(e, " "), put_number(e, row->z[i]);
        put(e, " "), put_number(e, row->F);
        for (int i = 0; i < k; i++) put(e, " "), put_number(e, row->dz[i]);
        if (k > 0) put(e, " "), put_number(e, row->F_end);
        for (int i = 0; i < k; i++) put(e, " "), put_number(e, row->z_end[i]);
        put(e, "\n");
    }
    put(e,
        "  ];\n  law = %s();\n  want = rows(:, %d:end);\n  found = zeros(size(want));\n"
        "  for i = 1:size(rows, 1)\n    r = rows(i, :);\n",
        e->name, 6 + k);
    if (k > 0)
        put(e,
            "    z = r(6:%d)';\n    [F, dz] = law_force(law.p, r(1), r(2), r(3)%s, z);\n"
            "    [F_end, z_end] = law_step(law.p, r(1), r(2), r(3)%s, z, r(5));\n"
            "    found(i, :) = [F dz' F_end z_end'];\n",
            5 + k, fa, fa);
    else
        put(e, "    found(i, :) = law_force(law.p, r(1), r(2), r(3)%s);\n", fa);
    put(e, "  end\n  far = max(abs(found - want), [], 1)./max(max(abs(want), [], 1), 1e-300);\n"
           "  worst = max(far);\nend\n\n");
}

void export_matlab(exporter *e) {
    put_head(e);
    put_main(e);
    put_force(e);
    put_step(e);
    put_test(e);
    put(e, "%s", export_math("math_m"));
}
