/* compare-set-private.h: state of a compare set, shared by its source files. */
#pragma once

#include "engine/session/compare-set.h"

#include "engine/core/jobs/job.h"
#include "engine/graph/graph-matching.h"
#include "engine/session/compare-looks.h"
#include "engine/study/analysis/difference/difference.h"

G_BEGIN_DECLS

struct _GobanCompareSet
{
  GObject parent_instance;

  GListModel *list;   /* GobanRunRow: the session's runs */
  GListStore *others; /* GobanRunRow: of other graphs (compare-set-graphs.h), the newest first */
  GobanState *state;  /* (nullable): the session's present */
  GPtrArray *wanted;  /* GobanRun: the chosen runs, in the list or not */
  GPtrArray *runs;    /* GobanRun: requested runs that are in the list, in the same order */
  guint pair[2];      /* indices of the requested runs */
  gboolean is_open;
  gboolean is_racing;
  gpointer closed_with; /* (nullable): the current run when it was closed; only compared */
  GobanCompareLooks looks;

  GPtrArray *matchings;        /* (nullable) of GobanDeviceMatching: newest for each run ... */
  GobanRun *matched_to;        /* ... to this one, which may be gone: only to be compared */
  GobanDifference *difference; /* (nullable) */
  GobanGraphMatching *graphs;  /* (nullable): instead of it, of two graphs */
  gboolean is_stale;           /* the difference was made with another threshold */
  gboolean is_refused;         /* this pair cannot be compared */
  GobanJob *job;               /* (nullable): computes matchings and the difference */
};

enum
{
  GOBAN_COMPARE_PROP_OPEN = 1,
  GOBAN_COMPARE_PROP_RUNS,
  GOBAN_COMPARE_PROP_PAIR,
  GOBAN_COMPARE_PROP_MODE,
  GOBAN_COMPARE_PROP_UNCHANGED,
  GOBAN_COMPARE_PROP_MIN_CHANGE,
  GOBAN_COMPARE_PROP_SYNC,
  GOBAN_COMPARE_PROP_SCALES,
  GOBAN_COMPARE_PROP_LANES,
  GOBAN_COMPARE_PROP_DEVICES,
  GOBAN_COMPARE_PROP_DIFFERENCE,
  GOBAN_COMPARE_PROP_RACING,
  GOBAN_COMPARE_N_PROPS
};

void goban_compare_set_notify (GobanCompareSet *self, guint property);
/* (nullable): the first of the pair, or the second. */
GobanRun *goban_compare_set_peek_pair (GobanCompareSet *self, gboolean is_after);

/* compare-set-difference.c */
void goban_compare_set_drop_job (GobanCompareSet *self);
/* Drops the difference because the pair has changed, or (@is_stale) keeps it until one with the new
 * threshold is made. The caller notifies GOBAN_COMPARE_PROP_DIFFERENCE. */
void goban_compare_set_forget_difference (GobanCompareSet *self, gboolean is_stale);

G_END_DECLS
