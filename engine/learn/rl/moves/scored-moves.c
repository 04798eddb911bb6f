#include "engine/learn/rl/moves/scored-moves.h"

static int
compare_moves (const void *a, const void *b)
{
  const GobanScoredMove *x = a;
  const GobanScoredMove *y = b;

  if (x->score != y->score)
    return x->score > y->score ? -1 : 1;
  return (x->first > y->first) - (x->first < y->first);
}

void
goban_scored_moves_sort (GArray *moves)
{
  g_array_sort (moves, compare_moves);
}

const GobanScoredMove *
goban_scored_moves_choose (GArray *moves)
{
  for (guint i = 0; i < moves->len; i++)
    {
      GobanScoredMove *move = &g_array_index (moves, GobanScoredMove, i);

      if (move->is_tried)
        continue;
      move->is_tried = TRUE;
      return move;
    }
  return NULL;
}
