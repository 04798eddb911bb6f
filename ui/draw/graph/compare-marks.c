#include "ui/draw/graph/compare-marks.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

/* Adds 1 to the items of these nodes, and sets @kind. */
static void
mark_nodes (GobanCompareMarks *self, const GobanOutline *outline, const GobanNodeId *ids, guint n,
            GobanChange change)
{
  for (guint i = 0; i < n; i++)
    {
      guint32 item = outline->item_of[ids[i]];

      if (item != GOBAN_NO_ITEM)
        self->kinds[item] |= (guint8) (1 << change);
    }
}

/* A node counts once, however it changed. */
static void
count_changed (GobanCompareMarks *self, const GobanDifference *difference,
               const GobanOutline *outline)
{
  g_autoptr (GobanSelection) all = goban_selection_new (NULL, 0);
  const GobanNodeId *ids;
  guint n;

  for (GobanChange change = 0; change < GOBAN_CHANGE_TIME; change++)
    if (self->is_marked[change])
      {
        g_autoptr (GobanSelection) more
            = goban_selection_union (all, goban_difference_get_nodes (difference, change));

        goban_selection_unref (all);
        all = g_steal_pointer (&more);
      }
  ids = goban_selection_get_ids (all, &n);
  for (guint i = 0; i < n; i++)
    if (outline->item_of[ids[i]] != GOBAN_NO_ITEM)
      self->n_changed[outline->item_of[ids[i]]]++;
  ids = goban_selection_get_ids (goban_difference_get_nodes (difference, GOBAN_CHANGE_DEVICE), &n);
  for (guint i = 0; i < n; i++)
    if (outline->item_of[ids[i]] != GOBAN_NO_ITEM)
      self->n_moved[outline->item_of[ids[i]]]++;
}

static void
tell_urgency (GobanCompareMarks *self, const GobanDifference *difference,
              const GobanOutline *outline)
{
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (
      goban_difference_get_nodes (difference, GOBAN_CHANGE_PRIORITY), &n);

  for (guint i = 0; i < n; i++)
    {
      gint32 change = goban_difference_get_rank_change (difference, ids[i]);
      guint32 item = outline->item_of[ids[i]];

      self->n_sooner += change < 0;
      self->n_later += change > 0;
      if (item != GOBAN_NO_ITEM && self->is_marked[GOBAN_CHANGE_PRIORITY] && change != 0)
        self->kinds[item] |= (guint8) (change < 0 ? GOBAN_MARK_SOONER : GOBAN_MARK_LATER);
    }
}

GobanCompareMarks *
goban_compare_marks_new (const GobanDifference *difference, const GobanOutline *outline)
{
  GobanCompareMarks *self = g_new0 (GobanCompareMarks, 1);

  self->n_items = outline->n_items;
  self->n_graph = goban_graph_get_n_nodes (outline->graph);
  self->kinds = g_new0 (guint8, MAX (outline->n_items, 1));
  self->n_changed = g_new0 (guint32, MAX (outline->n_items, 1));
  self->n_moved = g_new0 (guint32, MAX (outline->n_items, 1));
  self->has_same_order = difference->has_same_order;
  for (GobanChange change = 0; change < GOBAN_N_CHANGES; change++)
    {
      const GobanNodeId *ids = goban_selection_get_ids (
          goban_difference_get_nodes (difference, change), &self->n_nodes[change]);

      self->is_marked[change] = change == GOBAN_CHANGE_DEVICE || change == GOBAN_CHANGE_FUSION
                                || self->n_nodes[change] <= self->n_graph / 2;
      if (change == GOBAN_CHANGE_PRIORITY && !self->has_same_order)
        self->is_marked[change] = FALSE;
      if (self->is_marked[change])
        mark_nodes (self, outline, ids, self->n_nodes[change], change);
    }
  count_changed (self, difference, outline);
  tell_urgency (self, difference, outline);
  return self;
}

void
goban_compare_marks_free (GobanCompareMarks *self)
{
  if (self == NULL)
    return;
  g_free (self->kinds);
  g_free (self->n_changed);
  g_free (self->n_moved);
  g_free (self);
}

char *
goban_compare_marks_legend (const GobanCompareMarks *self, gboolean is_brief)
{
  gboolean has_ranks = self->has_same_order && self->is_marked[GOBAN_CHANGE_PRIORITY];
  const struct
  {
    const char *sign;
    guint n;
    const char *what;
  } marks[] = {
    { "▢", self->n_nodes[GOBAN_CHANGE_DEVICE], _ ("moved") },
    { "▣", self->n_nodes[GOBAN_CHANGE_FUSION], _ ("re-fused") },
    { "▲", has_ranks ? self->n_sooner : 0, _ ("more urgent") },
    { "▼", has_ranks ? self->n_later : 0, _ ("less urgent") },
  };
  GString *text = g_string_new (NULL);
  char number[GOBAN_QUANTITY_LEN];
  guint n_kinds = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    n_kinds += marks[i].n > 0;
  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    if (marks[i].n > 0)
      g_string_append_printf (text, "%s%s %s%s%s", text->len > 0 ? "   " : "", marks[i].sign,
                              goban_format_grouped (number, marks[i].n),
                              is_brief && n_kinds > 1 ? "" : " ",
                              is_brief && n_kinds > 1 ? "" : marks[i].what);
  if (is_brief)
    return g_string_free (text, FALSE);
  if (!self->has_same_order)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "   " : "",
                            _ ("(another order: priorities are not marked)"));
  else if (!has_ranks && self->n_nodes[GOBAN_CHANGE_PRIORITY] > 0)
    g_string_append_printf (text, "%s%s %s %s", text->len > 0 ? "   " : "", _ ("(priorities:"),
                            goban_format_grouped (number, self->n_nodes[GOBAN_CHANGE_PRIORITY]),
                            _ ("differ, not marked)"));
  if (text->len == 0)
    g_string_append (text, _ ("no node differs"));
  return g_string_free (text, FALSE);
}
