/* breakdown-text.c: a breakdown as a sentence and as a table. */
#include "engine/study/analysis/difference/breakdown.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/core/text-table.h"

#include <math.h>

static const char *const kind_words[GOBAN_N_BAR_KINDS] = {
  [GOBAN_BAR_BEFORE] = "before",
  [GOBAN_BAR_CLUSTER] = "cluster",
  [GOBAN_BAR_PLACEMENT] = "placement",
  [GOBAN_BAR_GROUP] = "group",
  [GOBAN_BAR_ORDER] = "order",
  [GOBAN_BAR_FUSION] = "fusion",
  [GOBAN_BAR_INTERACTION] = "interaction",
  [GOBAN_BAR_TIES] = "ties",
  [GOBAN_BAR_CAUSE] = "cause",
  [GOBAN_BAR_AFTER] = "after",
};

const char *
goban_bar_kind_get_word (GobanBarKind kind)
{
  g_return_val_if_fail (kind < GOBAN_N_BAR_KINDS, NULL);

  return kind_words[kind];
}

gboolean
goban_bar_get_change (const GobanBar *bar, GobanRevertKind *kind)
{
  switch (bar->kind)
    {
    case GOBAN_BAR_PLACEMENT:
    case GOBAN_BAR_GROUP:
      *kind = GOBAN_REVERT_MOVE;
      break;
    case GOBAN_BAR_ORDER:
      *kind = GOBAN_REVERT_ORDER;
      break;
    case GOBAN_BAR_FUSION:
      *kind = GOBAN_REVERT_FUSION;
      break;
    default:
      return FALSE;
    }
  return bar->n_nodes > 0;
}

double
goban_bar_get_change_us (const GobanBar *bar)
{
  return bar->to_us - bar->from_us;
}

const char *
goban_format_change (char *buffer, double delta_us, double whole_us)
{
  if (isnan (delta_us))
    return "cannot run";
  if (fabs (delta_us) <= 1e-9 * fabs (whole_us))
    return goban_format_time (buffer, 0);
  return goban_format_time_change (buffer, delta_us);
}

static gboolean
is_plan (const GobanBar *bar)
{
  return bar->kind == GOBAN_BAR_BEFORE || bar->kind == GOBAN_BAR_AFTER;
}

static void
append_makespans (GString *text, const GobanBreakdown *self, const char *const names[2])
{
  double before_us = self->bars[0].to_us;
  double after_us = self->bars[self->n_bars - 1].to_us;
  double change_us = after_us - before_us;
  char time[GOBAN_QUANTITY_LEN], percent[GOBAN_QUANTITY_LEN];

  if (fabs (change_us) <= 1e-9 * fmax (before_us, after_us))
    {
      g_string_append_printf (text, _ ("%s takes as long as %s"), names[1], names[0]);
      return;
    }
  g_string_append_printf (
      text, change_us < 0 ? _ ("%s takes %s less than %s") : _ ("%s takes %s more than %s"),
      names[1], goban_format_time (time, fabs (change_us)), names[0]);
  if (before_us > 0)
    g_string_append_printf (text, " (%s)",
                            goban_format_percent_change (percent, before_us, after_us));
}

char *
goban_breakdown_to_sentence (const GobanBreakdown *self, const char *const names[2])
{
  const char *const own[] = { self->bars[0].label, self->bars[self->n_bars - 1].label };
  double whole_us = fmax (self->bars[0].to_us, self->bars[self->n_bars - 1].to_us);
  GString *text = g_string_new (NULL);
  char buffer[GOBAN_QUANTITY_LEN + 1];
  gboolean is_first = TRUE;

  append_makespans (text, self, names != NULL ? names : own);
  for (guint i = 0; i < self->n_bars; i++)
    {
      const GobanBar *bar = &self->bars[i];

      if (is_plan (bar) || bar->kind == GOBAN_BAR_GROUP)
        continue;
      g_string_append_printf (
          text, "%s%s %s", is_first ? ": " : ", ", bar->label,
          goban_format_change (buffer, goban_bar_get_change_us (bar), whole_us));
      is_first = FALSE;
    }
  return g_string_free (text, FALSE);
}

char *
goban_breakdown_describe_method (const GobanBreakdown *self)
{
  char n[GOBAN_QUANTITY_LEN];

  if (self->bars[1].kind == GOBAN_BAR_CAUSE)
    return g_strdup (_ ("What a device does with its time, on the mean"));
  if (self->n_groups < 2)
    return g_strdup (_ ("Each part alone, added to the first plan"));
  if (!self->is_complete && self->n_orders == 0)
    return g_strdup (_ ("Each part alone, added to the first plan; groups are being measured"));
  if (self->n_orders == 0)
    return g_strdup_printf (_ ("Each part alone, added to the first plan; placement by Shapley "
                               "values of %u groups, %s simulations"),
                            self->n_groups, goban_format_grouped (n, self->n_simulations));
  return g_strdup_printf (
      _ ("Each part alone, added to the first plan; placement by Shapley values "
         "of %u groups over %u random orders, %s simulations"),
      self->n_groups, self->n_orders, goban_format_grouped (n, self->n_simulations));
}

static void
add_row (GobanTable *table, const GobanBar *bar, double whole_us)
{
  char buffer[GOBAN_QUANTITY_LEN + 1], error[GOBAN_QUANTITY_LEN];

  goban_table_add (table, "%s",
                   is_plan (bar)
                       ? goban_format_time (buffer, bar->to_us)
                       : goban_format_change (buffer, goban_bar_get_change_us (bar), whole_us));
  goban_table_add (table, "%s%s", bar->kind == GOBAN_BAR_GROUP ? "  " : "", bar->label);
  if (bar->n_nodes > 0)
    goban_table_add (table, "%u", bar->n_nodes);
  else
    goban_table_add (table, "%s", "");
  if (!bar->is_possible)
    goban_table_add (table, "%s", "not possible alone");
  else if (bar->error_us > 0)
    goban_table_add (table, "± %s", goban_format_time (error, bar->error_us));
  else
    goban_table_add (table, "%s", "");
}

char *
goban_breakdown_to_text (const GobanBreakdown *self)
{
  static const char *const headings[] = { "<makespan", "<of", "nodes", "<", NULL };
  g_autoptr (GobanTable) table = goban_table_new (headings);
  g_autofree char *sentence = goban_breakdown_to_sentence (self, NULL);
  g_autofree char *method = goban_breakdown_describe_method (self);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s\n\n", sentence);
  for (guint i = 0; i < self->n_bars; i++)
    add_row (table, &self->bars[i], self->bars[0].to_us);
  goban_table_append_to (table, text);
  g_string_append_printf (text, "%s\n", method);
  return g_string_free (text, FALSE);
}
