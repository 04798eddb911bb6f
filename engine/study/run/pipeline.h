/* pipeline.h: pipeline of a graph: its stages, its micro-batches and their schedule, as a run.
 *
 * The run is of another graph, that of all micro-batches; everything that shows a run shows it.
 * Immutable; any thread.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/run/run.h"

typedef struct
{
  /* (nullable) a name, the path of a CSV file, or "none", by default: the priorities of the plan
   * decide, as in 1f1b */
  const char *schedule;
  guint n_batches; /* 0: 8, or those of the CSV file */
  guint n_stages;  /* 0: one per rank, two if interleaved or dualpipe-v */
  /* as many as take the least time, one per rank, up to n_stages and n_ranks; the rest of the
   * devices is idle */
  gboolean chooses_stages;
  /* chosen, and shared out to copies as PipeDream's optimiser plans them (placers/stage-copies.h),
   * if any gain by that */
  gboolean copies_stages;
  const guint *n_copies; /* (n_stages) (nullable) of each stage, on a device each; NULL: one */
  guint n_ranks;         /* 0: the devices that are not CPUs */
  gboolean splits;       /* the batch is shared out among the micro-batches */
  GobanPlan *plan;       /* (nullable): the stages are its devices */
  /* (n_nodes) (nullable): below n_stages, which stages there are, on n_ranks devices */
  const guint *stages;
  const GobanProgress *progress; /* (nullable) */
} GobanPipelineOptions;

/* Read-only. */
typedef struct _GobanPipeline
{
  GobanRun *run;
  struct _GobanSchedule *schedule; /* (nullable) */
  struct _GobanScheduleStyle *style;
  guint n_stages;
  guint n_batches;
  guint n_ranks;
  guint *stages;          /* (n_nodes) of the graph that was cut */
  GobanDeviceId *devices; /* (n_ranks) */
  guint *n_copies;        /* (n_stages) (nullable) of each stage; NULL: one */
  double ratio;           /* backward time / forward time */
  GArray *copies;         /* (nullable): guint, those of each stage that are planned */
  double copies_us;       /* the slowest stage of that plan */
  double slowest_us;      /* that of the stages that were chosen */
} GobanPipeline;

/**
 * goban_pipeline_new:
 *
 * Cuts the graph of @costs into stages, repeats it and simulates it. The copies of a stage have the
 * devices after those of the stage before.
 *
 * Returns: (transfer full) (nullable): %NULL with @error set
 */
GobanPipeline *goban_pipeline_new (GobanCostModel *costs, const GobanPipelineOptions *options,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_pipeline_free (GobanPipeline *self);

/* Number of copies of the stage in the run. */
guint goban_pipeline_get_n_copies (const GobanPipeline *self, guint stage);
gboolean goban_pipeline_has_copies (const GobanPipeline *self);
/* "3, 1": of all stages, in the run. (transfer full) (nullable): %NULL if none has copies */
char *goban_pipeline_dup_copies (const GobanPipeline *self) G_GNUC_WARN_UNUSED_RESULT;
/* The most versions of a stage's weights in memory at once: 1 unless asynchronous. */
guint goban_pipeline_get_n_versions (const GobanPipeline *self);
/* Idle share of the devices that have stages, up to the makespan; NAN without one. */
double goban_pipeline_get_bubble (const GobanPipeline *self);
/* The same of stages that all take as long, with free transfers: the formula of the schedule; NAN
 * without one. */
double goban_pipeline_get_uniform_bubble (const GobanPipeline *self);

/* The plan of the chosen stages with copies, beside that without. */
typedef struct
{
  guint n_stages;
  const guint *n_devices; /* (n_stages), borrowed: the copies of each (placers/stage-copies.h) */
  double slowest_us;      /* of the stages with copies, for the graph's batch */
  double slowest_once_us; /* of those of the pipeline */
} GobanPipelineCopies;

/* %FALSE if the number of stages was not chosen, or no stages would have copies. The run has them
 * if the options say so. */
gboolean goban_pipeline_get_copies (const GobanPipeline *self, GobanPipelineCopies *copies);

/* The planned ones, as "3, 1". (transfer full) */
char *goban_pipeline_copies_to_text (const GobanPipelineCopies *self) G_GNUC_WARN_UNUSED_RESULT;

/* The schedule as CSV, a file's own as it was; (transfer full) (nullable): also if stages have
 * copies, for which the files have no form. */
char *goban_pipeline_dup_csv (const GobanPipeline *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPipeline, goban_pipeline_free)
