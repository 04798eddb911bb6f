#include "ui/draw/reports/report-diff.h"
#include "ui/draw/timeline/timeline-build.h"

#include "engine/core/quantity.h"
#include "engine/study/analysis/difference/matched-difference.h"
#include "engine/study/run/fusing.h"
#include "engine/study/run/run-origin.h"

#include <math.h>
#include <string.h>

/* A report has at most so many lines of the log; a longer one is a day's work. */
#define MAX_LINES 18
#define MAX_DEVICES 24

static void
clear_row (gpointer data)
{
  GobanReportRow *row = data;

  g_free (row->what);
  g_free (row->values[0]);
  g_free (row->values[1]);
  g_free (row->change);
}

GobanDiffReport *
goban_diff_report_new_empty (void)
{
  GobanDiffReport *self = g_new0 (GobanDiffReport, 1);

  self->rows = g_array_new (FALSE, FALSE, sizeof (GobanReportRow));
  g_array_set_clear_func (self->rows, clear_row);
  return self;
}

void
goban_diff_report_free (GobanDiffReport *self)
{
  g_free (self->title);
  g_free (self->subtitle);
  for (guint i = 0; i < 2; i++)
    {
      g_free (self->names[i]);
      g_free (self->makespans[i]);
      g_clear_pointer (&self->causes[i], goban_bottlenecks_free);
      g_clear_pointer (&self->graphs[i], goban_graph_scene_free);
      g_clear_pointer (&self->timelines[i], goban_timeline_scene_free);
    }
  g_free (self->change);
  g_array_unref (self->rows);
  g_strfreev (self->moves.devices);
  g_free (self->moves.counts);
  g_clear_pointer (&self->waterfall, goban_waterfall_free);
  g_free (self->sentence);
  g_free (self->about_waterfall);
  g_strfreev (self->script);
  g_clear_pointer (&self->layout, goban_layout_unref);
  g_free (self->marked);
  g_free (self);
}

/* --- numbers -------------------------------------------------------------------------------- */

static char *
format_percent (double before, double after)
{
  char text[GOBAN_QUANTITY_LEN];

  if (!(before > 0) || !isfinite (before) || !isfinite (after) || before == after)
    return g_strdup ("");
  return g_strdup (goban_format_percent_change (text, before, after));
}

static GobanSense
find_sense (double before, double after)
{
  if (isnan (before) || isnan (after) || before == after)
    return GOBAN_SENSE_NONE;
  return after < before ? GOBAN_SENSE_BETTER : GOBAN_SENSE_WORSE;
}

/* @values: texts, taken over. */
static void
add_row (GobanDiffReport *self, const char *what, char *before, char *after)
{
  GobanReportRow row = { g_strdup (what), { before, after }, g_strdup (""), GOBAN_SENSE_NONE };

  g_array_append_val (self->rows, row);
}

typedef const char *(*FormatFunc) (char *buffer, double value);

/* Of which less is better. */
static void
add_quantity (GobanDiffReport *self, const char *what, const double values[2], FormatFunc format)
{
  char a[GOBAN_QUANTITY_LEN], b[GOBAN_QUANTITY_LEN];
  GobanReportRow row = { g_strdup (what),
                         { g_strdup (isnan (values[0]) ? "-" : format (a, values[0])),
                           g_strdup (isnan (values[1]) ? "-" : format (b, values[1])) },
                         format_percent (values[0], values[1]),
                         find_sense (values[0], values[1]) };

  g_array_append_val (self->rows, row);
}

static const char *
format_ratio (char *buffer, double ratio)
{
  return g_ascii_formatd (buffer, GOBAN_QUANTITY_LEN, "%.3f", ratio);
}

static char *
describe_validity (GobanRun *run)
{
  GobanTrace *trace = goban_run_get_trace (run);

  return g_strdup (goban_trace_is_valid (trace) ? "yes" : "no");
}

static char *
format_number (guint64 number)
{
  char text[GOBAN_QUANTITY_LEN];

  return g_strdup (number > 0 ? goban_format_grouped (text, number) : "-");
}

static void
add_peaks (GobanDiffReport *self, GobanRun *const runs[2])
{
  GobanCluster *cluster = goban_run_get_cluster (runs[1]);
  const GobanDeviceUse *uses[2] = { goban_trace_get_uses (goban_run_get_trace (runs[0])),
                                    goban_trace_get_uses (goban_run_get_trace (runs[1])) };
  guint n = MIN (goban_cluster_get_n_devices (goban_run_get_cluster (runs[0])),
                 goban_cluster_get_n_devices (cluster));

  for (guint d = 0; d < MIN (n, MAX_DEVICES); d++)
    {
      const GobanDevice *device = goban_cluster_get_device (cluster, d);
      char capacity[GOBAN_QUANTITY_LEN];
      g_autofree char *what = g_strdup_printf ("peak memory of %s (%s)", device->name,
                                               goban_format_bytes (capacity, device->memory_bytes));
      double values[2] = { uses[0][d].peak_bytes, uses[1][d].peak_bytes };

      add_quantity (self, what, values, goban_format_bytes);
      /* It matters if it is not enough, and that is said. */
      g_array_index (self->rows, GobanReportRow, self->rows->len - 1).sense = GOBAN_SENSE_NONE;
    }
}

static void
add_numbers (GobanDiffReport *self, GobanRun *const runs[2])
{
  double makespans[2], ratios[2], bounds[2], moved[2];

  for (guint i = 0; i < 2; i++)
    {
      GobanTrace *trace = goban_run_get_trace (runs[i]);

      makespans[i] = goban_run_get_makespan_us (runs[i]);
      ratios[i] = goban_run_get_ratio (runs[i]);
      bounds[i] = goban_trace_get_bounds (trace)->bound_us;
      moved[i] = goban_trace_get_transferred_bytes (trace);
    }
  add_quantity (self, "makespan", makespans, goban_format_time);
  add_quantity (self, "lower bound", bounds, goban_format_time);
  g_array_index (self->rows, GobanReportRow, 1).sense = GOBAN_SENSE_NONE;
  add_quantity (self, "times the bound", ratios, format_ratio);
  add_row (self, "fits in memory", describe_validity (runs[0]), describe_validity (runs[1]));
  add_quantity (self, "moved between devices", moved, goban_format_bytes);
  add_peaks (self, runs);
  if (goban_plan_is_fused (goban_run_get_plan (runs[0]))
      || goban_plan_is_fused (goban_run_get_plan (runs[1])))
    add_row (self, "kernels",
             format_number (goban_fusing_count_kernels (goban_run_get_plan (runs[0]))),
             format_number (goban_fusing_count_kernels (goban_run_get_plan (runs[1]))));
  add_row (self, "policy", g_strdup (goban_plan_get_policy (goban_run_get_plan (runs[0]))),
           g_strdup (goban_plan_get_policy (goban_run_get_plan (runs[1]))));
  add_row (self, "seed", g_strdup_printf ("%" G_GUINT64_FORMAT, goban_run_get_seed (runs[0])),
           g_strdup_printf ("%" G_GUINT64_FORMAT, goban_run_get_seed (runs[1])));
  add_row (self, "simulations spent", format_number (goban_run_get_evaluations (runs[0])),
           format_number (goban_run_get_evaluations (runs[1])));
}

/* --- moves and parts ----------------------------------------------------------------------- */

static void
fill_moves (GobanDiffReport *self, const GobanDifference *difference)
{
  GobanCluster *cluster = goban_run_get_cluster (goban_difference_get_after (difference));
  guint n = goban_difference_get_n_devices (difference);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  self->moves.n_devices = n;
  self->moves.counts = g_new (guint, (gsize) n * n + 1);
  for (guint from = 0; from < n; from++)
    {
      g_strv_builder_add (names, goban_cluster_get_device (cluster, from)->name);
      for (guint to = 0; to < n; to++)
        self->moves.counts[(gsize) from * n + to]
            = goban_difference_get_n_moves (difference, from, to);
    }
  self->moves.devices = g_strv_builder_end (names);
}

static void
fill_breakdown (GobanDiffReport *self, const GobanBreakdown *breakdown)
{
  if (breakdown == NULL)
    {
      self->sentence = g_strdup ("not asked for, or one of the plans cannot run");
      self->about_waterfall = g_strdup ("");
      return;
    }
  self->sentence = goban_breakdown_to_sentence (breakdown, NULL);
  self->about_waterfall = goban_breakdown_describe_method (breakdown);
  self->waterfall = goban_waterfall_new (breakdown, NULL, TRUE);
}

/* --- pictures ------------------------------------------------------------------------------- */

static void
mark_moved (GobanDiffReport *self, const GobanOutline *outline, const GobanDifference *difference)
{
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_difference_get_nodes (difference, GOBAN_CHANGE_DEVICE), &n);
  GobanOutlineMarks marks = goban_outline_mark (outline, ids, n);

  self->marked = g_memdup2 (marks.items, marks.n * sizeof *marks.items);
  self->n_marked = marks.n;
  goban_outline_marks_clear (&marks);
}

static gboolean
draw_graphs (GobanDiffReport *self, const GobanDifference *difference, const GobanLook *look,
             GError **error)
{
  GobanRun *const runs[2]
      = { goban_difference_get_before (difference), goban_difference_get_after (difference) };
  GobanGraph *graph = goban_run_get_graph (runs[1]);
  GobanLook usual = { .grouping = GOBAN_GROUPING_AUTO };
  g_autoptr (GobanPlot) plot = goban_plot_new (graph, look != NULL ? look : &usual, error);

  if (plot == NULL)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      GobanTrace *trace = goban_run_get_trace (runs[i]);

      self->graphs[i] = goban_plot_take_scene (
          plot, goban_graph_scene_new (graph, goban_run_get_costs (runs[i]), NULL, trace));
    }
  self->layout = goban_layout_ref (plot->layout);
  mark_moved (self, plot->outline, difference);
  return TRUE;
}

/* Devices alone: links and memory would take a page of their own. */
static void
keep_devices (GobanTimelineScene *scene)
{
  g_autoptr (GPtrArray) hidden = g_ptr_array_new ();
  GobanLaneWishes wishes = { NULL };

  for (guint i = 0; i < scene->n_lanes; i++)
    if (scene->lanes[i].kind != GOBAN_LANE_DEVICE && scene->lanes[i].id != NULL)
      g_ptr_array_add (hidden, scene->lanes[i].id);
  g_ptr_array_add (hidden, NULL);
  wishes.hidden = (const char *const *) hidden->pdata;
  goban_timeline_scene_arrange (scene, &wishes);
}

/* With one set of lanes, so that one can lie behind the other. */
static void
draw_timelines (GobanDiffReport *self, GobanRun *const runs[2])
{
  GobanTrace *before = goban_run_get_trace (runs[0]);
  GobanTrace *after = goban_run_get_trace (runs[1]);

  self->has_ghost = goban_cluster_get_n_devices (goban_run_get_cluster (runs[0]))
                    == goban_cluster_get_n_devices (goban_run_get_cluster (runs[1]));
  self->timelines[0] = self->has_ghost ? goban_timeline_scene_new_with (before, after)
                                       : goban_timeline_scene_new (before);
  keep_devices (self->timelines[0]);
  self->timelines[1] = self->has_ghost ? goban_timeline_scene_new_like (after, self->timelines[0])
                                       : goban_timeline_scene_new (after);
  keep_devices (self->timelines[1]);
}

/* --- all of it ------------------------------------------------------------------------------ */

static void
fill_script (GobanDiffReport *self, const char *script)
{
  g_auto (GStrv) lines = g_strsplit (script != NULL ? script : "", "\n", -1);
  g_autoptr (GStrvBuilder) kept = g_strv_builder_new ();
  guint n = g_strv_length (lines);

  while (n > 0 && *lines[n - 1] == '\0')
    n--;
  if (n > MAX_LINES)
    {
      g_autofree char *note = g_strdup_printf ("-- and %u lines before", n - MAX_LINES);

      g_strv_builder_add (kept, note);
    }
  for (guint i = n > MAX_LINES ? n - MAX_LINES : 0; i < n; i++)
    g_strv_builder_add (kept, lines[i]);
  self->script = g_strv_builder_end (kept);
}

static void
fill_titles (GobanDiffReport *self, const GobanDifference *difference, GobanRun *const runs[2])
{
  GobanDeviceMatching *matching = goban_difference_get_matching (difference);
  g_autofree char *renamed
      = matching != NULL
            ? goban_device_matching_describe (matching, goban_run_get_name (matching->run))
            : NULL;
  GobanGraph *graph = goban_run_get_graph (runs[1]);
  GobanCluster *cluster = goban_run_get_cluster (runs[1]);
  const char *name = goban_graph_get_name (graph);
  char nodes[GOBAN_QUANTITY_LEN], edges[GOBAN_QUANTITY_LEN];
  double makespans[2];

  for (guint i = 0; i < 2; i++)
    {
      char buffer[GOBAN_QUANTITY_LEN];

      makespans[i] = goban_run_get_makespan_us (runs[i]);
      self->names[i] = g_strdup (goban_run_get_name (runs[i]));
      self->makespans[i] = g_strdup (goban_format_time (buffer, makespans[i]));
    }
  self->change = format_percent (makespans[0], makespans[1]);
  self->sense = find_sense (makespans[0], makespans[1]);
  self->title = g_strdup_printf ("%s: %s beside %s", *name != '\0' ? name : "a graph",
                                 self->names[1], self->names[0]);
  self->subtitle
      = g_strdup_printf ("%s nodes, %s edges, %u devices of %s%s%s",
                         goban_format_grouped (nodes, goban_graph_get_n_nodes (graph)),
                         goban_format_grouped (edges, goban_graph_get_n_edges (graph)),
                         goban_cluster_get_n_devices (cluster), goban_cluster_get_name (cluster),
                         renamed != NULL ? " · " : "", renamed != NULL ? renamed : "");
}

GobanDiffReport *
goban_diff_report_new (GobanDifference *difference, const GobanDiffReportOptions *options,
                       GError **error)
{
  static const GobanDiffReportOptions none = { 0 };
  GobanRun *const runs[2]
      = { goban_difference_get_before (difference), goban_difference_get_after (difference) };
  g_autoptr (GobanDiffReport) self = goban_diff_report_new_empty ();

  if (options == NULL)
    options = &none;
  fill_titles (self, difference, runs);
  add_numbers (self, runs);
  fill_moves (self, difference);
  fill_breakdown (self, options->breakdown);
  for (guint i = 0; i < 2; i++)
    self->causes[i] = goban_bottlenecks_new (goban_run_get_trace (runs[i]), GOBAN_BOTTLENECKS_MOST);
  fill_script (self, options->script);
  if (!draw_graphs (self, difference, options->look, error))
    return NULL;
  draw_timelines (self, runs);
  return g_steal_pointer (&self);
}
