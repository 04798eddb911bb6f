/* fuzzy.h: how well a few typed letters fit a text: the letters in their order, with anything between.
 *
 * Words between spaces are matched each for itself, in any order. Letters score more at the beginning
 * of a word and next to each other, and less the more lies between. Pure; any thread. Only ASCII knows
 * case; other letters match themselves.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What is longer is not typed by anybody; the rest of a longer text is not looked at. */
#define GOBAN_FUZZY_MOST_TYPED 64
#define GOBAN_FUZZY_MOST_TEXT 512

/* 0: it does not fit; else more is better. Nothing typed fits everything, by 1. */
int goban_fuzzy_score (const char *typed, const char *text);

G_END_DECLS
