/* scored-moves.h: a list of moves sorted by score; each is chosen once. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint first; /* index of its first change in the list of changes */
  guint n;
  gboolean joins; /* for fusion: TRUE fuses its ops first, FALSE leaves them unfused */
  float score;    /* time saved, as a share of the makespan */
  gboolean is_tried;
} GobanScoredMove;

/* Sorts moves (GobanScoredMove) by descending score, equal scores by their first change. */
void goban_scored_moves_sort (GArray *moves);

/* Returns the best untried move and marks it as tried. (nullable) */
const GobanScoredMove *goban_scored_moves_choose (GArray *moves);

G_END_DECLS
