/* describe.c - modelDescription.xml of FMI 2.0 and 3.0, what tells how to build the source, and a
 * page for people. */
#define _POSIX_C_SOURCE 200809L
#include "fmu.h"

#include "../expr/expr.h"
#include "../memtext.h"
#include "../output/escape.h"
#include "../output/number.h"

#include <stdlib.h>
#include <string.h>

static void attribute(FILE *out, const char *name, const char *text) {
    fprintf(out, " %s=\"", name);
    html_text(out, text);
    fputc('"', out);
}

static void number_attribute(FILE *out, const char *name, double x) {
    char text[NUMBER_ROOM + 1];
    *number_put(text, x) = '\0';
    attribute(out, name, text);
}

/* ---- the head ---------------------------------------------------------------------------------
 */

static void put_head(FILE *out, const fmu_model *m) {
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription\n ");
    attribute(out, "fmiVersion", m->version == 3 ? "3.0" : "2.0");
    attribute(out, "modelName", m->name);
    attribute(out, m->version == 3 ? "instantiationToken" : "guid", m->token);
    fprintf(out, "\n ");
    attribute(out, "description", m->title);
    attribute(out, "version", bri_version());
    attribute(out, "license", "BSD-3-Clause");
    fprintf(out, "\n  generationTool=\"bristle %s\"", bri_version());
    if (m->version == 2)
        fprintf(out, " variableNamingConvention=\"structured\" numberOfEventIndicators=\"%d\"",
                m->indicators);
    else
        fprintf(out, " variableNamingConvention=\"structured\"");
    fprintf(out, ">\n");
}

static int is_c(const char *name) {
    size_t n = strlen(name);
    return n > 2 && strcmp(name + n - 2, ".c") == 0;
}

static void put_sources(FILE *out, const fmu_model *m, const char *element) {
    for (int i = 0; i < m->n_sources; i++)
        if (is_c(m->sources[i].name))
            fprintf(out, "%s name=\"%s\"/>\n", element, m->sources[i].name);
}

static void put_interfaces2(FILE *out, const fmu_model *m) {
    static const char both[] = "canNotUseMemoryManagementFunctions=\"true\" "
                               "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" "
                               "providesDirectionalDerivative=\"true\"";
    static const char *const kinds[] = {"ModelExchange", "CoSimulation"};
    for (int i = 0; i < 2; i++) {
        fprintf(out, "  <%s modelIdentifier=\"%s\" %s%s>\n", kinds[i], m->name, both,
                i == 0      ? ""
                : m->sloped ? " canHandleVariableCommunicationStepSize=\"true\" "
                              "canInterpolateInputs=\"true\""
                            : " canHandleVariableCommunicationStepSize=\"true\"");
        fprintf(out, "    <SourceFiles>\n");
        put_sources(out, m, "      <File");
        fprintf(out, "    </SourceFiles>\n");
        fprintf(out, "  </%s>\n", kinds[i]);
    }
}

static void put_interfaces3(FILE *out, const fmu_model *m) {
    static const char both[] = "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" "
                               "providesDirectionalDerivatives=\"true\" "
                               "providesAdjointDerivatives=\"true\" "
                               "providesPerElementDependencies=\"true\"";
    fprintf(out, "  <ModelExchange modelIdentifier=\"%s\" %s/>\n", m->name, both);
    fprintf(out,
            "  <CoSimulation modelIdentifier=\"%s\" %s "
            "canHandleVariableCommunicationStepSize=\"true\" hasEventMode=\"true\"%s/>\n",
            m->name, both,
            m->equations
                ? ""
                : " mightReturnEarlyFromDoStep=\"true\" providesIntermediateUpdate=\"true\" "
                  "canReturnEarlyAfterIntermediateUpdate=\"true\"");
}

/* ---- units ------------------------------------------------------------------------------------
 */

static void put_unit(FILE *out, const char *unit) {
    static const char *const bases[EXPR_BASES] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    double factor;
    expr_dim dim;
    int whole = expr_unit_si(NULL, unit, &factor, &dim);
    for (int i = 0; whole && i < EXPR_BASES; i++) whole = dim.e[i] % EXPR_TWELVE == 0;
    fprintf(out, "    <Unit");
    attribute(out, "name", unit);
    if (!whole) {
        fprintf(out, "/>\n");
        return;
    }
    fprintf(out, ">\n      <BaseUnit");
    for (int i = 0; i < EXPR_BASES; i++)
        if (dim.e[i] != 0) fprintf(out, " %s=\"%d\"", bases[i], dim.e[i] / EXPR_TWELVE);
    if (factor != 1.0) number_attribute(out, "factor", factor);
    fprintf(out, "/>\n    </Unit>\n");
}

static void put_units(FILE *out, const fmu_model *m) {
    fprintf(out, "  <UnitDefinitions>\n");
    for (int i = 0; i < m->count; i++) {
        int known = strcmp(m->at[i].unit, "1") == 0;
        for (int k = 0; k < i && !known; k++) known = strcmp(m->at[i].unit, m->at[k].unit) == 0;
        if (!known) put_unit(out, m->at[i].unit);
    }
    fprintf(out, "  </UnitDefinitions>\n");
}

/* ---- variables --------------------------------------------------------------------------------
 */

static const struct {
    const char *causality, *variability, *initial;
    int start;
} kinds[] = {
    [FMU_TIME] = {"independent", "continuous", NULL, 0},
    [FMU_INPUT] = {"input", "continuous", NULL, 1},
    [FMU_HELD_INPUT] = {"input", "discrete", NULL, 1},
    [FMU_OUTPUT] = {"output", "continuous", "calculated", 0},
    [FMU_PARAMETER] = {"parameter", "tunable", "exact", 1},
    [FMU_STATE] = {"local", "continuous", "exact", 1},
    [FMU_SHOWN_STATE] = {"output", "continuous", "exact", 1},
    [FMU_RATE] = {"local", "continuous", "calculated", 0},
    [FMU_INDICATOR] = {"local", "continuous", "calculated", 0},
};

static void put_common(FILE *out, const fmu_variable *v) {
    attribute(out, "name", v->name);
    fprintf(out, " valueReference=\"%u\"", v->number);
    attribute(out, "causality", kinds[v->kind].causality);
    attribute(out, "variability", kinds[v->kind].variability);
    if (kinds[v->kind].initial) attribute(out, "initial", kinds[v->kind].initial);
    attribute(out, "description", v->text);
}

static void put_real(FILE *out, const fmu_model *m, const fmu_variable *v) {
    if (strcmp(v->unit, "1") != 0) attribute(out, "unit", v->unit);
    if (v->min < v->max) {
        number_attribute(out, "min", v->min);
        number_attribute(out, "max", v->max);
    }
    if (v->nominal != 0.0) number_attribute(out, "nominal", v->nominal);
    if (kinds[v->kind].start) number_attribute(out, "start", v->start);
    if (v->kind == FMU_RATE) /* FMI 2 counts from 1, FMI 3 names the value reference */
        fprintf(out, " derivative=\"%u\"",
                m->version == 3 ? m->at[v->state].number : (unsigned)v->state + 1);
    if (v->reinit) attribute(out, "reinit", "true");
}

static void put_variables(FILE *out, const fmu_model *m) {
    fprintf(out, "  <ModelVariables>\n");
    for (int i = 0; i < m->count; i++) {
        const fmu_variable *v = &m->at[i];
        fprintf(out, m->version == 3 ? "    <Float64" : "    <ScalarVariable");
        put_common(out, v);
        if (m->version == 2) fprintf(out, ">\n      <Real");
        put_real(out, m, v);
        fprintf(out, m->version == 3 ? "/>\n" : "/>\n    </ScalarVariable>\n");
    }
    fprintf(out, "  </ModelVariables>\n");
}

/* ---- structure --------------------------------------------------------------------------------
 */

/* Whether a variable is an output, a rate, or not known before the initialization. */
enum { OUTPUTS, RATES, INITIAL };
static int is_unknown(fmu_kind kind, int list) {
    return (kind == FMU_OUTPUT && list != RATES) || (kind == FMU_RATE && list != OUTPUTS) ||
           (kind == FMU_SHOWN_STATE && list == OUTPUTS);
}

static void put_unknown2(FILE *out, int index) {
    fprintf(out, "      <Unknown index=\"%d\"/>\n", index + 1);
}

static void put_structure2(FILE *out, const fmu_model *m) {
    static const char *const lists[] = {"Outputs", "Derivatives", "InitialUnknowns"};
    fprintf(out, "  <ModelStructure>\n");
    for (int list = 0; list < 3; list++) {
        int any = 0;
        for (int i = 0; i < m->count; i++) {
            if (!is_unknown(m->at[i].kind, list)) continue;
            if (!any++) fprintf(out, "    <%s>\n", lists[list]);
            put_unknown2(out, i);
        }
        if (any) fprintf(out, "    </%s>\n", lists[list]);
    }
    fprintf(out, "  </ModelStructure>\n");
}

static void put_structure3(FILE *out, const fmu_model *m) {
    static const char *const lists[] = {"Output", "ContinuousStateDerivative", "InitialUnknown"};
    fprintf(out, "  <ModelStructure>\n");
    for (int list = 0; list < 3; list++)
        for (int i = 0; i < m->count; i++)
            if (is_unknown(m->at[i].kind, list))
                fprintf(out, "    <%s valueReference=\"%u\"/>\n", lists[list], m->at[i].number);
    for (int i = 0; i < m->count; i++)
        if (m->at[i].kind == FMU_INDICATOR)
            fprintf(out, "    <EventIndicator valueReference=\"%u\"/>\n", m->at[i].number);
    fprintf(out, "  </ModelStructure>\n");
}

char *fmu_description(const fmu_model *m) {
    memtext page;
    FILE *out = memtext_open(&page);
    if (!out) return NULL;
    put_head(out, m);
    if (m->version == 3)
        put_interfaces3(out, m);
    else
        put_interfaces2(out, m);
    put_units(out, m);
    fprintf(out, "  <LogCategories>\n"
                 "    <Category name=\"logStatusError\" description=\"what is wrong\"/>\n"
                 "    <Category name=\"logStatusDiscard\" description=\"values that are not "
                 "numbers\"/>\n"
                 "    <Category name=\"logEvents\" description=\"events that change states\"/>\n"
                 "    <Category name=\"logAll\" description=\"all of these\"/>\n"
                 "  </LogCategories>\n  <DefaultExperiment");
    number_attribute(out, "startTime", m->start);
    number_attribute(out, "stopTime", m->stop);
    number_attribute(out, "tolerance", m->tolerance);
    number_attribute(out, "stepSize", m->step);
    fprintf(out, "/>\n");
    put_variables(out, m);
    if (m->version == 3)
        put_structure3(out, m);
    else
        put_structure2(out, m);
    fprintf(out, "</fmiModelDescription>\n");
    return memtext_close(&page);
}

void fmu_command(const fmu_model *m, char *text, size_t size) {
    snprintf(text, size, "cc -shared -fPIC -o %s.so %s.c -lm", m->name,
             m->n_sources > 1 ? "*" : m->name);
}

/* FMI 3 asks for it, FMI 2.0.4 and later read it. */
char *fmu_build_description(const fmu_model *m) {
    memtext page;
    FILE *out = memtext_open(&page);
    char command[200];
    if (!out) return NULL;
    fmu_command(m, command, sizeof command);
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<fmiBuildDescription fmiVersion=\"3.0\">\n"
            "  <BuildConfiguration modelIdentifier=\"%s\" description=\"%s\">\n"
            "    <SourceFileSet language=\"%s\">\n",
            m->name, command, m->n_sources > 1 ? "C11" : "C99");
    put_sources(out, m, "      <SourceFile");
    fprintf(out, "    </SourceFileSet>\n"
                 "    <Library name=\"m\" external=\"true\"/>\n"
                 "  </BuildConfiguration>\n</fmiBuildDescription>\n");
    return memtext_close(&page);
}

/* ---- for people -------------------------------------------------------------------------------
 */

static void put_law(FILE *out, const fmu_model *m) {
    fprintf(out, "<pre>");
    html_text(out, m->equations);
    fprintf(out, "</pre>\n<p>Source: ");
    html_text(out, m->cite);
    fprintf(out, "</p>\n<p>Limits: ");
    html_text(out, m->limits);
    fprintf(out, "</p>\n");
}

char *fmu_page(const fmu_model *m) {
    char command[200];
    memtext page;
    FILE *out = memtext_open(&page);
    if (!out) return NULL;
    fprintf(out, "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>");
    html_text(out, m->name);
    fprintf(out, "</title>\n<h1>");
    html_text(out, m->title);
    fprintf(out, "</h1>\n");
    if (m->equations) put_law(out, m);
    fprintf(out, "<table>\n<tr><th>variable<th>unit<th>start<th>meaning\n");
    for (int i = 0; i < m->count; i++) {
        const fmu_variable *v = &m->at[i];
        char start[NUMBER_ROOM + 1] = "";
        if (kinds[v->kind].start) *number_put(start, v->start) = '\0';
        fprintf(out, "<tr><td>%s<td>%s<td>%s<td>", v->name, v->unit, start);
        html_text(out, v->text);
        fputc('\n', out);
    }
    fmu_command(m, command, sizeof command);
    fprintf(out,
            "</table>\n<p>Binaries are compiled from sources/: %s</p>\n"
            "<p>Written by bristle %s.</p>\n</html>\n",
            command, bri_version());
    return memtext_close(&page);
}
