/* page.c - the page of a reproduction. Everything is there without a script; the script only hides
 * the rows that are not wanted. */
#define _POSIX_C_SOURCE 200809L
#include "page.h"

#include "output/escape.h"
#include "output/report_page.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bri_tone lab_tone(bri_verdict v) {
    switch (v) {
    case BRI_MATCHES:
        return BRI_TONE_GOOD;
    case BRI_EXPLAINED:
        return BRI_TONE_FAIR;
    case BRI_DIFFERS:
        return BRI_TONE_BAD;
    default:
        return BRI_TONE_OPEN;
    }
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* A paper under way: which of its rows stand on the page. */
typedef struct page {
    const bri_reproduction *r;
    const lab *l;
    FILE *out;
    char *shown; /* of all rows; NULL: there was no memory */
} page;

static const char *const numbers[] = {"published", "computed", "difference", "allowed"};

static void put_number(FILE *out, int which, const char *text, const char *unit) {
    fprintf(out, "<td class=\"number\" data-label=\"%s\">", numbers[which]);
    html_text(out, text);
    if (unit && *unit) {
        fputs(" <small>", out);
        html_text(out, unit);
        fputs("</small>", out);
    }
    fputs("</td>", out);
}

static void put_value(FILE *out, int which, double value, int digits) {
    char text[40] = "-";
    if (isfinite(value)) snprintf(text, sizeof text, "%.*g", digits, value);
    put_number(out, which, text, NULL);
}

/* Why it does not match, where the published value comes from, and on what grounds so much is
 * allowed. */
static void put_why(FILE *out, const bri_reproduced *f) {
    fputs("<td class=\"why\">", out);
    html_text(out, f->reason);
    fputs("<small>", out);
    html_text(out, f->source);
    if (strcmp(f->grounds, "digits") != 0) {
        fputs(isnan(f->tolerance) ? "; bound: " : "; allowed: ", out);
        html_text(out, f->grounds);
    }
    fputs("</small></td>", out);
}

static void put_row(FILE *out, const bri_reproduced *f) {
    const char *verdict = bri_verdict_name(f->verdict);
    double difference = isnan(f->tolerance) ? NAN : f->computed - f->published;
    fprintf(out, "<tr data-verdict=\"%s\"><td class=\"what\">", verdict);
    html_text(out, f->quantity);
    fputs("<small>", out);
    html_text(out, f->experiment);
    fputs("</small></td>", out);
    put_number(out, 0, f->shown, f->unit);
    put_value(out, 1, f->computed, 6);
    put_value(out, 2, difference, 2);
    put_value(out, 3, f->tolerance, 2);
    fprintf(out, "<td class=\"verdict%s\">%s</td>", report_class(lab_tone(f->verdict)), verdict);
    put_why(out, f);
    fputs("</tr>\n", out);
}

/* Whether row i is of this paper, not on the page yet, and belongs to the picture (NULL: any). */
static int is_due(const page *p, int i, const char *picture) {
    const bri_reproduced *f = bri_reproduction_row(p->r, i);
    if (strcmp(f->paper, p->l->paper->key) != 0 || (p->shown && p->shown[i])) return 0;
    return !picture || (p->shown && sheet_holds(picture, f->experiment));
}

/* The rows that are due. The heading stands above them if there are any. */
static void put_rows(page *p, const char *picture, const char *heading) {
    int count = 0;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t host = plain ? uselocale(plain) : (locale_t)0; /* decimal points */
    for (int i = 0; i < bri_reproduction_rows(p->r); i++) {
        if (!is_due(p, i, picture)) continue;
        if (count++ == 0) {
            if (heading) fprintf(p->out, "<h3>%s</h3>\n", heading);
            fputs("<table class=\"rows\">\n<thead><tr><th>quantity</th>", p->out);
            for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
                fprintf(p->out, "<th class=\"number\">%s</th>", numbers[k]);
            fputs("<th>verdict</th><th>reason, source</th></tr></thead>\n<tbody>\n", p->out);
        }
        put_row(p->out, bri_reproduction_row(p->r, i));
        if (p->shown) p->shown[i] = 1;
    }
    if (count) fputs("</tbody>\n</table>\n", p->out);
    if (plain) uselocale(host);
    if (plain) freelocale(plain);
}

/* A picture that is one diagram wide stands beside its rows, a wider one above them. */
static void around(void *context, const char *name, const bri_plot *plot, int before) {
    page *p = context;
    int narrow = plot && (plot->columns == 1 || (plot->columns == 0 && plot->n_panels == 1));
    if (before) {
        fprintf(p->out, "<div class=\"sheet%s\">\n", narrow ? " beside" : "");
    } else {
        put_rows(p, name, NULL);
        fputs("</div>\n", p->out);
    }
}

void page_paper(const bri_reproduction *r, const lab *l, bri_report *report) {
    page p = {r, l, report_body(report), calloc((size_t)bri_reproduction_rows(r) + 1, 1)};
    int paper = 0;
    while (strcmp(bri_paper_key(paper), l->paper->key) != 0) paper++;
    fprintf(p.out, "<section class=\"paper\" data-paper=\"%s\">\n", l->paper->key);
    bri_report_heading(report, l->paper->title);
    report_call_around(report, around, &p);
    if (l->paper->draw) l->paper->draw(l, report);
    report_call_around(report, NULL, NULL);
    fputs("<div class=\"sheet\">\n", p.out);
    put_rows(&p, NULL, "Without a figure");
    fputs("</div>\n", p.out);
    bri_table *t = bri_reproduction_table(r, paper, 0);
    if (t) report_numbers(report, l->paper->key, t);
    bri_table_free(t);
    fputs("</section>\n", p.out);
    free(p.shown);
}

/* ---- choosing ------------------------------------------------------------------------------ */

static int rows_of(const bri_reproduction *r, const char *paper) {
    int count = 0;
    for (int i = 0; i < bri_reproduction_rows(r); i++)
        count += strcmp(bri_reproduction_row(r, i)->paper, paper) == 0;
    return count;
}

static void put_box(FILE *out, const char *group, const char *value, bri_tone tone) {
    fprintf(out,
            "<label class=\"box%s\"><input type=\"checkbox\" name=\"%s\" value=\"%s\" checked> "
            "%s</label>\n",
            report_class(tone), group, value, value);
}

void page_choice(const bri_reproduction *r, bri_report *report) {
    FILE *out = report_body(report);
    fputs("<form id=\"choice\" hidden>\n<fieldset>", out);
    for (int v = 0; v < BRI_VERDICT_COUNT; v++)
        put_box(out, "verdict", bri_verdict_name((bri_verdict)v), lab_tone((bri_verdict)v));
    fputs("</fieldset>\n<fieldset>", out);
    for (int i = 0; i < bri_paper_count(); i++)
        if (rows_of(r, bri_paper_key(i)) > 0)
            put_box(out, "paper", bri_paper_key(i), BRI_TONE_PLAIN);
    fputs("</fieldset>\n<output></output>\n</form>\n", out);
}

/* Rows, sheets without rows and papers that are not chosen are hidden. */
void page_end(bri_report *report) {
    fputs("<script>\n"
          "(function () {\n"
          "  var form = document.getElementById('choice');\n"
          "  function each(root, what, f) { root.querySelectorAll(what).forEach(f); }\n"
          "  function chosen(name) {\n"
          "    var list = [];\n"
          "    each(form, 'input[name=' + name + ']:checked', function (i) { list.push(i.value); "
          "});\n"
          "    return list;\n"
          "  }\n"
          "  function show() {\n"
          "    var verdicts = chosen('verdict'), papers = chosen('paper'), seen = 0, all = 0;\n"
          "    each(document, 'section.paper', function (paper) {\n"
          "      var here = papers.indexOf(paper.dataset.paper) >= 0;\n"
          "      paper.hidden = !here;\n"
          "      each(paper, '.sheet', function (sheet) {\n"
          "        var rows = 0, left = 0;\n"
          "        each(sheet, 'tr[data-verdict]', function (row) {\n"
          "          row.hidden = verdicts.indexOf(row.dataset.verdict) < 0;\n"
          "          rows++;\n"
          "          if (!row.hidden) left++;\n"
          "        });\n"
          "        sheet.hidden = rows > 0 && left === 0;\n"
          "        all += rows;\n"
          "        if (here) seen += left;\n"
          "      });\n"
          "    });\n"
          "    form.querySelector('output').textContent = seen + ' of ' + all + ' quantities';\n"
          "  }\n"
          "  form.hidden = false;\n"
          "  form.addEventListener('change', show);\n"
          "  show();\n"
          "})();\n"
          "</script>\n",
          report_body(report));
}
