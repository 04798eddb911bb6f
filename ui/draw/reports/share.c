#include "ui/draw/reports/share.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/difference/matched-difference.h"
#include "engine/study/run/run-list.h"
#include "share-resources.h"
#include "ui/draw/charts/waterfall.h"
#include "ui/draw/reports/share-private.h"

#include <math.h>
#include <string.h>

/* Steps of the time axis: finer than a pixel until it is zoomed in a thousand times. */
#define N_TICKS 1e6

gboolean
goban_share_is_path (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return g_str_has_suffix (lower, ".html") || g_str_has_suffix (lower, ".htm");
}

gboolean
goban_share_check_path (const char *path, GError **error)
{
  if (strcmp (path, "-") == 0 || goban_share_is_path (path))
    return TRUE;
  return goban_refuse (
      error, GOBAN_ERROR_UNSUPPORTED,
      "%s: a report is an HTML page: name it FILE.html, and print that page from a "
      "browser for paper or a PDF",
      path);
}

static gboolean
check_order (const GobanShareOrder *order, GError **error)
{
  if (order->n_runs == 0 || order->n_runs > GOBAN_SHARE_PLANS)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "a shared page has 1 to %d plans, not %u",
                         GOBAN_SHARE_PLANS, order->n_runs);
  for (guint i = 1; i < order->n_runs; i++)
    if (goban_graph_get_hash (goban_run_get_graph (order->runs[i]))
        != goban_graph_get_hash (goban_run_get_graph (order->runs[0])))
      return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” is a plan for another graph than “%s”",
                           goban_run_get_name (order->runs[i]),
                           goban_run_get_name (order->runs[0]));
  return TRUE;
}

/* --- devices --------------------------------------------------------------------------------- */

/* "#ff8000" */
static const char *
format_colour (char buffer[8], GobanRgb colour)
{
  g_snprintf (buffer, 8, "#%06x", colour & 0xffffff);
  return buffer;
}

/* Those of the window: of as many devices as the largest cluster has, light and dark. */
static void
add_colours (GString *json, const GobanShareOrder *order)
{
  guint n_devices = 0;

  for (guint i = 0; i < order->n_runs; i++)
    n_devices
        = MAX (n_devices, goban_cluster_get_n_devices (goban_run_get_cluster (order->runs[i])));
  for (int theme = GOBAN_THEME_LIGHT; theme <= GOBAN_THEME_DARK; theme++)
    {
      const GobanColours *colours = goban_palette_get ((GobanTheme) theme);
      char text[8];

      goban_share_open (json, theme == GOBAN_THEME_DARK ? "dark" : "light", '{');
      goban_json_add_string (json, "edge", format_colour (text, colours->edge));
      goban_json_add_string (json, "cut", format_colour (text, colours->cut));
      goban_json_add_string (json, "critical", format_colour (text, colours->critical));
      goban_json_add_string (json, "selection", format_colour (text, colours->selection));
      goban_share_open (json, "devices", '[');
      for (guint d = 0; d < n_devices; d++)
        goban_share_add_text (json,
                              format_colour (text, goban_palette_device ((GobanTheme) theme, d)));
      goban_share_close (json, ']');
      goban_share_open (json, "hatches", '[');
      for (guint d = 0; d < n_devices; d++)
        goban_share_add_text (json, format_colour (text, goban_palette_hatch (goban_palette_device (
                                                             (GobanTheme) theme, d))));
      goban_share_close (json, ']');
      goban_share_close (json, '}');
    }
  goban_share_open (json, "cues", '[');
  for (guint d = 0; d < n_devices; d++)
    {
      const guint8 *rows = goban_palette_cue_bits (goban_palette_cue (d));

      goban_share_open (json, NULL, '[');
      for (guint y = 0; y < 8; y++)
        goban_share_add_int (json, rows[y]);
      goban_share_close (json, ']');
    }
  goban_share_close (json, ']');
}

/* --- runs ------------------------------------------------------------------------------------ */

static double
find_end (const GobanShareOrder *order)
{
  double end_us = 0;

  for (guint i = 0; i < order->n_runs; i++)
    if (isfinite (goban_run_get_makespan_us (order->runs[i])))
      end_us = MAX (end_us, goban_run_get_makespan_us (order->runs[i]));
  return end_us > 0 ? end_us : 1;
}

static guint
count_lanes (const GobanShareOrder *order)
{
  guint n = 0;

  for (guint i = 0; i < order->n_runs; i++)
    n += 2 * goban_cluster_get_n_devices (goban_run_get_cluster (order->runs[i]));
  return MAX (n, 1);
}

static void
free_matching (gpointer data)
{
  if (data != NULL)
    goban_device_matching_unref (data);
}

/* Each run's with the first one, or NULL. (transfer full) */
static GPtrArray *
match_devices (const GobanShareOrder *order)
{
  GPtrArray *matchings = g_ptr_array_new_with_free_func (free_matching);

  g_ptr_array_add (matchings, NULL);
  for (guint i = 1; i < order->n_runs; i++)
    g_ptr_array_add (matchings, order->has_own_devices
                                    ? NULL
                                    : goban_device_matching_new (order->runs[0], order->runs[i]));
  return matchings;
}

static gboolean
add_runs (GString *json, const GobanShareOrder *order, const GPtrArray *matchings,
          const GobanPlot *plot, GError **error)
{
  GobanShareRun share = { .plot = plot,
                          .tick_us = find_end (order) / N_TICKS,
                          .max_slices = MAX (GOBAN_SHARE_SLICES / count_lanes (order), 100),
                          .progress = order->progress };

  goban_json_add_number (json, "tick", share.tick_us);
  goban_share_open (json, "plans", '[');
  for (guint i = 0; i < order->n_runs; i++)
    {
      goban_progress_step (order->progress, 0.1 + 0.5 * i / order->n_runs, "plans");
      share.run = order->runs[i];
      share.matching = g_ptr_array_index (matchings, i);
      goban_share_open (json, NULL, '{');
      goban_share_add_run (json, &share);
      if (!goban_share_add_steps (json, &share, error))
        return FALSE;
      goban_share_close (json, '}');
    }
  goban_share_close (json, ']');
  return TRUE;
}

/* --- differences ----------------------------------------------------------------------------- */

static void
add_rows (GString *json, const GobanBreakdown *breakdown)
{
  g_autoptr (GobanWaterfall) waterfall = goban_waterfall_new (breakdown, NULL, TRUE);

  goban_share_open (json, "rows", '[');
  for (guint i = 0; i < waterfall->rows->len; i++)
    {
      const GobanWaterfallRow *row = goban_waterfall_get_row (waterfall, i);

      goban_share_open (json, NULL, '{');
      goban_json_add_string (json, "kind", goban_bar_kind_get_word (row->kind));
      goban_json_add_string (json, "label", row->label);
      goban_json_add_string (json, "value", row->value);
      goban_json_add_string (json, "note", row->note);
      goban_json_add_number (json, "from", row->from);
      goban_json_add_number (json, "to", row->to);
      goban_json_add_number (json, "sense", row->sense);
      goban_share_close (json, '}');
    }
  goban_share_close (json, ']');
}

/* Three numbers each: from, to and nodes, of devices of the first plan. */
static void
add_moves (GString *json, const GobanDifference *difference)
{
  guint n = goban_difference_get_n_devices (difference);

  goban_share_open (json, "moves", '[');
  for (guint from = 0; from < n; from++)
    for (guint to = 0; to < n; to++)
      {
        guint n_nodes
            = goban_difference_get_n_moves (difference, (GobanDeviceId) from, (GobanDeviceId) to);

        if (n_nodes == 0)
          continue;
        goban_share_add_int (json, from);
        goban_share_add_int (json, to);
        goban_share_add_int (json, n_nodes);
      }
  goban_share_close (json, ']');
}

/* A plan and the first one; a plan that cannot run is not explained. FALSE with
 * %GOBAN_ERROR_CANCELLED set. */
static gboolean
add_difference (GString *json, const GobanShareOrder *order, guint after,
                GobanDeviceMatching *matching, GError **error)
{
  GobanBreakdownOptions options = { .progress = order->progress };
  g_autoptr (GError) trouble = NULL;
  g_autoptr (GobanDifference) difference
      = goban_difference_new_matched (order->runs[0], order->runs[after], matching, 0, &trouble);
  g_autoptr (GobanBreakdown) breakdown
      = difference != NULL ? goban_breakdown_new (difference, &options, &trouble) : NULL;

  if (!goban_progress_check (order->progress, error))
    return FALSE;
  if (difference == NULL)
    return TRUE;
  goban_share_open (json, NULL, '{');
  goban_json_add_number (json, "after", after);
  add_moves (json, difference);
  if (breakdown != NULL)
    {
      g_autofree char *sentence = goban_breakdown_to_sentence (breakdown, NULL);
      g_autofree char *method = goban_breakdown_describe_method (breakdown);

      goban_json_add_string (json, "sentence", sentence);
      goban_json_add_string (json, "method", method);
      add_rows (json, breakdown);
    }
  goban_share_close (json, '}');
  return TRUE;
}

static gboolean
add_differences (GString *json, const GobanShareOrder *order, const GPtrArray *matchings,
                 GError **error)
{
  goban_share_open (json, "differences", '[');
  for (guint i = 1; i < MIN (order->n_runs, GOBAN_SHARE_DIFFERENCES + 1); i++)
    if (!add_difference (json, order, i, g_ptr_array_index (matchings, i), error))
      return FALSE;
  goban_share_close (json, ']');
  return TRUE;
}

/* --- the page -------------------------------------------------------------------------------- */

static const char *
get_title (const GobanShareOrder *order)
{
  const char *name = goban_graph_get_name (goban_run_get_graph (order->runs[0]));

  return *name != '\0' ? name : "graph";
}

static void
add_titles (GString *json, const GobanShareOrder *order, const GobanPlot *plot)
{
  GobanGraph *graph = goban_run_get_graph (order->runs[0]);
  GobanCluster *cluster = goban_run_get_cluster (order->runs[0]);
  char nodes[GOBAN_QUANTITY_LEN], edges[GOBAN_QUANTITY_LEN];
  g_autofree char *about
      = g_strdup_printf ("%s nodes, %s edges, %u devices of %s",
                         goban_format_grouped (nodes, goban_graph_get_n_nodes (graph)),
                         goban_format_grouped (edges, goban_graph_get_n_edges (graph)),
                         goban_cluster_get_n_devices (cluster), goban_cluster_get_name (cluster));

  goban_json_add_string (json, "title", get_title (order));
  goban_json_add_string (json, "about", about);
  goban_json_add_number (json, "shown", MIN (order->shown, order->n_runs - 1));
  goban_json_add_boolean (json, "grouped", plot->outline->n_closed > 0);
  goban_json_add_string (json, "script", order->script != NULL ? order->script : "");
}

/* (transfer full) (nullable) */
static GString *
make_data (const GobanShareOrder *order, GError **error)
{
  g_autoptr (GobanPlot) plot = NULL;
  g_autoptr (GPtrArray) matchings = NULL;
  GString *json = g_string_new ("{");

  goban_progress_step (order->progress, 0, "layout");
  plot = goban_share_plot_new (goban_run_get_graph (order->runs[0]), order->progress, error);
  if (plot != NULL)
    {
      add_titles (json, order, plot);
      add_colours (json, order);
      goban_share_add_graph (json, plot);
      matchings = match_devices (order);
    }
  if (plot == NULL || !add_runs (json, order, matchings, plot, error)
      || !add_differences (json, order, matchings, error))
    {
      g_string_free (json, TRUE);
      return NULL;
    }
  goban_share_close (json, '}');
  /* "</script>" in a name would end the data. */
  g_string_replace (json, "<", "\\u003c", 0);
  return json;
}

/* The text of a resource that is part of the program. (transfer full) */
static char *
load_part (const char *name)
{
  g_autofree char *path = g_strconcat ("/org/goban/Goban/share/", name, NULL);
  g_autoptr (GBytes) bytes
      = g_resource_lookup_data (share_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);

  return g_strndup (text, size);
}

char *
goban_share_new_page (const GobanShareOrder *order, GError **error)
{
  g_autofree char *page = load_part ("page.html");
  g_auto (GStrv) parts = g_strsplit (page, "@", -1); /* words between @ are to be replaced */
  g_autoptr (GString) data = NULL;
  g_autofree char *title = NULL;
  GString *html;

  if (!check_order (order, error) || (data = make_data (order, error)) == NULL)
    return NULL;
  title = g_markup_escape_text (get_title (order), -1);
  html = g_string_sized_new (data->len + 65536);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (i % 2 == 0)
        g_string_append (html, parts[i]);
      else if (strcmp (parts[i], "title") == 0)
        g_string_append (html, title);
      else if (strcmp (parts[i], "data") == 0)
        g_string_append_len (html, data->str, (gssize) data->len);
      else
        {
          g_autofree char *part = load_part (parts[i]);

          g_string_append (html, part);
        }
    }
  return g_string_free (html, FALSE);
}

gboolean
goban_share_write (const GobanShareOrder *order, const char *path, GError **error)
{
  g_autofree char *page = goban_share_new_page (order, error);

  return page != NULL && goban_file_write (path, page, strlen (page), error);
}

/* --- in a worker ------------------------------------------------------------------------------ */

GobanSharing *
goban_sharing_new (const char *path)
{
  GobanSharing *self = g_new0 (GobanSharing, 1);

  self->runs = goban_run_array_new ();
  self->path = g_strdup (path);
  return self;
}

GobanSharing *
goban_sharing_new_of_rows (GListModel *rows, GobanRun *shown, const char *path)
{
  GobanSharing *self = goban_sharing_new (path);

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    g_ptr_array_add (self->runs, goban_run_ref (goban_run_list_get (rows, i)));
  goban_run_list_find (rows, shown, &self->shown);
  return self;
}

void
goban_sharing_free (gpointer data)
{
  GobanSharing *self = data;

  g_ptr_array_unref (self->runs);
  g_free (self->script);
  g_free (self->path);
  g_free (self);
}

gpointer
goban_sharing_run (const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanSharing *self = data;
  GobanShareOrder order = { .runs = (GobanRun **) self->runs->pdata,
                            .n_runs = self->runs->len,
                            .shown = self->shown,
                            .has_own_devices = self->has_own_devices,
                            .script = self->script,
                            .progress = progress };

  return goban_share_write (&order, self->path, error) ? g_strdup (self->path) : NULL;
}
