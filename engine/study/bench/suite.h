/* suite.h: a list of graphs to measure policies on, each with the cluster of each task.
 *
 * Immutable and reference-counted. A suite is a JSON file:
 *
 *   {"about": "...", "graphs": [{"name": "2-layer GNMT", "graph": "gnmt:layers=2",
 *    "placement": "p100x2", "joint": "v100x2"}, ...]}
 *
 * A graph is a spec of a generated one or a file, relative to the suite's own folder, and so
 * is a cluster. The suites that come with the program are known by name.
 */
#pragma once

#include <glib.h>

/* GO's two experimental settings, which use different machines. */
typedef enum
{
  GOBAN_SUITE_TASK_PLACEMENT,
  GOBAN_SUITE_TASK_JOINT, /* placement, scheduling and fusion together */
  GOBAN_N_SUITE_TASKS,
} GobanSuiteTask;

extern const char *const goban_suite_task_names[GOBAN_N_SUITE_TASKS];
/* %FALSE with %GOBAN_ERROR_INVALID set, whose message lists the names. */
gboolean goban_suite_task_find (const char *name, GobanSuiteTask *task, GError **error);

typedef struct
{
  const char *name;                          /* "2-layer GNMT"; unique in its suite */
  const char *graph;                         /* a spec, or a path */
  const char *clusters[GOBAN_N_SUITE_TASKS]; /* (nullable) if the suite has none for a task */
} GobanSuiteGraph;

/* Read-only. */
typedef struct _GobanSuite
{
  gatomicrefcount ref_count;
  char *name;
  char *about;           /* "" if it does not say */
  GArray *graphs;        /* GobanSuiteGraph */
  GStringChunk *strings; /* of the graphs */
} GobanSuite;

/**
 * goban_suite_load:
 * @name: "go14" or another installed suite, or the path of a file, which takes precedence
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set for an unknown name
 *   (whose message lists the valid ones), %GOBAN_ERROR_IO or %GOBAN_ERROR_PARSE (path:line)
 */
GobanSuite *goban_suite_load (const char *name, GError **error) G_GNUC_WARN_UNUSED_RESULT;
GobanSuite *goban_suite_ref (GobanSuite *self);
void goban_suite_unref (GobanSuite *self);

const GobanSuiteGraph *goban_suite_get_graph (const GobanSuite *self, guint i);

/* The names of the installed suites, sorted, NULL-terminated. (transfer full) */
char **goban_suite_names (void) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSuite, goban_suite_unref)
