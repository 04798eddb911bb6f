/* find-word.h: search for a word, or the one most like it, in a list of accepted words. */
#pragma once

#include <glib.h>

/* The index of @word among @n words, or -1. */
int goban_find_word (const char *const *words, guint n, const char *word);

/* The index of the word that @word was probably meant to be: the one with the fewest letters added,
 * left out, changed or swapped with their neighbour, if these are at most a third of @word. -1 if
 * there is none. */
int goban_find_nearest_word (const char *const *words, guint n, const char *word);
