/* record-model.h: list model of a record of decisions: plans, modules, decisions and variations.
 *
 * Rows are made when they are asked for, and fold: a plan with several decisions hides them, and a
 * long one those of each module. Variations are below the decision that they replace. Memory is
 * that of folds and variations, however many rows there are.
 *
 * A GListModel of GobanRecordItem. Main thread.
 */
#pragma once

#include "engine/machine/cluster/cost-model.h"
#include "engine/study/analysis/moments/moment-card.h"
#include "engine/study/run/run.h"

#include <gio/gio.h>

/* Plans of more decisions fold by module. */
#define GOBAN_RECORD_MOST_UNFOLDED 2000
/* A fold has no more. */
#define GOBAN_RECORD_MOST_FOLDED 500

typedef enum
{
  GOBAN_RECORD_PLAN,
  GOBAN_RECORD_MODULE,
  GOBAN_RECORD_DECISION,
  GOBAN_RECORD_VARIATION,
} GobanRecordKind;

/* What a row is. */
typedef struct
{
  GobanRecordKind kind;
  guint index; /* plan, module, line or variation */
} GobanRecordPlace;

/* Lines beside each other that begin in one module. */
typedef struct
{
  guint first, n; /* lines */
  guint plan;
} GobanRecordModule;

typedef struct
{
  GobanRun *run;  /* owned by the model */
  guint line;     /* below which it is */
  guint depth;    /* 1, or more if it is a variation of the one before it */
  char label[16]; /* "16a" */
} GobanRecordVariation;

#define GOBAN_TYPE_RECORD_ITEM (goban_record_item_get_type ())
G_DECLARE_FINAL_TYPE (GobanRecordItem, goban_record_item, GOBAN, RECORD_ITEM, GObject)

GobanRecordPlace goban_record_item_get_place (GobanRecordItem *self);

#define GOBAN_TYPE_RECORD_MODEL (goban_record_model_get_type ())
G_DECLARE_FINAL_TYPE (GobanRecordModel, goban_record_model, GOBAN, RECORD_MODEL, GObject)

GobanRecordModel *goban_record_model_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Shows the lines of a run, folded, without variations. @lines: borrowed until the next call;
 * (nullable), as @costs is */
void goban_record_model_set_lines (GobanRecordModel *self, const GobanCostModel *costs,
                                   const GobanMomentLines *lines);
/* Shows the runs of @runs (of GobanRun) that were forced at a decision of the run named @name, and
 * those forced at decisions of these. */
void goban_record_model_set_variations (GobanRecordModel *self, const char *name,
                                        const GPtrArray *runs);
/* Shows these lines (of guint, copied; nullable) in this order, without folds and variations;
 * %NULL: all in their own. */
void goban_record_model_set_order (GobanRecordModel *self, const GArray *order);

GobanRecordPlace goban_record_model_get_place (GobanRecordModel *self, guint row);
const GobanRecordModule *goban_record_model_get_module (GobanRecordModel *self, guint module);
const GobanRecordVariation *goban_record_model_get_variation (GobanRecordModel *self,
                                                              guint variation);

/* Whether the row has rows below it that fold, and whether they are shown. */
gboolean goban_record_model_can_fold (GobanRecordModel *self, guint row);
gboolean goban_record_model_is_open (GobanRecordModel *self, guint row);
void goban_record_model_set_open (GobanRecordModel *self, guint row, gboolean is_open);

/* Opens what a line is in, and closes what this function opened before. */
void goban_record_model_open_line (GobanRecordModel *self, guint line);
/* The row of a line, or of the fold that hides it; G_MAXUINT: it is not in the order. */
guint goban_record_model_find_line (GobanRecordModel *self, guint line);
/* The row of the variation that is @run, or G_MAXUINT. */
guint goban_record_model_find_run (GobanRecordModel *self, GobanRun *run);
