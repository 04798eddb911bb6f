#include "engine/session/compare-looks.h"

#include "engine/core/find-word.h"

static const char *const mode_names[GOBAN_N_COMPARE_MODES] = {
  [GOBAN_COMPARE_SIDE] = "side",
  [GOBAN_COMPARE_OVERLAY] = "overlay",
  [GOBAN_COMPARE_BLINK] = "blink",
  [GOBAN_COMPARE_DIFFERENCE] = "difference",
};

static const char *const unchanged_names[GOBAN_N_UNCHANGED] = {
  [GOBAN_UNCHANGED_SHOW] = "show",
  [GOBAN_UNCHANGED_DIM] = "dim",
  [GOBAN_UNCHANGED_HIDE] = "hide",
};

const char *
goban_compare_mode_name (GobanCompareMode mode)
{
  return mode_names[mode];
}

gboolean
goban_compare_mode_find (const char *name, GobanCompareMode *mode)
{
  int i = goban_find_word (mode_names, GOBAN_N_COMPARE_MODES, name);

  if (i < 0)
    return FALSE;
  *mode = (GobanCompareMode) i;
  return TRUE;
}

const char *
goban_unchanged_name (GobanUnchanged unchanged)
{
  return unchanged_names[unchanged];
}

gboolean
goban_unchanged_find (const char *name, GobanUnchanged *unchanged)
{
  int i = goban_find_word (unchanged_names, GOBAN_N_UNCHANGED, name);

  if (i < 0)
    return FALSE;
  *unchanged = (GobanUnchanged) i;
  return TRUE;
}

GobanCompareLooks
goban_compare_looks_usual (void)
{
  return (GobanCompareLooks){ .mode = GOBAN_COMPARE_SIDE,
                              .unchanged = GOBAN_UNCHANGED_DIM,
                              .sync = GOBAN_SYNC_ALL,
                              .min_change_us = GOBAN_COMPARE_MIN_CHANGE_US };
}
