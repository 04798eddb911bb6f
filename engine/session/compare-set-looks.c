/* compare-set-looks.c: options of a comparison: mode, threshold and the state shared by the
 * panes. */
#include "engine/session/compare-set-looks.h"

#include "engine/session/compare-set-private.h"
#include "engine/study/log/log-lines.h"

#include <math.h>

GobanCompareMode
goban_compare_set_get_mode (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), GOBAN_COMPARE_SIDE);

  return self->looks.mode;
}

void
goban_compare_set_set_mode (GobanCompareSet *self, GobanCompareMode mode)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self) && mode < GOBAN_N_COMPARE_MODES);

  if (self->looks.mode == mode)
    return;

  self->looks.mode = mode;
  goban_log_emit (self, "compare.mode \"%s\"", goban_compare_mode_name (mode));
  goban_compare_set_notify (self, GOBAN_COMPARE_PROP_MODE);
}

GobanUnchanged
goban_compare_set_get_unchanged (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), GOBAN_UNCHANGED_SHOW);

  return self->looks.unchanged;
}

void
goban_compare_set_set_unchanged (GobanCompareSet *self, GobanUnchanged unchanged)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self) && unchanged < GOBAN_N_UNCHANGED);

  if (self->looks.unchanged == unchanged)
    return;

  self->looks.unchanged = unchanged;
  goban_log_emit (self, "compare.unchanged \"%s\"", goban_unchanged_name (unchanged));
  goban_compare_set_notify (self, GOBAN_COMPARE_PROP_UNCHANGED);
}

GobanSync
goban_compare_set_get_sync (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), GOBAN_SYNC_ALL);

  return self->looks.sync;
}

static const char *
word_of (GobanSync sync, GobanSync flag)
{
  return sync & flag ? "true" : "false";
}

void
goban_compare_set_set_sync (GobanCompareSet *self, GobanSync sync)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self) && (sync & ~(guint) GOBAN_SYNC_ALL) == 0);

  if (self->looks.sync == sync)
    return;

  self->looks.sync = sync;
  goban_log_emit (self, "compare.sync{ view = %s, time = %s, selection = %s }",
                  word_of (sync, GOBAN_SYNC_VIEW), word_of (sync, GOBAN_SYNC_TIME),
                  word_of (sync, GOBAN_SYNC_SELECTION));
  goban_compare_set_notify (self, GOBAN_COMPARE_PROP_SYNC);
}

double
goban_compare_set_get_min_change_us (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), 0);

  return self->looks.min_change_us;
}

void
goban_compare_set_set_min_change_us (GobanCompareSet *self, double min_change_us)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));
  g_return_if_fail (isfinite (min_change_us) && min_change_us >= 0);

  if (self->looks.min_change_us == min_change_us)
    return;

  self->looks.min_change_us = min_change_us;
  g_ascii_formatd (number, sizeof number, "%.17g", min_change_us);
  goban_log_emit (self, "compare.threshold \"%sus\"", number);
  goban_compare_set_forget_difference (self, TRUE);
  goban_compare_set_notify (self, GOBAN_COMPARE_PROP_MIN_CHANGE);
  goban_compare_set_notify (self, GOBAN_COMPARE_PROP_DIFFERENCE);
}

gboolean
goban_compare_set_get_own_scales (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), FALSE);

  return self->looks.has_own_scales;
}

void
goban_compare_set_set_own_scales (GobanCompareSet *self, gboolean has_own_scales)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  if (self->looks.has_own_scales == has_own_scales)
    return;

  self->looks.has_own_scales = has_own_scales;
  goban_log_emit (self, "compare.scales \"%s\"", has_own_scales ? "own" : "common");
  goban_compare_set_notify (self, GOBAN_COMPARE_PROP_SCALES);
}

gboolean
goban_compare_set_get_all_lanes (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), FALSE);

  return self->looks.has_all_lanes;
}

void
goban_compare_set_set_all_lanes (GobanCompareSet *self, gboolean has_all_lanes)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  if (self->looks.has_all_lanes == has_all_lanes)
    return;

  self->looks.has_all_lanes = has_all_lanes;
  goban_log_emit (self, "compare.lanes \"%s\"", has_all_lanes ? "all" : "devices");
  goban_compare_set_notify (self, GOBAN_COMPARE_PROP_LANES);
}

gboolean
goban_compare_set_is_racing (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), FALSE);

  return self->is_racing;
}

void
goban_compare_set_set_racing (GobanCompareSet *self, gboolean is_racing)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  if (self->is_racing == is_racing)
    return;

  self->is_racing = is_racing;
  goban_compare_set_notify (self, GOBAN_COMPARE_PROP_RACING);
}

GobanCompareLooks
goban_compare_set_get_looks (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), goban_compare_looks_usual ());

  return self->looks;
}

void
goban_compare_set_restore_looks (GobanCompareSet *self, const GobanCompareLooks *looks)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  self->looks = *looks;
  goban_compare_set_forget_difference (self, FALSE);
  for (guint property = GOBAN_COMPARE_PROP_MODE; property <= GOBAN_COMPARE_PROP_DIFFERENCE;
       property++)
    goban_compare_set_notify (self, property);
}
