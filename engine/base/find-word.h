/* find-word.h: the index of a word in a list of accepted words. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The index of @word among @n words, or -1. */
int goban_find_word (const char *const *words, guint n, const char *word);

G_END_DECLS
