/* fuzzy.h: fuzzy match: a score for typed letters that occur in order in a text.
 *
 * Words between spaces are matched separately, in any order. Letters score more at the beginning of
 * a word and next to each other, and less the more lies between. Pure; any thread. Only ASCII is
 * case-insensitive; other letters match themselves.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Longer inputs are unlikely; the rest of a longer text is ignored. */
#define GOBAN_FUZZY_MOST_TYPED 64
#define GOBAN_FUZZY_MOST_TEXT 512

/* 0: no match; else higher is better. An empty @typed matches everything with 1. */
int goban_fuzzy_score (const char *typed, const char *text);

G_END_DECLS
