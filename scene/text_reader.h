// A text file in memory, read word by word, with the line in every message. The formats of mesh files are
// built on it; it knows none of them.
//
// Numbers are read the same under every locale and rounded correctly. A reader is a value: a copy of it is a
// bookmark.
#ifndef SN_SCENE_TEXT_READER_H
#define SN_SCENE_TEXT_READER_H

#include "sinew/base.h"

typedef struct sn_text_reader {
    const char *path; // as messages name it
    const char *start, *at, *end;
    size_t line;    // of `at`, from 1; 0 for binary files, whose messages name the byte
    char comment;   // begins a comment up to the end of the line; '\0': there are none
    bool by_lines;  // words are looked for on this line only
    bool continued; // a backslash at the end of a line joins it with the next
} sn_text_reader;

// Some bytes of the file without blanks.
typedef struct sn_word {
    const char *text;
    size_t size;
} sn_word;

// A word between quotation marks as messages show it: short, printable.
typedef struct sn_quoted {
    char text[48];
} sn_quoted;

// A reader of `size` bytes, which it does not own, after the byte order mark if there is one.
sn_text_reader sn_text_begin(const char *text, size_t size, const char *path);

// SN_ERROR_FORMAT with a message after "path:line: ".
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
sn_status
sn_text_fail(const sn_text_reader *reader, const char *format, ...);
sn_quoted sn_word_quote(sn_word word);

// The next word; false at the end of the file or, by lines, of the line.
bool sn_text_next(sn_text_reader *reader, sn_word *word);
// To the beginning of the next line; false if there is none.
bool sn_text_next_line(sn_text_reader *reader);
// Fails if there are words left on the line.
sn_status sn_text_end_line(const sn_text_reader *reader);
// The bytes not read yet.
size_t sn_text_left(const sn_text_reader *reader);

bool sn_word_is(sn_word word, const char *text);
bool sn_word_is_any_case(sn_word word, const char *text);
// Nothing but an optional sign and digits, within 64 bits.
bool sn_word_integer(sn_word word, int64_t *value);
// A decimal number that float32 can hold: neither NaN nor infinite nor too large.
bool sn_word_float(sn_word word, float *value);

// The next word, which must be there; `what` names it in the message.
sn_status sn_text_read_word(sn_text_reader *reader, const char *what, sn_word *word);
// The next word, which must be this one.
sn_status sn_text_expect(sn_text_reader *reader, const char *text);
sn_status sn_text_read_integer(sn_text_reader *reader, const char *what, int64_t lower, int64_t upper,
                               int64_t *value);
sn_status sn_text_read_float(sn_text_reader *reader, const char *what, float lower, float upper,
                             float *value);
// How many `things` follow, each of which takes `least_bytes` of the file or more: so many that the file
// could not hold them are refused before anybody makes room for them.
sn_status sn_text_read_count(sn_text_reader *reader, const char *things, int most, size_t least_bytes,
                             int *count);
// Passes over words without looking at them.
sn_status sn_text_skip_words(sn_text_reader *reader, const char *what, int64_t count);

#endif
