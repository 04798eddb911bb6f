/* scored-moves.h: a list of moves by score, from which each is chosen once. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint first; /* in the list of what moves change */
  guint n;
  gboolean joins; /* of fusion: its ops are fused first; FALSE: left alone */
  float score;    /* time saved, as a share of the makespan */
  gboolean is_tried;
} GobanScoredMove;

/* moves (GobanScoredMove): the best score first, equal scores by their first. */
void goban_scored_moves_sort (GArray *moves);

/* (nullable): the best that has not been tried; it is not chosen again. */
const GobanScoredMove *goban_scored_moves_choose (GArray *moves);

G_END_DECLS
