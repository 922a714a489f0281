// Files are read again for the excerpt. They may be hostile: lines of any length, bytes of any value. Only a
// window of the line around the column is shown, and what a terminal would obey is replaced.
#include "apps/excerpt.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PATH_LENGTH = 4096, MAX_LINE = 1 << 20, LEFT_OF_MARK = 60 };

typedef struct place {
    char path[MAX_PATH_LENGTH];
    int line, column;   // from 1; columns count characters
    size_t text_offset; // of what the message says
} place;

// A number with a colon behind it.
static bool read_number(const char **text, int *number)
{
    char *end = NULL;
    long value = **text >= '1' && **text <= '9' ? strtol(*text, &end, 10) : 0;
    if (value < 1 || value > INT_MAX || *end != ':') {
        return false;
    }
    *number = (int)value;
    *text = end + 1;
    return true;
}

// Paths may have colons in them, so the first that two numbers follow counts.
static bool find_place(const char *message, size_t length, place *place)
{
    for (size_t i = 1; i < length && i < sizeof place->path; ++i) {
        const char *rest = message + i + 1;
        if (message[i] == ':' && read_number(&rest, &place->line) && read_number(&rest, &place->column)) {
            memcpy(place->path, message, i);
            place->path[i] = '\0';
            place->text_offset = (size_t)(rest - message);
            return place->text_offset <= length;
        }
    }
    return false;
}

// The line, without its end, in a buffer to be freed; null if there is none or it is too long to show.
static char *read_line(const char *path, int line)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (file == NULL) {
        return NULL;
    }
    int c = 0;
    for (int at = 1; at < line && c != EOF;) {
        c = getc(file);
        at += c == '\n' ? 1 : 0;
    }
    if (c != EOF && (text = calloc(1, MAX_LINE)) != NULL) {
        size_t used = 0;
        while ((c = getc(file)) != EOF && c != '\n' && used + 1 < MAX_LINE) {
            text[used++] = (char)(c == '\0' ? ' ' : c);
        }
    }
    fclose(file);
    return text;
}

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

// The byte at which character `number` (from 0) begins, or the end.
static const char *character_at(const char *text, int number)
{
    while (*text != '\0' && number > 0) {
        ++text;
        if (!continues_character(*text)) {
            --number;
        }
    }
    return text;
}

static void print_characters(FILE *out, const char *text, int count)
{
    const char *end = character_at(text, count);
    for (; text < end; ++text) {
        fputc((unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text, out);
    }
}

static void print_source(const terminal *terminal, const place *place)
{
    char *line = read_line(place->path, place->line);
    if (line == NULL) {
        return;
    }
    FILE *out = terminal->stream;
    int skipped = place->column > LEFT_OF_MARK ? place->column - LEFT_OF_MARK : 0;
    int room = terminal->width > 40 ? terminal->width - 10 : 30;
    fprintf(out, "%s%6d |%s ", terminal_code(terminal, STYLE_DIM), place->line,
            terminal_code(terminal, STYLE_PLAIN));
    print_characters(out, character_at(line, skipped), room);
    fprintf(out, "\n%s       |%s %*s%s^%s\n", terminal_code(terminal, STYLE_DIM),
            terminal_code(terminal, STYLE_PLAIN), place->column - skipped - 1, "",
            terminal_code(terminal, STYLE_RED), terminal_code(terminal, STYLE_PLAIN));
    free(line);
}

static void print_message(const terminal *terminal, const char *message, size_t length)
{
    place place;
    if (!find_place(message, length, &place)) {
        fprintf(terminal->stream, "%.*s\n", (int)length, message);
        return;
    }
    fprintf(terminal->stream, "%s%.*s%s%.*s\n", terminal_code(terminal, STYLE_BOLD), (int)place.text_offset,
            message, terminal_code(terminal, STYLE_PLAIN), (int)(length - place.text_offset),
            message + place.text_offset);
    print_source(terminal, &place);
}

void excerpt_print(const terminal *terminal, const char *messages)
{
    while (*messages != '\0') {
        size_t length = strcspn(messages, "\n");
        print_message(terminal, messages, length);
        messages += length + (messages[length] == '\n' ? 1 : 0);
    }
}
