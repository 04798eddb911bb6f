/* compare-looks.h: options of a comparison, and their names in scripts. */
#pragma once

#include <glib.h>

#define GOBAN_COMPARE_MIN_CHANGE_US 100

typedef enum
{
  GOBAN_COMPARE_SIDE,       /* a pane each */
  GOBAN_COMPARE_OVERLAY,    /* the pair in one pane, each node split into two halves */
  GOBAN_COMPARE_BLINK,      /* the second of the pair in one pane; the first while a key is held */
  GOBAN_COMPARE_DIFFERENCE, /* only the differences within the pair */
  GOBAN_N_COMPARE_MODES
} GobanCompareMode;

/* Display of nodes that are the same in both runs of the pair. */
typedef enum
{
  GOBAN_UNCHANGED_SHOW, /* except in the mode DIFFERENCE, which dims them */
  GOBAN_UNCHANGED_DIM,
  GOBAN_UNCHANGED_HIDE,
  GOBAN_N_UNCHANGED
} GobanUnchanged;

/* State shared by the panes. */
typedef enum
{
  GOBAN_SYNC_VIEW = 1 << 0,
  GOBAN_SYNC_TIME = 1 << 1,
  GOBAN_SYNC_SELECTION = 1 << 2,
  GOBAN_SYNC_ALL = 7
} GobanSync;

/* Options of the comparison. */
typedef struct
{
  GobanCompareMode mode;
  GobanUnchanged unchanged;
  GobanSync sync;
  double min_change_us;
  gboolean has_own_scales;  /* a colour ramp for each plan, else one for all */
  gboolean has_own_devices; /* devices are compared by name, without matching exchangeable ones */
  gboolean has_all_lanes;   /* the timeline shows links and memory, too */
} GobanCompareLooks;

GobanCompareLooks goban_compare_looks_usual (void);

/* Names in scripts: "side", "overlay", "blink", "difference"; "show", "dim", "hide". find: %FALSE
 * if there is no such name. */
const char *goban_compare_mode_name (GobanCompareMode mode);
gboolean goban_compare_mode_find (const char *name, GobanCompareMode *mode);
const char *goban_unchanged_name (GobanUnchanged unchanged);
gboolean goban_unchanged_find (const char *name, GobanUnchanged *unchanged);
