// The nearest valid name to a misspelt one.
#ifndef SN_SCENE_SUGGEST_H
#define SN_SCENE_SUGGEST_H

// The name that takes the fewest insertions, deletions, replacements and swaps of neighbours, ignoring case;
// null if none is near enough to be meant. Equally near ones: the first.
const char *sn_suggest(const char *misspelt, const char *const *names, int count);

#endif
