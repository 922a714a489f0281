// Edit distance with swaps of neighbours (Damerau 1964, the restricted form), on three rolling rows.
#include "scene/suggest.h"

#include <ctype.h>
#include <string.h>

#define LONGEST 64

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int lower(char c)
{
    return tolower((unsigned char)c);
}

static int edit_distance(const char *a, const char *b)
{
    int length_a = (int)strlen(a), length_b = (int)strlen(b);
    int rows[3][LONGEST + 1];
    for (int j = 0; j <= length_b; ++j) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= length_a; ++i) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= length_b; ++j) {
            int replaced = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            row[j] = least(least(above[j] + 1, row[j - 1] + 1), replaced);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = least(row[j], two_above[j - 2] + 1);
            }
        }
    }
    return rows[length_a % 3][length_b];
}

const char *sn_suggest(const char *misspelt, const char *const *names, int count)
{
    size_t length = strlen(misspelt);
    if (length == 0 || length > LONGEST) {
        return NULL;
    }
    // A third of the letters wrong still looks like a slip; half of them is another word.
    int wanted = length < 5 ? 1 : ((int)length + 1) / 3;
    const char *best = NULL;
    for (int i = 0; i < count && wanted >= 0; ++i) {
        // The difference in length is the least distance there can be.
        int longer = (int)strnlen(names[i], LONGEST + 1) - (int)length;
        if (longer > wanted || -longer > wanted || (int)length + longer > LONGEST) {
            continue;
        }
        int distance = edit_distance(misspelt, names[i]);
        if (distance <= wanted) {
            best = names[i];
            wanted = distance - 1;
        }
    }
    return best;
}
