/* report.c - a study as one page that needs nothing but a browser. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_study.h"

#include "escape.h"
#include "fail.h"
#include "number.h"
#include "report_page.h"
#include "sink.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct bri_report {
    char *dir, *title;
    FILE *page; /* the body so far, in memory */
    char *text;
    size_t size;
    bri_error err; /* the first failure */
    report_around *around;
    void *context; /* of around */
};

enum { PATH_ROOM = 4200 };

/* ---- failures and files -------------------------------------------------------------------- */

static void remember(bri_report *r, bri_status status, const bri_error *err) {
    if (status == BRI_OK || r->err.status != BRI_OK) return;
    r->err = *err;
    r->err.status = status;
}

static bri_status path_of(const bri_report *r, const char *name, const char *suffix, char *path,
                          bri_error *err) {
    int n = snprintf(path, PATH_ROOM, "%s/%s%s", r->dir, name, suffix);
    if (n > 0 && n < PATH_ROOM) return BRI_OK;
    return bri_fail(err, BRI_BAD_FILE, "%.200s: the name is too long", r->dir);
}

/* Text that is complete in memory to a file that appears complete. */
static bri_status save(const char *file, const char *text, size_t size, bri_error *err) {
    sink out;
    bri_status status = sink_open(&out, file, 1, err);
    if (status != BRI_OK) return status;
    sink_put(&out, text, size);
    return sink_close(&out, 1, err);
}

/* ---- the CSV behind tables and pictures ---------------------------------------------------- */

/* "velocity [m/s]" */
static void put_axis(FILE *out, const char *name, const char *unit) {
    char text[200];
    int has_unit = unit && *unit;
    snprintf(text, sizeof text, has_unit ? "%s [%s]" : "%s", name ? name : "", unit);
    csv_text(out, text);
}

static void put_value(FILE *out, double x, char end) {
    char room[NUMBER_ROOM];
    fwrite(room, 1, (size_t)(number_put(room, x) - room), out);
    fputc(end, out);
}

static void put_head(FILE *out, const bri_panel *p, const char *series) {
    csv_text(out, p->title ? p->title : "");
    fputc(',', out);
    put_axis(out, p->x_name, p->x_unit);
    fputc(',', out);
    put_axis(out, p->y_name, p->y_unit);
    fputc(',', out);
    csv_text(out, series ? series : "");
    fputc(',', out);
}

/* The cells of a map: their numbers or words in a column of their own. */
static void put_cells(FILE *out, const bri_panel *p) {
    const bri_map *m = p->map;
    for (long k = 0; k < (long)m->nx * m->ny; k++) {
        if (!isfinite(m->z[k])) continue;
        put_head(out, p, m->name);
        put_value(out, m->x[k % m->nx], ',');
        put_value(out, m->y[k / m->nx], ',');
        if (m->words)
            csv_text(out, m->words[(int)m->z[k]]), fputc('\n', out);
        else
            put_value(out, m->z[k], '\n');
    }
}

/* The points of a line, or of one edge of an area. */
static void put_line(FILE *out, const bri_panel *p, const bri_series *s, const double *y,
                     const char *name, int map) {
    for (int k = 0; k < s->count; k++) {
        if (!isfinite(s->x[k]) || !isfinite(y[k])) continue;
        put_head(out, p, name);
        put_value(out, s->x[k], ',');
        put_value(out, y[k], map ? ',' : '\n');
        if (map) fputc('\n', out);
    }
}

/* One line per point. */
static void put_points(FILE *out, const bri_plot *plot) {
    int maps = plot->n_panels > 0 && plot->panels[0].map;
    fprintf(out, "panel,x_axis,y_axis,series,x,y%s\n", maps ? ",value" : "");
    for (int i = 0; i < plot->n_panels; i++) {
        const bri_panel *p = &plot->panels[i];
        if (p->map) put_cells(out, p);
        for (int j = 0; j < p->n_series; j++) {
            const bri_series *s = &p->series[j];
            char low[100], high[100];
            snprintf(low, sizeof low, "%.80s, lower edge", s->label ? s->label : "area");
            snprintf(high, sizeof high, "%.80s, upper edge", s->label ? s->label : "area");
            if (s->low) put_line(out, p, s, s->low, low, maps);
            put_line(out, p, s, s->y, s->low ? high : s->label, maps);
        }
    }
}

/* Numbers of a table or, if that is NULL, of a picture, and the link to them. */
static void put_numbers(bri_report *r, const char *name, const bri_table *table,
                        const bri_plot *plot) {
    char path[PATH_ROOM], *text = NULL;
    size_t size = 0;
    bri_error err = {0};
    FILE *out = open_memstream(&text, &size);
    bri_status status = out ? BRI_OK : bri_fail(&err, BRI_NO_MEMORY, "no memory for %s", name);
    if (out && table) status = bri_table_write(table, BRI_FORM_CSV, out, &err);
    if (out && plot) put_points(out, plot);
    if (out && fclose(out) != 0 && status == BRI_OK)
        status = bri_fail(&err, BRI_NO_MEMORY, "no memory for %s", name);
    if (status == BRI_OK) status = path_of(r, name, ".csv", path, &err);
    if (status == BRI_OK) status = save(path, text, size, &err);
    remember(r, status, &err);
    free(text);
    if (status != BRI_OK) return;
    fputs("<p class=\"behind\">Numbers: <a href=\"", r->page);
    html_text(r->page, name);
    fputs(".csv\">", r->page);
    html_text(r->page, name);
    fputs(".csv</a></p>\n", r->page);
}

/* ---- the page ------------------------------------------------------------------------------ */

bri_status bri_report_create(const char *dir, const char *title, bri_report **to, bri_error *err) {
    bri_report *r = calloc(1, sizeof *r);
    struct stat info;
    *to = NULL;
    if (!r) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    r->dir = strdup(dir);
    r->title = strdup(title);
    r->page = open_memstream(&r->text, &r->size);
    bri_status status = BRI_OK;
    if (!r->dir || !r->title || !r->page)
        status = bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    else if (mkdir(dir, 0777) != 0 &&
             (errno != EEXIST || stat(dir, &info) != 0 || !S_ISDIR(info.st_mode)))
        status = bri_fail(err, BRI_BAD_FILE, "%.200s cannot be made: %s", dir, strerror(errno));
    if (status == BRI_OK) {
        *to = r;
        return BRI_OK;
    }
    bri_report_close(r, NULL, NULL);
    return status;
}

static void put_element(bri_report *r, const char *element, const char *text) {
    fprintf(r->page, "<%s>", element);
    html_text(r->page, text);
    fprintf(r->page, "</%s>\n", element);
}

void bri_report_heading(bri_report *r, const char *text) { put_element(r, "h2", text); }

void bri_report_text(bri_report *r, const char *text) { put_element(r, "p", text); }

void bri_report_listing(bri_report *r, const char *label, const char *text) {
    fputs("<details open>", r->page);
    put_element(r, "summary", label);
    fputs("<pre><code>", r->page);
    html_text(r->page, text);
    fputs("</code></pre></details>\n", r->page);
}

FILE *report_body(bri_report *r) { return r->page; }

void report_numbers(bri_report *r, const char *name, const bri_table *t) {
    put_numbers(r, name, t, NULL);
}

void report_call_around(bri_report *r, report_around *put, void *context) {
    r->around = put;
    r->context = context;
}

static void call_around(bri_report *r, const char *name, const bri_plot *plot, int before) {
    if (r->around) r->around(r->context, name, plot, before);
}

void bri_report_table(bri_report *r, const char *name, const bri_table *t) {
    bri_error err;
    call_around(r, name, NULL, 1);
    fputs("<div class=\"scroll\" id=\"", r->page);
    html_text(r->page, name);
    fputs("\">\n", r->page);
    remember(r, bri_table_write(t, BRI_FORM_HTML, r->page, &err), &err);
    fputs("</div>\n", r->page);
    put_numbers(r, name, t, NULL);
    call_around(r, name, NULL, 0);
}

/* RFC 4648. */
static void put_base64(FILE *out, FILE *in) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char b[3];
    for (size_t n; (n = fread(b, 1, 3, in)) > 0;) {
        for (size_t i = n; i < 3; i++) b[i] = 0;
        fputc(digit[b[0] >> 2], out);
        fputc(digit[(b[0] & 3) << 4 | b[1] >> 4], out);
        fputc(n > 1 ? digit[(b[1] & 15) << 2 | b[2] >> 6] : '=', out);
        fputc(n > 2 ? digit[b[2] & 63] : '=', out);
    }
}

/* Pictures are images with their data in the address: names within one SVG cannot meet those of
 * another, and nothing is fetched. */
void bri_report_picture(bri_report *r, const char *name, const char *caption,
                        const bri_plot *plot) {
    char path[PATH_ROOM];
    bri_error err = {0};
    bri_status status = path_of(r, name, ".svg", path, &err);
    if (status == BRI_OK) status = bri_plot_write(plot, path, &err);
    FILE *svg = status == BRI_OK ? fopen(path, "rb") : NULL;
    if (status == BRI_OK && !svg)
        status = bri_fail(&err, BRI_BAD_FILE, "%.200s: %s", path, strerror(errno));
    call_around(r, name, plot, 1);
    fputs("<figure>\n", r->page);
    if (svg) {
        fputs("<img alt=\"", r->page);
        html_text(r->page, caption);
        fputs("\" src=\"data:image/svg+xml;base64,", r->page);
        put_base64(r->page, svg);
        fputs("\">\n", r->page);
        fclose(svg);
    } else {
        put_element(r, "p", err.text);
    }
    put_element(r, "figcaption", caption);
    fputs("</figure>\n", r->page);
    remember(r, status, &err);
    put_numbers(r, name, NULL, plot);
    call_around(r, name, plot, 0);
}

static void put_page(const bri_report *r, const char *command, FILE *out) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>",
          out);
    html_text(out, r->title);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", report_style);
    html_text(out, r->title);
    fputs("</h1>\n", out);
    fwrite(r->text, 1, r->size, out);
    fprintf(out, "<footer>\n<p>Made by bristle %s (%s)", bri_version(), BRI_BUILT_WITH);
    if (command) {
        fputs(" with<br><code>", out);
        html_text(out, command);
        fputs("</code>", out);
    }
    fputs("</p>\n</footer>\n</body>\n</html>\n", out);
}

static bri_status finish(bri_report *r, const char *command, bri_error *err) {
    char path[PATH_ROOM], *text = NULL;
    size_t size = 0;
    bri_status status = path_of(r, "report", ".html", path, err);
    if (status != BRI_OK) return status;
    FILE *out = open_memstream(&text, &size);
    if (out) put_page(r, command, out);
    if (!out || fclose(out) != 0)
        status = bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    else
        status = save(path, text, size, err);
    free(text);
    return status;
}

bri_status bri_report_close(bri_report *r, const char *command, bri_error *err) {
    bri_error own;
    bri_status status = BRI_OK;
    if (!r) return BRI_OK;
    if (r->page && fclose(r->page) != 0)
        status = bri_fail(&own, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    else if (r->page && r->dir && r->title)
        status = finish(r, command, &own);
    remember(r, status, &own);
    status = r->err.status;
    if (err) *err = r->err;
    free(r->text);
    free(r->dir);
    free(r->title);
    free(r);
    return status;
}
