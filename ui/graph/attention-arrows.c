#include "ui/graph/attention-arrows.h"

#include "engine/study/analysis/moments/moment-card.h"
#include "ui/draw/graph/graph-picture.h"

static GArray *
new_array (void)
{
  return g_array_new (FALSE, FALSE, sizeof (GobanAttentionArrow));
}

static const GArray *
find_attended (const GPtrArray *cards)
{
  for (guint i = 0; cards != NULL && i < cards->len; i++)
    {
      const GobanMomentCard *card = g_ptr_array_index (cards, i);

      if (card->attended->len > 0)
        return card->attended;
    }
  return NULL;
}

GArray *
goban_attention_arrows_new (const GPtrArray *cards, GobanNodeId node)
{
  const GArray *attended = find_attended (cards);
  GArray *self = attended != NULL ? new_array () : NULL;

  for (guint i = 0; self != NULL && i < attended->len; i++)
    {
      const GobanCardAttended *row = &g_array_index (attended, GobanCardAttended, i);
      GobanAttentionArrow arrow = { row->node, node, row->weight };

      if (row->node != GOBAN_NO_NODE)
        g_array_append_val (self, arrow);
    }
  return self;
}

GArray *
goban_attention_arrows_place (const GArray *arrows, const GobanGraphScene *scene)
{
  GArray *placed = new_array ();

  for (guint i = 0; arrows != NULL && i < arrows->len; i++)
    {
      GobanAttentionArrow arrow = g_array_index (arrows, GobanAttentionArrow, i);

      if (scene->outline != NULL)
        {
          arrow.from = scene->outline->item_of[arrow.from];
          arrow.to = scene->outline->item_of[arrow.to];
        }
      if (arrow.from < scene->n_nodes && arrow.to < scene->n_nodes && arrow.from != arrow.to)
        g_array_append_val (placed, arrow);
    }
  return placed;
}
