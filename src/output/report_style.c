/* report_style.c - how the page of a report looks: plain on paper, wide on a wide screen; on a
 * narrow one tables scroll within themselves, and rows with verdicts become cards. */
#include "report_page.h"

#define NARROW "@media(max-width:46rem)"

const char report_style[] =
    "body{font:16px/1.5 system-ui,'DejaVu Sans',Helvetica,Arial,sans-serif;color:#222;"
    "background:#fff;margin:0 auto;padding:1.5rem;max-width:84rem}\n"
    "[hidden]{display:none!important}\n"
    "h1{font-size:1.7rem;line-height:1.2;margin:.2em 0 .6em}\n"
    "h2{font-size:1.25rem;margin:2em 0 .6em;border-bottom:1px solid #ddd;padding-bottom:.2em}\n"
    "h3{font-size:1rem;margin:1.6em 0 .4em}\n"
    "p{max-width:48rem}\n"
    "figure{margin:1.2em 0 .3em;overflow-x:auto}\n"
    "figure img{width:100%;min-width:42rem;height:auto;border:1px solid #e4e4e4;"
    "box-sizing:border-box}\n"
    "figcaption,footer,.behind{color:#555;font-size:.875rem}\n"
    ".scroll{overflow-x:auto;margin:1em 0 .3em}\n"
    "table{border-collapse:collapse;font-size:.875rem}\n"
    "caption{text-align:left;font-weight:600;padding:.3em 0}\n"
    "th,td{padding:.3em .7em;border-bottom:1px solid #e4e4e4;vertical-align:top}\n"
    "thead th{border-bottom:2px solid #999;text-align:left;background:#fff;vertical-align:bottom}\n"
    "th:first-child,td:first-child{position:sticky;left:0;background:#fff}\n"
    "th small{display:block;font-weight:400;color:#555}\n"
    "th[title]{text-decoration:underline dotted #999;cursor:help}\n"
    ".number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "th.number{text-align:right}.long{min-width:20rem}\n"
    ".good{background:#dcf2e4}.fair{background:#fdf0cc}.bad{background:#fbdcd8}"
    ".open{background:#e3e8f6}\n"
    "pre{background:#f6f6f6;border:1px solid #e4e4e4;padding:.8em;overflow-x:auto;"
    "font-size:.8125rem;line-height:1.4}\n"
    "code{font-family:'DejaVu Sans Mono',ui-monospace,monospace}\n"
    "summary{cursor:pointer}\n"
    "footer{margin-top:3em;border-top:1px solid #ddd;padding-top:.6em}\n"
    "footer code{overflow-wrap:anywhere}\n"

    /* rows with verdicts, their figure above them or, if it is narrow, beside them */
    "table.rows{width:100%;margin:.6em 0 1.2em}\n"
    "table.rows td{overflow-wrap:anywhere}\n"
    "table.rows small{color:#555}\n"
    "table.rows td.what{width:25%}table.rows td.why{width:32%}\n"
    "table.rows td.what small,table.rows td.why small{display:block}\n"
    ".beside figure img{min-width:0}\n"
    "td.verdict{font-weight:600;white-space:nowrap}\n"
    "@media(min-width:68rem){.beside{display:grid;grid-template:auto auto 1fr/26rem minmax(0,1fr);"
    "gap:0 1.5rem;align-items:start}"
    ".beside .rows{grid-column:2;grid-row:1/span 3}}\n" NARROW "{body{padding:.8rem;font-size:15px}"
    "table.rows,table.rows tbody{display:block}table.rows thead{display:none}"
    "table.rows tr{display:grid;grid-template-columns:1fr 1fr;border:1px solid #ccc;"
    "border-radius:4px;margin:0 0 .6em}"
    "table.rows td{border:0;padding:.2em .6em;text-align:left;white-space:normal;position:static}"
    "table.rows td.what,table.rows td.why{grid-column:1/-1;width:auto}"
    "table.rows td.verdict{grid-column:1/-1;grid-row:1;padding:.3em .6em}"
    "table.rows td.number::before{content:attr(data-label);display:block;color:#555;"
    "font-size:.75rem}"
    "table.rows td.why:empty{display:none}"
    "figcaption::after{content:' Wider than the window: it can be moved.'}"
    ".beside figcaption::after{content:none}}\n"

    /* counts: on a narrow screen a line of words and numbers below each title */
    NARROW "{#counts table,#counts tbody{display:block}#counts thead{display:none}"
    "#counts tr{display:flex;flex-wrap:wrap;gap:.2em .4em;padding:.3em 0;"
    "border-bottom:1px solid #ccc}"
    "#counts td{border:0;padding:.1em .4em;position:static}"
    "#counts td:first-child{width:100%;min-width:0}"
    "#counts td.number::before{content:attr(data-label)' ';color:#555}}\n"

    /* the choice of rows; it appears with the script that serves it */
    "#choice{position:sticky;top:0;z-index:2;background:#fff;border-bottom:1px solid #ddd;"
    "padding:.4em 0;font-size:.875rem;display:flex;flex-wrap:wrap;gap:.3em 1.5em;"
    "align-items:center}\n"
    "#choice fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.2em .9em}\n"
    "#choice label{padding:.1em .5em;border-radius:4px;cursor:pointer}\n" NARROW
    "{#choice{position:static}}\n"

    "@media print{body{max-width:none;padding:0;font-size:10pt}.scroll{overflow:visible}"
    "figure img,.long{min-width:0}#choice{display:none}"
    "table{font-size:7.5pt}th,td{padding:.2em .4em}figure,tr{break-inside:avoid}"
    "h2{break-after:avoid}thead{display:table-header-group}"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";

const char *report_class(bri_tone tone) {
    static const char *const names[] = {"", " good", " fair", " bad", " open"};
    return (unsigned)tone < sizeof names / sizeof *names ? names[tone] : "";
}
