#include "engine/study/analysis/effect.h"

#include "engine/core/quantity.h"

#include <math.h>

GobanEffect
goban_effect_new (GobanRun *before, GobanRun *after)
{
  GobanEffect effect = {
    .before_us = goban_run_get_makespan_us (before),
    .after_us = goban_run_get_makespan_us (after),
    .share = NAN,
    .is_valid = goban_trace_is_valid (goban_run_get_trace (after)),
  };
  guint n_before, n_after;

  goban_trace_get_transfers (goban_run_get_trace (before), &n_before);
  goban_trace_get_transfers (goban_run_get_trace (after), &n_after);
  effect.n_transfers = (int) n_after - (int) n_before;
  if (isfinite (effect.before_us) && isfinite (effect.after_us) && effect.before_us > 0)
    effect.share = effect.after_us / effect.before_us - 1;
  return effect;
}

char *
goban_effect_describe_share (const GobanEffect *effect)
{
  char text[GOBAN_QUANTITY_LEN];

  if (!isfinite (effect->after_us))
    return g_strdup ("cannot run");
  if (isnan (effect->share))
    return g_strdup ("runs");
  return g_strdup (goban_format_percent_change (text, effect->before_us, effect->after_us));
}

char *
goban_effect_describe (const GobanEffect *effect)
{
  g_autofree char *share = goban_effect_describe_share (effect);
  g_autoptr (GString) text = g_string_new (share);
  char time[GOBAN_QUANTITY_LEN];
  int n = effect->n_transfers;

  if (isfinite (effect->after_us))
    g_string_append_printf (text, ", %s", goban_format_time (time, effect->after_us));
  if (n != 0)
    g_string_append_printf (text, ", %d %s %s", ABS (n), ABS (n) == 1 ? "transfer" : "transfers",
                            n < 0 ? "fewer" : "more");
  if (!effect->is_valid && isfinite (effect->after_us))
    g_string_append (text, ", out of memory");
  return g_string_free (g_steal_pointer (&text), FALSE);
}
