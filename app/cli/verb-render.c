#include "app/cli/cli-load.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/coloring.h"
#include "engine/study/analysis/node-list.h"
#include "ui/draw/export/export.h"
#include "ui/draw/export/film.h"
#include "ui/draw/graph/graph-plot.h"
#include "ui/draw/reports/share.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  char *plan;
  char *policy;
  char *session;
  char *view;
  char *color;
  char *output;
  char *group;
  char **expand;
  char *layout;
  gboolean dark;
  gboolean critical_path;
  gboolean transparent;
  gboolean histogram;
  int width;
  int height;
  double scale;
  char *region;
  char *from;
  char *to;
} RenderOptions;

static void
render_options_clear (RenderOptions *options)
{
  g_free (options->plan);
  g_free (options->policy);
  g_free (options->session);
  g_free (options->view);
  g_free (options->color);
  g_free (options->output);
  g_free (options->group);
  g_strfreev (options->expand);
  g_free (options->layout);
  g_free (options->region);
  g_free (options->from);
  g_free (options->to);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RenderOptions, render_options_clear)

static gboolean
has_plan (const RenderOptions *options)
{
  return options->plan != NULL || options->policy != NULL || options->session != NULL;
}

static gboolean
is_view (const char *view)
{
  static const char *const views[] = { "graph", "timeline", "table", NULL };

  if (view == NULL || g_strv_contains (views, view))
    return TRUE;

  return goban_cli_refuse ("there is no view “%s”: say graph, timeline or table", view);
}

static gboolean
check_color (const RenderOptions *render)
{
  g_autoptr (GError) error = NULL;
  const GobanNodeField *field;

  if (render->color == NULL)
    return TRUE;
  if (strcmp (render->color, "script") == 0)
    return goban_cli_refuse ("there is no script here to colour by");
  if (!goban_color_check (render->color, &error))
    return goban_cli_refuse ("%s", error->message);
  field = goban_node_field_find (render->color, NULL); /* or none: op */
  if (!has_plan (render) && field != NULL && field->needs_run && !field->is_rank
      && field->kind != GOBAN_FIELD_TEXT)
    return goban_cli_refuse ("%s is known with a plan only: --plan PLAN or --policy NAME",
                             render->color);
  return TRUE;
}

/* A page shows graph and timeline together. */
static gboolean
check_page (const RenderOptions *render, GError **error)
{
  if (render->view != NULL)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s: a page or film shows graph and timeline: leave --view out",
                         render->output);
  if (!has_plan (render))
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s: a page or film needs a plan: --plan PLAN or --policy NAME",
                         render->output);
  return TRUE;
}

static gboolean
has_ending_of_view (const RenderOptions *render, GError **error)
{
  if (goban_share_is_path (render->output) || goban_film_check_path (render->output, NULL))
    return check_page (render, error);
  if (g_strcmp0 (render->view, "table") != 0)
    return goban_export_check_path (render->output, error);
  if (strcmp (render->output, "-") == 0 || goban_node_csv_is_path (render->output))
    return TRUE;
  goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                   "%s: a table is written as .csv, by the ending of its path", render->output);
  return FALSE;
}

/* The shown part of the picture, and its size. */
static gboolean
check_part (const RenderOptions *render, GobanExportOptions *picture)
{
  g_autoptr (GError) error = NULL;
  gboolean is_timeline = g_strcmp0 (render->view, "timeline") == 0;

  if ((render->region != NULL && is_timeline)
      || ((render->from != NULL || render->to != NULL) && !is_timeline))
    return goban_cli_refuse ("--region is of a graph, --from and --to of a timeline");
  if ((render->region != NULL
       && !goban_export_parse_region (render->region, &picture->region, &error))
      || (render->from != NULL && !goban_parse_time (render->from, &picture->from_us, &error))
      || (render->to != NULL && !goban_parse_time (render->to, &picture->to_us, &error)))
    return goban_cli_refuse ("%s", error->message);
  if (render->to != NULL && !(picture->from_us < picture->to_us))
    return goban_cli_refuse ("--from comes before --to");
  return TRUE;
}

/* Mistakes that can be found before anything is read. */
static gboolean
check_options (const RenderOptions *render)
{
  GobanGrouping grouping;
  GobanArrangement arrangement = GOBAN_ARRANGE_AUTO;
  g_autoptr (GError) error = NULL;

  if (render->output == NULL)
    return goban_cli_refuse ("where to? -o FILE.svg, .png, .pdf, .html, .gif, .webm, .apng "
                             "or .csv");
  if (!has_ending_of_view (render, &error))
    {
      g_printerr ("goban-cli: %s\n", error->message);
      return FALSE;
    }
  if (g_strcmp0 (render->view, "timeline") == 0 && !has_plan (render))
    return goban_cli_refuse ("a timeline needs a plan: --plan PLAN or --policy NAME");
  if (render->group != NULL && !goban_grouping_find (render->group, &grouping))
    {
      g_printerr (
          "goban-cli render: there is no grouping “%s”: say auto, none, scope, layer, step, "
          "parameter, use or "
          "cluster\n",
          render->group);
      return FALSE;
    }
  if (render->layout != NULL && !goban_arrangement_find (render->layout, &arrangement))
    {
      g_printerr (
          "goban-cli render: there is no layout “%s”: say auto, layered, wrapped or lanes\n",
          render->layout);
      return FALSE;
    }
  if (render->expand != NULL && render->group == NULL)
    return goban_cli_refuse ("--expand opens a group of --group");
  if (arrangement == GOBAN_ARRANGE_LANES && !has_plan (render))
    return goban_cli_refuse ("lanes need a plan: --plan PLAN or --policy NAME");
  if (render->plan != NULL && render->policy != NULL)
    return goban_cli_refuse ("--plan and --policy both say what the plan is");
  if (render->policy != NULL && !goban_policy_exists (render->policy, &error))
    return goban_cli_refuse ("%s", error->message);
  return is_view (render->view) && check_color (render);
}

/* The numbers to colour by; (out) NULL if @color is of devices or ops. */
static gboolean
find_values (GobanCostModel *costs, GobanRun *run, const char *color, GobanNodeValues **values,
             GError **error)
{
  GobanNodeContext context = { costs, run };

  return goban_color_find_values (color != NULL ? color : "device", &context, values, error);
}

/* A path that is no group would be silence, and the picture another than the one asked for. */
static gboolean
check_groups (const GobanPlot *plot, const RenderOptions *render, GError **error)
{
  for (guint i = 0; render->expand != NULL && render->expand[i] != NULL; i++)
    if (goban_hierarchy_find (plot->hierarchy, render->expand[i]) == G_MAXUINT32)
      {
        goban_set_error (error, GOBAN_ERROR_INVALID,
                         "there is no group “%s” to expand where the graph is grouped by %s",
                         render->expand[i],
                         goban_grouping_names[goban_hierarchy_get_grouping (plot->hierarchy)]);
        return FALSE;
      }
  return TRUE;
}

/* The picture is drawn all the same: scripts that draw many graphs need not know their names. */
static void
warn_if_flat (const GobanPlot *plot)
{
  const char *reason = goban_hierarchy_get_flat_reason (plot->hierarchy);

  if (reason != NULL)
    g_printerr ("goban-cli: warning: %s\n", reason);
}

/* Unknown words have been reported by check_options(). */
static void
find_look (const RenderOptions *render, GobanLook *look)
{
  look->grouping = GOBAN_GROUPING_NONE;
  if (render->group != NULL)
    goban_grouping_find (render->group, &look->grouping);
  if (render->layout != NULL)
    goban_arrangement_find (render->layout, &look->arrangement);
  look->expanded = (const char *const *) render->expand;
}

static gboolean
draw_graph (GobanCostModel *costs, GobanRun *run, const RenderOptions *render,
            const GobanExportOptions *picture, GError **error)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  GobanTrace *trace = run != NULL ? goban_run_get_trace (run) : NULL;
  GobanLook look = { .trace = trace, .progress = goban_cli_progress () };
  g_autoptr (GobanPlot) plot = NULL;
  g_autoptr (GobanGraphScene) scene = NULL;
  g_autoptr (GobanNodeValues) values = NULL;

  if (!find_values (costs, run, render->color, &values, error))
    return FALSE;
  find_look (render, &look);
  plot = goban_plot_new (graph, &look, error);
  if (plot == NULL || !check_groups (plot, render, error))
    return FALSE;
  warn_if_flat (plot);
  scene = goban_plot_take_scene (plot, goban_graph_scene_new (graph, costs, NULL, trace));
  goban_graph_scene_set_values (scene, values);
  return goban_export_graph (scene, plot->layout, picture, render->output, error);
}

static gboolean
draw_timeline (GobanRun *run, const GobanExportOptions *picture, const RenderOptions *render,
               GError **error)
{
  g_autoptr (GobanNodeValues) values = NULL;
  g_autoptr (GobanTimelineScene) scene = NULL;

  if (!find_values (goban_run_get_costs (run), run, render->color, &values, error))
    return FALSE;
  scene = goban_timeline_scene_new (goban_run_get_trace (run));
  goban_timeline_scene_set_values (scene, values);
  return goban_export_timeline (scene, picture, render->output, error);
}

static gboolean
write_table (GobanCostModel *costs, GobanRun *run, const RenderOptions *render, GError **error)
{
  GobanNodeContext context = { costs, run };
  g_autofree char *csv = goban_node_csv_to_text (&context, NULL, 0);

  return goban_file_write (render->output, csv, strlen (csv), error);
}

static gboolean
write_film (GobanRun *run, const RenderOptions *render, const GobanExportOptions *picture,
            GError **error)
{
  g_autoptr (GobanFilm) film = goban_film_new (render->output);

  g_ptr_array_add (film->runs, goban_run_ref (run));
  film->theme = picture->theme;
  film->width = render->width;
  film->height = render->height;
  if (render->group != NULL)
    goban_grouping_find (render->group, &film->grouping);
  return goban_film_write (film, picture->progress, error);
}

static gboolean
draw (GobanCostModel *costs, GobanRun *run, const RenderOptions *render,
      const GobanExportOptions *picture, GError **error)
{
  GobanShareOrder order = { .runs = &run, .n_runs = 1, .progress = picture->progress };

  if (goban_share_is_path (render->output))
    return goban_share_write (&order, render->output, error);
  if (goban_film_check_path (render->output, NULL))
    return write_film (run, render, picture, error);
  if (g_strcmp0 (render->view, "timeline") == 0)
    return draw_timeline (run, picture, render, error);
  if (g_strcmp0 (render->view, "table") == 0)
    return write_table (costs, run, render, error);
  return draw_graph (costs, run, render, picture, error);
}

static int
report (const char *path, const char *view)
{
  g_autoptr (GString) json = g_string_new ("{");
  GStatBuf about;

  goban_json_add_string (json, "output", path);
  goban_json_add_string (json, "view", view);
  if (g_stat (path, &about) == 0)
    goban_json_add_number (json, "bytes", about.st_size);
  g_string_append (json, "}\n");
  return goban_cli_print (json->str);
}

static void
describe_picture (const RenderOptions *render, GobanExportOptions *picture)
{
  picture->theme = render->dark ? GOBAN_THEME_DARK : GOBAN_THEME_LIGHT;
  picture->fill = goban_fill_of_color (render->color != NULL ? render->color : "device");
  picture->show_critical = render->critical_path;
  picture->width = render->width;
  picture->height = render->height;
  picture->scale = render->scale;
  picture->is_transparent = render->transparent;
  picture->has_histogram = render->histogram;
  picture->progress = goban_cli_progress ();
}

/* (transfer full) (nullable): with @exit_code set */
static GobanRun *
place (GobanCostModel *costs, const char *policy, const GobanCliOptions *options, int *exit_code)
{
  GobanRunOptions spending = goban_cli_run_options (options);
  g_autoptr (GError) error = NULL;
  GobanRun *run;

  goban_cli_search_begin (policy);
  run = goban_run_new_from_policy (costs, policy, &spending, &error);
  goban_cli_search_end ();
  if (run == NULL)
    *exit_code = goban_cli_fail_result (error);
  else if (goban_cli_search_was_ended ())
    goban_cli_say_ended ("the best plan so far, which is drawn", NULL);
  return run;
}

/* The subject of the picture: *run stays %NULL without a plan. (transfer full) (nullable) */
static GobanCostModel *
load (const RenderOptions *render, const char *graph, const GobanCliOptions *options,
      GobanRun **run, int *exit_code)
{
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GError) error = NULL;

  if (render->session != NULL)
    {
      *run = goban_cli_load_session (render->session, exit_code);
      return *run != NULL ? goban_cost_model_ref (goban_run_get_costs (*run)) : NULL;
    }
  if (!goban_cli_check_policies ((const char *const[]){ render->policy, NULL }, options, NULL,
                                 exit_code))
    return NULL;
  costs = goban_cli_load_costs (graph, options, exit_code);
  if (costs != NULL && render->policy != NULL)
    {
      *run = place (costs, render->policy, options, exit_code);
      return *run != NULL ? g_steal_pointer (&costs) : NULL;
    }
  if (costs == NULL || render->plan == NULL)
    return g_steal_pointer (&costs);
  plan = goban_plan_load (render->plan, costs, &error);
  if (plan == NULL)
    {
      *exit_code = goban_cli_fail (error, GOBAN_EXIT_FILE);
      return NULL;
    }
  *run = goban_run_new (costs, plan, NULL);
  return g_steal_pointer (&costs);
}

static int
run_render (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  g_auto (RenderOptions) render = { 0 };
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanRun) run = NULL;
  g_autoptr (GError) error = NULL;
  const GOptionEntry own[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &render.output,
      "FILE.svg, .png, .pdf, .html of a whole plan, .gif, .webm or .apng of its run, or .csv of a "
      "table; - is SVG or CSV on standard output",
      "FILE" },
    { "plan", 0, 0, G_OPTION_ARG_FILENAME, &render.plan, "Colour and time by this plan", "PLAN" },
    { "policy", 'p', 0, G_OPTION_ARG_STRING, &render.policy, "The same by this policy's plan",
      "POLICY" },
    { "session", 0, 0, G_OPTION_ARG_FILENAME, &render.session,
      "In place of graph and plan, those that the session shows", "FILE" },
    { "view", 0, 0, G_OPTION_ARG_STRING, &render.view,
      "What is drawn (default graph); table: the nodes as CSV", "graph|timeline|table" },
    { "color", 0, 0, G_OPTION_ARG_STRING, &render.color,
      "By a word or another NUMBER of nodes (default device)",
      "device|op|priority|cost|slack|NUMBER" },
    { "group", 0, 0, G_OPTION_ARG_STRING, &render.group, "Close groups (default none)",
      "auto|none|scope|layer|step|parameter|use|cluster" },
    { "expand", 0, 0, G_OPTION_ARG_STRING_ARRAY, &render.expand,
      "A group to open, by its whole name; may be given again", "PATH" },
    { "layout", 0, 0, G_OPTION_ARG_STRING, &render.layout, "How nodes are arranged (default auto)",
      "auto|layered|wrapped|lanes" },
    { "critical-path", 0, 0, G_OPTION_ARG_NONE, &render.critical_path, "Mark it", NULL },
    { "dark", 0, 0, G_OPTION_ARG_NONE, &render.dark, "Light on dark", NULL },
    { "width", 0, 0, G_OPTION_ARG_INT, &render.width, "Width in pixels", "W" },
    { "height", 0, 0, G_OPTION_ARG_INT, &render.height, "Height in pixels", "H" },
    { "scale", 0, 0, G_OPTION_ARG_DOUBLE, &render.scale,
      "Words and lines this much larger, and the picture where no size is given", "FACTOR" },
    { "region", 0, 0, G_OPTION_ARG_STRING, &render.region,
      "This part of the graph's plane alone, as the window logs it", "X0,Y0,X1,Y1" },
    { "from", 0, 0, G_OPTION_ARG_STRING, &render.from, "Of a timeline: from this time", "TIME" },
    { "to", 0, 0, G_OPTION_ARG_STRING, &render.to, "Of a timeline: up to this time", "TIME" },
    { "transparent", 0, 0, G_OPTION_ARG_NONE, &render.transparent, "No background", NULL },
    { "histogram", 0, 0, G_OPTION_ARG_NONE, &render.histogram,
      "How what fills nodes is distributed, beside the legend", NULL },
    { NULL },
  };
  GobanExportOptions picture = { .theme = GOBAN_THEME_LIGHT };
  int exit_code = GOBAN_EXIT_OK;

  if (!goban_cli_parse (&goban_verb_render, &argc, &argv, &options,
                        GOBAN_CLI_GRAPH | GOBAN_CLI_CLUSTER | GOBAN_CLI_POLICY, own, 0, 1)
      || !goban_cli_check_session (render.session, argc,
                                   render.plan != NULL ? render.plan : render.policy)
      || !check_options (&render) || !check_part (&render, &picture))
    return GOBAN_EXIT_USAGE;

  costs = load (&render, argv[1], &options, &run, &exit_code);
  if (costs == NULL)
    return exit_code;

  describe_picture (&render, &picture);
  if (goban_cli_is_interrupted ())
    return GOBAN_EXIT_INTERRUPTED;
  if (!draw (costs, run, &render, &picture, &error))
    return goban_cli_fail (error, GOBAN_EXIT_FILE);
  if (options.json && strcmp (render.output, "-") != 0)
    exit_code = report (render.output, render.view != NULL                           ? render.view
                                       : goban_share_is_path (render.output)         ? "page"
                                       : goban_film_check_path (render.output, NULL) ? "film"
                                                                                     : "graph");
  return goban_cli_search_was_ended () && exit_code == GOBAN_EXIT_OK ? GOBAN_EXIT_INTERRUPTED
                                                                     : exit_code;
}

const GobanVerb goban_verb_render
    = { "render", "GRAPH",
        "Draw the graph or the timeline as SVG, PNG or PDF, both as a page (HTML) or film, or list "
        "the nodes as CSV",
        run_render };
