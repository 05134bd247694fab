/* slip_list.c - see slip_list.h. */
#include "slip_list.h"

#include <stdio.h>
#include <stdlib.h>

bri_status slip_list_open(slip_list *l, const char *name, const bri_system *system, double speed,
                          bri_sim *sim, bri_error *err) {
    *l = (slip_list){.name = name, .system = system};
    if (!name) return BRI_OK;
    l->speed = speed > 0.0 ? speed : 0.1 * bri_sim_speed(sim);
    for (int i = 0; i < system->n_contacts; i++)
        l->thresholds |= !system->contacts[i].model->set_valued;
    bri_status status = bri_slips_create(system, l->speed, &l->slips, err);
    if (status != BRI_OK) return status;
    status = bri_file_open(name, 0, &l->file, err);
    if (status != BRI_OK) return status;
    bri_slips_look(l->slips, sim);
    return bri_file_put(l->file, "start,end,duration,contacts,size,peak,first,complete\n", err);
}

/* Those that are complete count in the summary. */
static bri_status count(slip_list *l, const bri_slip *s, bri_error *err) {
    if (s->cut) {
        l->cut++;
        return BRI_OK;
    }
    if (l->count == l->room) {
        long room = l->room ? 2 * l->room : 1024;
        double *more = realloc(l->sizes, sizeof *more * (size_t)room);
        if (!more) {
            *err = (bri_error){.status = BRI_NO_MEMORY};
            snprintf(err->text, sizeof err->text, "%s", bri_status_text(BRI_NO_MEMORY));
            return BRI_NO_MEMORY;
        }
        l->sizes = more;
        l->room = room;
    }
    l->sizes[l->count++] = s->size;
    if (s->size > l->largest.size) l->largest = *s;
    return BRI_OK;
}

static bri_status put(slip_list *l, bri_error *err) {
    int n;
    const bri_slip *s = bri_slips_ended(l->slips, &n);
    bri_status status = BRI_OK;
    for (int i = 0; i < n && status == BRI_OK; i++) {
        const char *name = l->system->contacts[s[i].first].name;
        char line[400];
        snprintf(line, sizeof line, "%.17g,%.17g,%.17g,%d,%.17g,%.17g,%.100s,%d\n", s[i].start,
                 s[i].end, s[i].end - s[i].start, s[i].contacts, s[i].size, s[i].peak,
                 name ? name : "contact", !s[i].cut);
        status = bri_file_put(l->file, line, err);
        if (status == BRI_OK) status = count(l, &s[i], err);
    }
    return status;
}

bri_status slip_list_look(slip_list *l, bri_sim *sim, bri_error *err) {
    bri_slips_look(l->slips, sim);
    return put(l, err);
}

bri_status slip_list_flush(slip_list *l, bri_error *err) {
    return l->file ? bri_file_flush(l->file, err) : BRI_OK;
}

bri_status slip_list_end(slip_list *l, bri_error *err) {
    if (!l->file) return BRI_OK;
    bri_slips_stop(l->slips);
    bri_status status = put(l, err), closed = bri_file_close(l->file, 1, status ? NULL : err);
    l->file = NULL;
    return status ? status : closed;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void slip_list_summarise(slip_list *l) {
    if (!l->name) return;
    fprintf(stderr, "slips: %ld complete, %ld cut off", l->count, l->cut);
    if (l->count > 0) {
        qsort(l->sizes, (size_t)l->count, sizeof *l->sizes, by_size);
        double median = 0.5 * (l->sizes[(l->count - 1) / 2] + l->sizes[l->count / 2]);
        fprintf(stderr, "; size: median %.4g m, largest %.4g m of %d contact%s at t = %.6g s",
                median, l->largest.size, l->largest.contacts, l->largest.contacts == 1 ? "" : "s",
                l->largest.start);
    }
    if (l->thresholds) fprintf(stderr, "; sliding is from %.4g m/s on", l->speed);
    fputc('\n', stderr);
}

void slip_list_free(slip_list *l) {
    bri_file_close(l->file, 0, NULL);
    bri_slips_free(l->slips);
    free(l->sizes);
}
