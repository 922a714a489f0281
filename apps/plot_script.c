// The script. Every text of the user's goes between single quotes, where gnuplot substitutes nothing, and
// with `noenhanced`, so that underscores stay underscores; numbers go into the script itself, so that no file
// name needs to be trusted.
#include "apps/plot_script.h"

#include <math.h>
#include <string.h>

// The colours of the renderer, the pale ones last: they stand on white here.
static const char *const palette[] = {"e07a5f", "3d85c6", "81b29a", "9a6fb0", "e3a857",
                                      "5fb0b7", "d9667b", "a3b86c", "6f87d6", "f2cc8f"};

enum { PALETTE_COUNT = sizeof palette / sizeof palette[0] };
// Measures of the page [pixels]: a legend, where there is one, stands to the right of its panel.
enum { DEFAULT_WIDTH = 960, PANEL_HEIGHT = 220, LEAST_HEIGHT = 420 };
enum { LEFT = 100, RIGHT = 30, TOP = 24, TITLE = 40, BOTTOM = 60, GAP = 26 };
enum { LEGEND_LINE = 19, LEGEND_LETTER = 7, LEGEND_SAMPLE = 50 };

bool plot_add(plot *plot, const table *table, int x, int y)
{
    const char *unit = table->columns.items[y].unit;
    int panel = 0;
    while (panel < plot->units.count && strcmp(plot->units.items[panel], unit) != 0) {
        ++panel;
    }
    plot_curve curve = {.table = table, .x = x, .y = y, .panel = panel};
    return (panel < plot->units.count || SN_LIST_PUSH(&plot->units, unit)) &&
           SN_LIST_PUSH(&plot->curves, curve);
}

void plot_release(plot *plot)
{
    SN_LIST_FREE(&plot->curves);
    SN_LIST_FREE(&plot->units);
}

// --- words -------------------------------------------------------------------------------------------------

// The inside of a single-quoted text: quotes doubled, control characters (an end of line would end the
// command) replaced.
static void write_inside(FILE *out, const char *text)
{
    for (; *text != '\0'; ++text) {
        fputc((unsigned char)*text < ' ' || *text == 127 ? ' ' : *text, out);
        if (*text == '\'') {
            fputc('\'', out);
        }
    }
}

static void write_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    write_inside(out, text);
    fputc('\'', out);
}

// --- the page ----------------------------------------------------------------------------------------------

static int curves_in(const plot *plot, int panel)
{
    int count = 0;
    for (int i = 0; i < plot->curves.count; ++i) {
        count += plot->curves.items[i].panel == panel;
    }
    return count;
}

// A curve that has its panel to itself is named by the axis, others by the legend.
static bool has_legend(const plot *plot, int panel)
{
    return plot->name_files || curves_in(plot, panel) > 1;
}

static const char *file_name(const plot_curve *curve)
{
    const char *slash = strrchr(curve->table->path, '/');
    return slash != NULL ? slash + 1 : curve->table->path;
}

static const char *curve_name(const plot_curve *curve)
{
    return curve->table->columns.items[curve->y].name;
}

static int page_width(const plot *plot)
{
    return plot->width > 0 ? plot->width : DEFAULT_WIDTH;
}

static int page_height(const plot *plot)
{
    int panel_height = PANEL_HEIGHT;
    for (int panel = 0; panel < plot->units.count; ++panel) {
        int legend = has_legend(plot, panel) ? (curves_in(plot, panel) + 1) * LEGEND_LINE + GAP : 0;
        panel_height = legend > panel_height ? legend : panel_height;
    }
    int wanted = plot->units.count * panel_height + BOTTOM + TOP + (plot->title != NULL ? TITLE : 0);
    return plot->height > 0 ? plot->height : wanted < LEAST_HEIGHT ? LEAST_HEIGHT : wanted;
}

// Room to the right of the panels: for the longest name of a legend, but never more than half the page.
static int right_margin(const plot *plot)
{
    int margin = RIGHT;
    for (int i = 0; i < plot->curves.count; ++i) {
        const plot_curve *curve = &plot->curves.items[i];
        size_t letters = strlen(curve_name(curve)) + (plot->name_files ? strlen(file_name(curve)) + 3 : 0);
        int width = (letters < 200 ? (int)letters : 200) * LEGEND_LETTER + LEGEND_SAMPLE + RIGHT;
        margin = has_legend(plot, curve->panel) && width > margin ? width : margin;
    }
    return margin < page_width(plot) / 2 ? margin : page_width(plot) / 2;
}

static void write_terminal(const plot *plot, FILE *out)
{
    int width = page_width(plot), height = page_height(plot);
    switch (plot->format) {
    case PLOT_SVG:
        fprintf(out, "set terminal svg size %d,%d font 'sans-serif,13' background '#ffffff' noenhanced\n",
                width, height);
        break;
    case PLOT_PNG:
        fprintf(out, "set terminal pngcairo size %d,%d font 'sans,10' noenhanced\n", width, height);
        break;
    case PLOT_PDF:
        fprintf(out, "set terminal pdfcairo size %.4gin,%.4gin font 'sans,10' noenhanced\n", width / 96.0,
                height / 96.0);
        break;
    }
    // A name that begins with a bar would be a command to gnuplot, and one with a tilde somebody's home.
    fprintf(out, "set output '%s", plot->output[0] != '/' ? "./" : "");
    write_inside(out, plot->output);
    fputs("'\n", out);
}

static void write_style(const plot *plot, FILE *out)
{
    fputs("set encoding utf8\n"
          "set border 3 linecolor '#606468' linewidth 0.8\n"
          "set tics nomirror out scale 0.5 textcolor '#404448'\n"
          "set grid linecolor '#e4e6e9' linetype 1 linewidth 0.6\n"
          "set style data lines\n",
          out);
    if (plot->log_x) {
        fputs("set logscale x\n", out);
    }
    if (plot->log_y) {
        fputs("set logscale y\nset format y '%g'\n", out);
    }
    fputc('\n', out);
}

// --- numbers -----------------------------------------------------------------------------------------------

static void write_number(FILE *out, double value)
{
    if (isfinite(value)) {
        fprintf(out, "%.9g", value);
    } else {
        fputs("NaN", out); // leaves a gap
    }
}

static void write_data(const plot *plot, FILE *out)
{
    for (int i = 0; i < plot->curves.count; ++i) {
        const plot_curve *curve = &plot->curves.items[i];
        fprintf(out, "$curve%d << end_of_curve\n", i + 1);
        for (int row = 0; row < curve->table->row_count; ++row) {
            write_number(out, table_value(curve->table, row, curve->x));
            fputc(' ', out);
            write_number(out, table_value(curve->table, row, curve->y));
            fputc('\n', out);
        }
        fputs("end_of_curve\n", out);
    }
    fputc('\n', out);
}

// The range of x over all curves, so that the panels agree; false if it is a point.
static bool find_x_range(const plot *plot, double *lower, double *upper)
{
    *lower = INFINITY;
    *upper = -INFINITY;
    for (int i = 0; i < plot->curves.count; ++i) {
        const plot_curve *curve = &plot->curves.items[i];
        for (int row = 0; row < curve->table->row_count; ++row) {
            double x = table_value(curve->table, row, curve->x);
            *lower = isfinite(x) ? fmin(*lower, x) : *lower;
            *upper = isfinite(x) ? fmax(*upper, x) : *upper;
        }
    }
    return *lower < *upper;
}

// --- panels ------------------------------------------------------------------------------------------------

static void write_y_title(const plot *plot, int panel, FILE *out)
{
    const char *unit = plot->units.items[panel], *space = "";
    fputs("set ylabel '", out);
    for (int i = 0; !has_legend(plot, panel) && i < plot->curves.count; ++i) {
        if (plot->curves.items[i].panel == panel) {
            write_inside(out, curve_name(&plot->curves.items[i]));
            space = " ";
        }
    }
    if (unit[0] != '\0') {
        fprintf(out, "%s[", space);
        write_inside(out, unit);
        fputc(']', out);
    }
    fputs("' noenhanced textcolor '#404448'\n", out);
}

// Margins and legend of a panel, as fractions of the page.
static void write_place(const plot *plot, int panel, FILE *out)
{
    double height = page_height(plot), width = page_width(plot);
    double right = 1.0 - right_margin(plot) / width;
    double top = height - TOP - (plot->title != NULL ? TITLE : 0);
    double each = (top - BOTTOM + GAP) / plot->units.count;
    double upper = (top - panel * each) / height;
    double lower = fmin(top - (panel + 1) * each + GAP, top - panel * each - 1.0) / height;
    fprintf(out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", LEFT / width, right);
    fprintf(out, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", upper, lower);
    if (has_legend(plot, panel)) {
        fprintf(out, "set key at screen %.4f,%.4f left top vertical maxcols 1 Left reverse samplen 1.6\n",
                right + 12.0 / width, upper);
    }
}

// Room above the highest value and, unless nothing is negative, below the lowest.
static void write_room(const plot *plot, int panel, FILE *out)
{
    bool negative = false;
    for (int i = 0; i < plot->curves.count; ++i) {
        const plot_curve *curve = &plot->curves.items[i];
        for (int row = 0; curve->panel == panel && row < curve->table->row_count; ++row) {
            negative = negative || table_value(curve->table, row, curve->y) < 0.0;
        }
    }
    if (!plot->log_y) {
        fprintf(out, "set offsets 0, 0, graph 0.05, %s\n", negative ? "graph 0.05" : "0");
    }
}

static void write_x_axis(const plot *plot, bool last, FILE *out)
{
    if (last) {
        fputs("set xtics format '%g'\nset xlabel ", out);
        write_quoted(out, plot->x_title);
        fputs(" noenhanced textcolor '#404448'\n", out);
    } else {
        fputs("set xtics format ''\nunset xlabel\n", out);
    }
}

static void write_curve(const plot *plot, int index, int color, FILE *out)
{
    const plot_curve *curve = &plot->curves.items[index];
    fprintf(out, "$curve%d using 1:2 %slinecolor '#%s' linewidth 1.8 ", index + 1,
            curve->points ? "with points pointtype 7 pointsize 0.4 " : "", palette[color % PALETTE_COUNT]);
    if (!has_legend(plot, curve->panel)) {
        fputs("notitle", out);
        return;
    }
    fputs("title '", out);
    write_inside(out, curve_name(curve));
    if (plot->name_files) {
        fputs(" · ", out);
        write_inside(out, file_name(curve));
    }
    fputs("' noenhanced", out);
}

static void write_panel(const plot *plot, int panel, FILE *out)
{
    fprintf(out, "\n# panel %d\n", panel + 1);
    write_place(plot, panel, out);
    write_room(plot, panel, out);
    write_y_title(plot, panel, out);
    write_x_axis(plot, panel == plot->units.count - 1, out);
    fputs("plot \\\n", out);
    for (int i = 0, color = 0; i < plot->curves.count; ++i) {
        if (plot->curves.items[i].panel == panel) {
            fputs(color > 0 ? ", \\\n    " : "    ", out);
            write_curve(plot, i, color++, out);
        }
    }
    fputs("\nunset label\n", out); // the title is the first panel's
}

void plot_script_write(const plot *plot, FILE *out)
{
    write_terminal(plot, out);
    write_style(plot, out);
    write_data(plot, out);
    double lower, upper;
    if (find_x_range(plot, &lower, &upper)) {
        fprintf(out, "set xrange [%.9g:%.9g]\n", lower, upper);
    }
    if (plot->title != NULL) {
        fputs("set label ", out);
        write_quoted(out, plot->title);
        fprintf(out, " at screen %.4f,%.4f left noenhanced font ',14' textcolor '#202428'\n",
                (double)LEFT / page_width(plot), 1.0 - 0.5 * (TOP + TITLE) / page_height(plot));
    }
    fputs("set multiplot\n", out);
    for (int panel = 0; panel < plot->units.count; ++panel) {
        write_panel(plot, panel, out);
    }
    fputs("\nunset multiplot\n", out);
}
