// index.html: one page that needs nothing else but the films beside it. Pictures are in it as base64, plots
// as SVG. Tested by tests/apps/figures/test_results.c.
#include "apps/figures/results.h"

#include "scene/output.h"

#include <math.h>
#include <string.h>

static const char style[] =
    "body{font:16px/1.5 system-ui,sans-serif;color:#202428;max-width:62rem;margin:2rem auto;padding:0 1rem}"
    "h1,h2,h3{line-height:1.2}h2{margin-top:3rem;border-bottom:1px solid #d5d8dc}h3{margin-top:2.2rem}"
    "table{border-collapse:collapse;width:100%;margin:.8rem 0;font-size:.92em}"
    "th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #e4e6e9;vertical-align:top}"
    "td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}"
    ".pass{color:#1a7f4b}.short{color:#b3261e;font-weight:600}.told{color:#808890}"
    "figure{margin:1rem 0}img,video,svg{max-width:100%;height:auto;border-radius:4px}"
    "figcaption{color:#606468;font-size:.9em}.pair{display:grid;grid-template-columns:1fr 1fr;gap:.8rem}"
    ".hash{font:.8em monospace;color:#606468}nav a{margin-right:.8rem}";

// --- files within the page ---------------------------------------------------------------------------------

static FILE *open_beside(const figure_results *results, const char *file)
{
    char path[FIGURE_PATH];
    snprintf(path, sizeof path, "%s/%s", results->job->folder, file);
    return fopen(path, "rb");
}

static void write_base64(sn_output *out, FILE *file)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char in[3];
    size_t count;
    while ((count = fread(in, 1, 3, file)) > 0) {
        unsigned bits =
            (unsigned)in[0] << 16 | (count > 1 ? (unsigned)in[1] << 8 : 0) | (count > 2 ? in[2] : 0);
        char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63], count > 1 ? digits[bits >> 6 & 63] : '=',
                        count > 2 ? digits[bits & 63] : '='};
        sn_output_bytes(out, four, 4);
    }
}

// An SVG file without what stands before its first element.
static void write_svg(sn_output *out, FILE *file)
{
    char line[4096];
    bool begun = false;
    while (fgets(line, sizeof line, file) != NULL) {
        begun = begun || strncmp(line, "<svg", 4) == 0;
        if (begun) {
            sn_output_bytes(out, line, strlen(line));
        }
    }
}

static void write_image(const figure_results *results, const figure_image *image, sn_output *out)
{
    FILE *file = image->kind != FIGURE_FILM ? open_beside(results, image->file) : NULL;
    sn_output_text(out, "<figure>");
    if (image->kind == FIGURE_FILM) {
        sn_output_text(out, "<video controls loop muted preload=\"none\" src=\"%s\"></video>", image->file);
    } else if (file != NULL && image->kind == FIGURE_PICTURE) {
        sn_output_text(out, "<img alt=\"\" src=\"data:image/png;base64,");
        write_base64(out, file);
        sn_output_text(out, "\">");
    } else if (file != NULL) {
        write_svg(out, file);
    }
    sn_output_text(out, "<figcaption>");
    sn_output_xml(out, image->caption);
    sn_output_text(out, "</figcaption></figure>\n");
    if (file != NULL) {
        fclose(file);
    }
}

// --- tables ------------------------------------------------------------------------------------------------

static void write_value(sn_output *out, double value)
{
    if (isfinite(value)) {
        sn_output_number(out, value, fabs(value) >= 1e4 ? 7 : 4); // counts in full
    } else {
        sn_output_text(out, "not finite");
    }
}

static void write_measure(const figure_measure *measure, sn_output *out)
{
    static const char *const signs[] = {"", "\u2264 ", "\u2265 ", "= "};
    bool told = measure->bar == FIGURE_TOLD, passes = figure_measure_passes(measure);
    sn_output_text(out, "<tr><td>");
    sn_output_xml(out, measure->what);
    sn_output_text(out, "</td><td>");
    sn_output_xml(out, measure->paper);
    sn_output_text(out, "</td><td class=\"n\">");
    write_value(out, measure->ours);
    sn_output_text(out, " ");
    sn_output_xml(out, measure->unit);
    sn_output_text(out, "</td><td class=\"n\">%s", signs[measure->bar]);
    if (!told) {
        write_value(out, measure->limit);
    }
    sn_output_text(out, "</td><td class=\"%s\">%s</td></tr>\n",
                   told     ? "told"
                   : passes ? "pass"
                            : "short",
                   told     ? ""
                   : passes ? "pass"
                            : "falls short");
}

static void write_measures(const figure_result *result, sn_output *out)
{
    sn_output_text(out, "<table><tr><th>measure</th><th>paper</th><th>ours</th><th>bar</th><th></th></tr>\n");
    for (int i = 0; i < result->measures.count; ++i) {
        write_measure(&result->measures.items[i], out);
    }
    sn_output_text(out, "</table>\n");
}

static void write_hashes(const figure_result *result, sn_output *out)
{
    for (int i = 0; i < result->hashes.count; ++i) {
        sn_output_text(out, "<div class=\"hash\">");
        sn_output_xml(out, result->hashes.items[i].run);
        sn_output_text(out, ": %016llx</div>\n", (unsigned long long)result->hashes.items[i].hash);
    }
}

static void write_item(const figure_results *results, const figure_result *result, sn_output *out)
{
    sn_output_text(out, "<h3 id=\"%s\">", result->item->name);
    sn_output_xml(out, result->item->title);
    sn_output_text(out, "</h3>\n<p>");
    sn_output_xml(out, result->item->text);
    sn_output_text(out, " <small>(--only %s)</small></p>\n", result->item->name);
    if (result->error[0] != '\0') {
        sn_output_text(out, "<p class=\"short\">It could not be done: ");
        sn_output_xml(out, result->error);
        sn_output_text(out, "</p>\n");
    }
    write_measures(result, out);
    sn_output_text(out, "<div%s>\n", result->images.count > 1 ? " class=\"pair\"" : "");
    for (int i = 0; i < result->images.count; ++i) {
        write_image(results, &result->images.items[i], out);
    }
    sn_output_text(out, "</div>\n");
    write_hashes(result, out);
}

static void write_missing(const char *what, const char *why, sn_output *out)
{
    if (why[0] != '\0') {
        sn_output_text(out, "<p>There are no %s: ", what);
        sn_output_xml(out, why);
        sn_output_text(out, "</p>\n");
    }
}

static void write_head(const figure_results *results, sn_output *out)
{
    figure_summary summary = figure_summarise(results);
    sn_output_text(out,
                   "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Sinew: the "
                   "figures of four papers</title><meta name=\"viewport\" "
                   "content=\"width=device-width\"><style>%s</style></head><body>\n",
                   style);
    sn_output_text(
        out, "<h1>The figures of four papers</h1>\n<p>Made by <code>sinew figures%s</code>, version %s. ",
        results->job->quick ? " --quick" : "", sn_version());
    sn_output_text(
        out, "Of %d measures with a bar %d pass and %d fall short; %d more are told without one.%s</p>\n",
        summary.passed + summary.short_of, summary.passed, summary.short_of, summary.told,
        results->job->quick ? " A quick run is shorter and smaller: its times are noisier." : "");
    write_missing("pictures", results->job->no_pictures, out);
    write_missing("films", results->job->no_films, out);
    write_missing("plots", results->job->no_plots, out);
}

bool figure_page_write(const figure_results *results)
{
    char path[FIGURE_PATH];
    sn_output out;
    const char *paper = "";
    snprintf(path, sizeof path, "%s/index.html", results->job->folder);
    if (sn_output_open(&out, path) != SN_OK) {
        return false;
    }
    write_head(results, &out);
    for (int i = 0; i < results->count; ++i) {
        const figure_result *result = &results->items[i];
        if (strcmp(result->item->paper, paper) != 0) {
            paper = result->item->paper;
            sn_output_text(&out, "<h2>");
            sn_output_xml(&out, paper);
            sn_output_text(&out, "</h2>\n");
        }
        write_item(results, result, &out);
    }
    sn_output_text(&out, "</body></html>\n");
    return sn_output_close(&out) == SN_OK;
}
