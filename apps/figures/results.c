// figures.json: a list of measures, each with its item, and what else was found by item.
// Tested by tests/apps/figures/test_results.c.
#include "apps/figures/results.h"

#include "apps/json_values.h"
#include "apps/options.h"
#include "scene/output.h"

#include <errno.h>
#include <string.h>

figure_summary figure_summarise(const figure_results *results)
{
    figure_summary summary = {0};
    for (int i = 0; i < results->count; ++i) {
        const figure_result *result = &results->items[i];
        summary.failed += result->error[0] != '\0';
        for (int k = 0; k < result->measures.count; ++k) {
            const figure_measure *measure = &result->measures.items[k];
            bool told = measure->bar == FIGURE_TOLD, passes = figure_measure_passes(measure);
            summary.told += told;
            summary.passed += !told && passes;
            summary.short_of += !told && !passes;
        }
    }
    return summary;
}

// A number where the paper gives one, else its words.
static json_t *paper_value(const char *paper)
{
    double number;
    if (paper[0] == '\0') {
        return json_null();
    }
    return number_read(paper, &number) ? json_number(number) : json_text(paper);
}

static json_t *measure_json(const figure_result *result, const figure_measure *measure)
{
    static const char *const bars[] = {"", "at most", "at least", "equal to"};
    bool told = measure->bar == FIGURE_TOLD;
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:s, s:o, s:o}", "item", result->item->name, "measure",
                     json_text(measure->what), "paper", paper_value(measure->paper), "ours",
                     json_number(measure->ours), "unit", json_text(measure->unit), "bar", bars[measure->bar],
                     "limit", told ? json_null() : json_number(measure->limit), "pass",
                     told ? json_null() : json_boolean(figure_measure_passes(measure)));
}

static json_t *item_json(const figure_result *result)
{
    json_t *files = json_array(), *hashes = json_object();
    for (int i = 0; i < result->images.count; ++i) {
        json_array_append_new(files, json_text(result->images.items[i].file));
    }
    for (int i = 0; i < result->hashes.count; ++i) {
        char text[32];
        snprintf(text, sizeof text, "%016llx", (unsigned long long)result->hashes.items[i].hash);
        json_object_set_new(hashes, result->hashes.items[i].run, json_text(text));
    }
    return json_pack("{s:s, s:s, s:s, s:f, s:o, s:o, s:o}", "item", result->item->name, "paper",
                     result->item->paper, "title", result->item->title, "seconds", result->seconds, "error",
                     result->error[0] != '\0' ? json_text(result->error) : json_null(), "files", files,
                     "hashes", hashes);
}

json_t *figure_json(const figure_results *results)
{
    json_t *measures = json_array(), *items = json_array();
    for (int i = 0; i < results->count; ++i) {
        const figure_result *result = &results->items[i];
        json_array_append_new(items, item_json(result));
        for (int k = 0; k < result->measures.count; ++k) {
            json_array_append_new(measures, measure_json(result, &result->measures.items[k]));
        }
    }
    figure_summary summary = figure_summarise(results);
    return json_pack("{s:i, s:s, s:b, s:i, s:i, s:i, s:i, s:o, s:o}", "sinew", 1, "version", sn_version(),
                     "quick", results->job->quick, "passed", summary.passed, "short", summary.short_of,
                     "told", summary.told, "failed", summary.failed, "measures", measures, "items", items);
}

bool figure_json_write(const figure_results *results)
{
    char path[FIGURE_PATH];
    sn_output output;
    snprintf(path, sizeof path, "%s/figures.json", results->job->folder);
    if (sn_output_open(&output, path) != SN_OK) {
        return false;
    }
    json_t *object = figure_json(results);
    char *text = object != NULL ? json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    if (text != NULL) {
        sn_output_bytes(&output, text, strlen(text));
        sn_output_text(&output, "\n");
    } else {
        output.error = output.error != 0 ? output.error : ENOMEM;
    }
    free(text);
    json_decref(object);
    return sn_output_close(&output) == SN_OK;
}
