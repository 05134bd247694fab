/* points.c - measured points that curve and loop draw over the laws: --points and --map. */
#include "cli.h"

#include <math.h>

static bri_status read_columns(const args *a, bri_points *p, const char *const *ours, int n,
                               bri_error *err) {
    const char *units[BRI_POINT_COLUMNS];
    for (int k = 0; k < n; k++) units[k] = *ours[k] == 'F' ? "N" : *ours[k] == 'v' ? "m/s" : "m";
    return bri_points_read(p, args_get(a, "--points"), args_get(a, "--map"), ours, units, n, err);
}

int points_from_args(const args *a, int with_x, bri_points *p) {
    static const char *const curve[] = {"F", "v"}, *const loop[] = {"F", "x", "v"};
    bri_error err, without_v;
    *p = (bri_points){0};
    if (!args_get(a, "--points")) {
        if (!args_get(a, "--map")) return DONE;
        complain("--map is for measured points: name them with --points FILE.csv");
        return WRONG_USAGE;
    }
    bri_status status = read_columns(a, p, with_x ? loop : curve, with_x ? 3 : 2, &err);
    if (with_x && status == BRI_NOT_FOUND && read_columns(a, p, loop, 2, &without_v) == BRI_OK)
        return DONE; /* drawn over the displacement only */
    if (status == BRI_OK) return DONE;
    complain("%s", err.text);
    return exit_code(status);
}

bri_series points_series(const bri_points *p, int x) {
    return (bri_series){.label = "measured",
                        .x = p->value[x],
                        .y = p->value[0],
                        .count = p->value[x] ? (int)p->count : 0,
                        .markers = 2};
}

double points_fastest(const bri_points *p) {
    double most = 0.0;
    for (long i = 0; i < p->count; i++) most = fmax(most, fabs(p->value[1][i]));
    return most;
}

/* How far the points lie from the steady curve of each law. */
void points_tell(const bri_points *p, const laws *l) {
    if (p->count < 1) return;
    fprintf(stderr, "%-28s %15s %15s   of %ld points\n", "law", "rms [N]", "largest [N]", p->count);
    for (int k = 0; k < l->count; k++) {
        double sum = 0.0, most = 0.0;
        for (long i = 0; i < p->count; i++) {
            double d = p->value[0][i] - bri_steady_force(&l->list[k].setup, p->value[1][i]);
            sum += d * d;
            most = fmax(most, fabs(d));
        }
        fprintf(stderr, "%-28s %15.4g %15.4g\n", l->list[k].name, sqrt(sum / (double)p->count),
                most);
    }
}
