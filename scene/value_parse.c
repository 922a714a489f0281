// Reading JSON (RFC 8259), as Jansson does: no \u0000, no number beyond a double or of 64 bits, no deeper
// than it goes. Texts end in a zero, which is part of no JSON, so that nothing has to look for the end but
// the end itself.
#include "scene/value.h"

#include "scene/list.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <string.h>

typedef struct parser {
    const char *at;
    sn_value_store *store;
    SN_LIST(sn_value) items;    // of lists that are open
    SN_LIST(sn_member) members; // of objects that are open
    int depth;
    bool no_memory, point_is_decimal;
} parser;

static bool fail_memory(parser *p)
{
    p->no_memory = true;
    return false;
}

static void skip_blanks(parser *p)
{
    while (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r') {
        ++p->at;
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// --- text --------------------------------------------------------------------------------------------------

// Of which nothing has to be checked or changed.
static bool is_plain(char c)
{
    return c >= ' ' && c != '"' && c != '\\' && (unsigned char)c < 0x80;
}

// Bytes of a character of several, by its first; 0 if there is none such.
static int character_size(unsigned char first)
{
    return first >= 0xc2 && first <= 0xdf   ? 2
           : first >= 0xe0 && first <= 0xef ? 3
           : first >= 0xf0 && first <= 0xf4 ? 4
                                            : 0;
}

static bool is_surrogate(uint32_t code)
{
    return code >= 0xd800 && code <= 0xdfff;
}

// Copies a character of several bytes; false if it is not UTF-8.
static bool copy_character(const char **from, char **to)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)*from;
    int size = character_size(bytes[0]);
    uint32_t code = size == 0 ? 0 : bytes[0] & (0x7fu >> size);
    for (int i = 1; i < size; ++i) {
        if ((bytes[i] & 0xc0) != 0x80) {
            return false;
        }
        code = code << 6 | (bytes[i] & 0x3fu);
    }
    if (size == 0 || code < least[size] || code > 0x10ffff || is_surrogate(code)) {
        return false;
    }
    memcpy(*to, *from, (size_t)size);
    *from += size;
    *to += size;
    return true;
}

// The four digits behind \u.
static bool read_unit(const char **from, uint32_t *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; ++i, ++*from) {
        char c = **from, lower = (char)(c | 0x20);
        if (!is_digit(c) && !(lower >= 'a' && lower <= 'f')) {
            return false;
        }
        *unit = *unit << 4 | (uint32_t)(is_digit(c) ? c - '0' : lower - 'a' + 10);
    }
    return true;
}

static void write_code(uint32_t code, char **to)
{
    int size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const uint32_t marks[5] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = size - 1; i > 0; --i) {
        (*to)[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    (*to)[0] = (char)(marks[size] | code);
    *to += size;
}

// A code behind \u, of two units if it needs them.
static bool copy_code(const char **from, char **to)
{
    uint32_t code, low;
    if (!read_unit(from, &code) || code == 0 || (code >= 0xdc00 && code <= 0xdfff)) {
        return false;
    }
    if (is_surrogate(code)) {
        if ((*from)[0] != '\\' || (*from)[1] != 'u') {
            return false;
        }
        *from += 2;
        if (!read_unit(from, &low) || low < 0xdc00 || low > 0xdfff) {
            return false;
        }
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    write_code(code, to);
    return true;
}

static bool copy_escape(const char **from, char **to)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char name = (*from)[1];
    if (name == '\0') {
        return false;
    }
    *from += 2;
    if (name == 'u') {
        return copy_code(from, to);
    }
    const char *found = strchr(names, name);
    if (found == NULL) {
        return false;
    }
    *(*to)++ = meanings[found - names];
    return true;
}

// Where the text ends that `at` is in: at its quotation mark, or at the end of everything.
static const char *end_of_text(const char *at)
{
    while (*at != '"' && *at != '\0') {
        at += *at == '\\' && at[1] != '\0' ? 2 : 1;
    }
    return at;
}

// Copied text is never longer than what it is copied from.
static bool copy_text(const char *from, char *to)
{
    while (*from != '"') {
        if (is_plain(*from)) {
            *to++ = *from++;
        } else if (!(*from == '\\' ? copy_escape(&from, &to) : copy_character(&from, &to))) {
            return false;
        }
    }
    *to = '\0';
    return true;
}

static bool read_text(parser *p, const char **text)
{
    const char *start = p->at + 1, *end = start;
    if (*p->at != '"') {
        return false;
    }
    while (is_plain(*end)) {
        ++end;
    }
    bool is_simple = *end == '"';
    end = is_simple ? end : end_of_text(end);
    if (*end == '\0') {
        return false;
    }
    size_t length = (size_t)(end - start);
    char *copy = sn_value_store_take(p->store, length + 1);
    if (copy == NULL) {
        return fail_memory(p);
    }
    if (is_simple) {
        memcpy(copy, start, length);
        copy[length] = '\0';
    } else if (!copy_text(start, copy)) {
        return false;
    }
    p->at = end + 1;
    *text = copy;
    return true;
}

// --- numbers -----------------------------------------------------------------------------------------------

typedef struct number {
    const char *start, *end;
    bool is_negative, is_real;
    int digit_count;
    uint64_t digits; // all of them, before and behind the point, if they are no more than fit
    int exponent;    // of ten
} number;

enum { MOST_DIGITS = 18, MOST_EXPONENT = 9999 };

static const char *scan_digits(const char *at, number *n)
{
    for (; is_digit(*at); ++at) {
        n->digits = ++n->digit_count <= MOST_DIGITS ? 10 * n->digits + (uint64_t)(*at - '0') : n->digits;
    }
    return at;
}

static bool scan_exponent(const char **at, number *n)
{
    const char *c = *at + 1;
    bool is_negative = *c == '-';
    int exponent = 0;
    c += *c == '-' || *c == '+';
    if (!is_digit(*c)) {
        return false;
    }
    for (; is_digit(*c); ++c) {
        exponent = exponent < MOST_EXPONENT ? 10 * exponent + (*c - '0') : exponent;
    }
    n->exponent += is_negative ? -exponent : exponent;
    *at = c;
    return true;
}

static bool scan_number(const char *at, number *n)
{
    *n = (number){.start = at, .is_negative = *at == '-'};
    at += n->is_negative;
    if (!is_digit(*at) || (*at == '0' && is_digit(at[1]))) {
        return false;
    }
    at = scan_digits(at, n);
    if (*at == '.') {
        const char *fraction = at + 1;
        at = scan_digits(fraction, n);
        n->is_real = true;
        n->exponent = at - fraction <= INT_MAX / 2 ? -(int)(at - fraction) : -INT_MAX / 2;
        if (at == fraction) {
            return false;
        }
    }
    if (*at == 'e' || *at == 'E') {
        n->is_real = true;
        if (!scan_exponent(&at, n)) {
            return false;
        }
    }
    n->end = at;
    return true;
}

// Digits and power of ten are doubles, exactly, so that one operation rounds as it should (Clinger 1990).
static bool convert_fast(const number *n, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (n->digit_count > MOST_DIGITS || n->digits > (uint64_t)1 << 53 || n->exponent < -22 ||
        n->exponent > 22) {
        return false;
    }
    double digits = (double)n->digits;
    digits = n->exponent < 0 ? digits / powers[-n->exponent] : digits * powers[n->exponent];
    *value = n->is_negative ? -digits : digits;
    return true;
}

// Numbers of many digits are Jansson's, which knows of locales.
static bool convert_by_jansson(const number *n, sn_value *value)
{
    json_error_t error;
    json_t *read = json_loadb(n->start, (size_t)(n->end - n->start), JSON_DECODE_ANY, &error);
    if (read == NULL) {
        return false;
    }
    if (n->is_real) {
        *value = (sn_value){.type = SN_VALUE_REAL, .real = json_real_value(read)};
    } else {
        *value = (sn_value){.type = SN_VALUE_INTEGER, .integer = json_integer_value(read)};
    }
    json_decref(read);
    return true;
}

static bool read_number(parser *p, sn_value *value)
{
    number n;
    double real;
    if (!scan_number(p->at, &n)) {
        return false;
    }
    p->at = n.end;
    if (!n.is_real && n.digit_count <= MOST_DIGITS) {
        int64_t integer = (int64_t)n.digits;
        *value = (sn_value){.type = SN_VALUE_INTEGER, .integer = n.is_negative ? -integer : integer};
        return true;
    }
    bool is_done = n.is_real && convert_fast(&n, &real);
    if (!is_done && n.is_real && p->point_is_decimal) {
        real = strtod(n.start, NULL);
        is_done = isfinite(real);
    }
    if (is_done) {
        *value = (sn_value){.type = SN_VALUE_REAL, .real = real};
        return true;
    }
    return convert_by_jansson(&n, value);
}

// --- lists and objects -------------------------------------------------------------------------------------

static bool read_value(parser *p, sn_value *value);

// Moves the members behind `first`, whose list or object is complete, to where they stay.
static void *keep(parser *p, const void *members, int first, int count, size_t size)
{
    void *kept = sn_value_store_take(p->store, (size_t)(count - first) * size);
    if (kept == NULL) {
        fail_memory(p);
    } else if (count > first) {
        memcpy(kept, (const char *)members + (size_t)first * size, (size_t)(count - first) * size);
    }
    return kept;
}

// Whether there is a comma, and thus another member; `*good` becomes false if there is neither that nor the
// end.
static bool goes_on(parser *p, char end, bool *good)
{
    skip_blanks(p);
    bool is_comma = *p->at == ',';
    *good = is_comma || *p->at == end;
    p->at += *good;
    return is_comma;
}

// Whether an empty list or object ends here.
static bool is_empty(parser *p, char end)
{
    ++p->at;
    skip_blanks(p);
    bool ends = *p->at == end;
    p->at += ends;
    return ends;
}

static bool read_list(parser *p, sn_value *value)
{
    int first = p->items.count;
    bool good = true, more = !is_empty(p, ']');
    while (more) {
        sn_value item;
        if (!read_value(p, &item)) {
            return false;
        }
        if (p->items.count == INT_MAX || !SN_LIST_PUSH(&p->items, item)) {
            return fail_memory(p);
        }
        more = goes_on(p, ']', &good);
    }
    sn_value *items = good ? keep(p, p->items.items, first, p->items.count, sizeof *items) : NULL;
    *value = (sn_value){.type = SN_VALUE_LIST, .count = p->items.count - first, .items = items};
    p->items.count = first;
    return items != NULL;
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const sn_member *)a)->key, ((const sn_member *)b)->key);
}

static bool has_twins(const sn_member *members, int count)
{
    for (int i = 1; i < count; ++i) {
        for (int k = 0; k < i; ++k) {
            if (members[i].key[0] == members[k].key[0] && strcmp(members[i].key, members[k].key) == 0) {
                return true;
            }
        }
    }
    return false;
}

// The same by sorting, for objects that have thousands.
static bool keys_differ(parser *p, const sn_member *members, int count)
{
    if (count <= 16) {
        return !has_twins(members, count);
    }
    sn_member *sorted = malloc((size_t)count * sizeof *sorted);
    if (sorted == NULL) {
        return fail_memory(p);
    }
    memcpy(sorted, members, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_keys);
    bool differ = true;
    for (int i = 1; i < count && differ; ++i) {
        differ = compare_keys(&sorted[i - 1], &sorted[i]) != 0;
    }
    free(sorted);
    return differ;
}

static bool read_member(parser *p, sn_member *member)
{
    skip_blanks(p);
    if (!read_text(p, &member->key)) {
        return false;
    }
    skip_blanks(p);
    if (*p->at != ':') {
        return false;
    }
    ++p->at;
    return read_value(p, &member->value);
}

static bool read_object(parser *p, sn_value *value)
{
    int first = p->members.count;
    bool good = true, more = !is_empty(p, '}');
    while (more) {
        sn_member member;
        if (!read_member(p, &member)) {
            return false;
        }
        if (p->members.count == INT_MAX || !SN_LIST_PUSH(&p->members, member)) {
            return fail_memory(p);
        }
        more = goes_on(p, '}', &good);
    }
    sn_member *members = good ? keep(p, p->members.items, first, p->members.count, sizeof *members) : NULL;
    *value = (sn_value){.type = SN_VALUE_OBJECT, .count = p->members.count - first, .members = members};
    p->members.count = first;
    return members != NULL && keys_differ(p, members, value->count);
}

// --- any of them -------------------------------------------------------------------------------------------

static bool read_word(parser *p, const char *word, sn_value_type type, sn_value *value)
{
    size_t length = strlen(word);
    char behind = strncmp(p->at, word, length) == 0 ? p->at[length] : 'x', lower = (char)(behind | 0x20);
    if (lower >= 'a' && lower <= 'z') {
        return false;
    }
    p->at += length;
    *value = (sn_value){.type = type};
    return true;
}

static bool read_any(parser *p, sn_value *value)
{
    switch (*p->at) {
    case '{':
        return read_object(p, value);
    case '[':
        return read_list(p, value);
    case '"':
        *value = (sn_value){.type = SN_VALUE_TEXT};
        return read_text(p, &value->text);
    case 't':
        return read_word(p, "true", SN_VALUE_TRUE, value);
    case 'f':
        return read_word(p, "false", SN_VALUE_FALSE, value);
    case 'n':
        return read_word(p, "null", SN_VALUE_NULL, value);
    default:
        return read_number(p, value);
    }
}

static const int deepest = 2048; // as Jansson has it

static bool read_value(parser *p, sn_value *value)
{
    skip_blanks(p);
    bool good = ++p->depth <= deepest && read_any(p, value);
    --p->depth;
    return good;
}

sn_parsed sn_value_parse(sn_value_store *store, const char *text, size_t size, sn_value **root)
{
    *root = sn_value_store_take(store, sizeof **root);
    if (*root == NULL) {
        return SN_PARSED_NO_MEMORY;
    }
    parser p = {.at = text, .store = store, .point_is_decimal = localeconv()->decimal_point[0] == '.'};
    bool good = read_value(&p, *root);
    skip_blanks(&p);
    good = good && p.at == text + size;
    SN_LIST_FREE(&p.items);
    SN_LIST_FREE(&p.members);
    return good ? SN_PARSED : p.no_memory ? SN_PARSED_NO_MEMORY : SN_PARSED_NO_JSON;
}
