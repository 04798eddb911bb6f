/* breakdown-causes.c: the difference of runs of any graphs as the sum of those of their causes. */
#include "engine/study/analysis/difference/breakdown.h"

#include "engine/core/i18n.h"
#include "engine/study/run/time-causes.h"

static const char *const labels[GOBAN_N_CAUSES] = {
  [GOBAN_CAUSE_COMPUTING] = N_ ("computing"),    [GOBAN_CAUSE_RECOMPUTING] = N_ ("recomputation"),
  [GOBAN_CAUSE_EXCHANGING] = N_ ("collectives"), [GOBAN_CAUSE_SENDING] = N_ ("sends"),
  [GOBAN_CAUSE_UPDATING] = N_ ("updates"),       [GOBAN_CAUSE_IDLE] = N_ ("idle"),
};

static void
add_bar (GobanBreakdown *self, GobanBarKind kind, const char *label, double from_us, double to_us)
{
  char *text = g_strdup (label);

  g_ptr_array_add (self->texts, text);
  self->bars[self->n_bars++] = (GobanBar){
    .kind = kind, .label = text, .from_us = from_us, .to_us = to_us, .is_possible = TRUE
  };
}

GobanBreakdown *
goban_breakdown_new_of_causes (GobanRun *before, GobanRun *after, GError **error)
{
  double first_us = goban_run_get_makespan_us (before), last_us = goban_run_get_makespan_us (after);
  double at_us = first_us, a_us[GOBAN_N_CAUSES], b_us[GOBAN_N_CAUSES];
  GobanBreakdown *self;

  if (!goban_run_split_by_cause (before, a_us, error)
      || !goban_run_split_by_cause (after, b_us, error))
    return NULL;
  self = g_new0 (GobanBreakdown, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->bars = g_new0 (GobanBar, GOBAN_N_CAUSES + 2);
  self->is_complete = TRUE;
  add_bar (self, GOBAN_BAR_BEFORE, goban_run_get_name (before), 0, first_us);
  for (guint i = 0; i < GOBAN_N_CAUSES; i++)
    {
      /* The last one ends at the second makespan to the last bit. */
      double to_us = i + 1 < GOBAN_N_CAUSES ? at_us + b_us[i] - a_us[i] : last_us;

      if (a_us[i] != 0 || b_us[i] != 0 || i == GOBAN_CAUSE_IDLE)
        add_bar (self, GOBAN_BAR_CAUSE, _ (labels[i]), at_us, to_us);
      at_us = to_us;
    }
  add_bar (self, GOBAN_BAR_AFTER, goban_run_get_name (after), 0, last_us);
  return self;
}
