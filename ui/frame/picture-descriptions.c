#include "ui/frame/picture-descriptions.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/node-list.h"
#include "engine/study/analysis/playback-state.h"
#include "engine/study/report/report.h"
#include "ui/timeline/timeline-view.h"
#include "ui/widgets/signals.h"

#include <math.h>

/* Adds a sentence, with its dot. */
static void
add (GString *words, const char *sentence)
{
  g_autofree char *stripped = g_strstrip (g_strdup (sentence));

  if (*stripped == '\0')
    return;
  g_string_append_printf (words, "%s%s%s", words->len > 0 ? " " : "", stripped,
                          g_str_has_suffix (stripped, ".") ? "" : ".");
}

static void
add_run (GString *words, GobanRun *run)
{
  g_autofree char *sentence = run != NULL ? goban_report_run_sentence (run) : NULL;

  if (sentence != NULL)
    add (words, sentence);
}

/* Numbers that a worker is still at are said when they are there. */
static void
add_coloring (GString *words, GobanSession *session)
{
  g_autoptr (GobanNodeValues) values
      = goban_session_has_color_values (session) ? goban_session_dup_color_values (session) : NULL;
  g_autofree char *said = NULL;

  said = values != NULL ? goban_node_values_describe (values)
                        : g_strdup_printf (_ ("Coloured by %s"),
                                           goban_view_get_color (goban_session_get_view (session)));
  add (words, said);
}

static void
add_hidden (GString *words, GobanSession *session)
{
  GobanView *view = goban_session_get_view (session);
  g_autofree char *said = NULL;
  char number[GOBAN_QUANTITY_LEN];
  guint n;

  goban_selection_get_ids (goban_view_get_hidden (view), &n);
  if (n == 0)
    return;
  said = g_strdup_printf (goban_i18n_get_plural ("%s node is hidden", "%s nodes are hidden", n),
                          goban_format_grouped (number, n));
  add (words, said);
}

static void
add_moment (GString *words, GobanSession *session, GobanRun *run)
{
  double time_us = goban_view_get_time_us (goban_session_get_view (session));
  g_autofree char *said = NULL;

  if (run == NULL || !isfinite (time_us))
    return;
  said = goban_playback_state_describe (run, time_us);
  add (words, said);
}

/* (transfer full) */
static char *
describe_graph (GobanSession *session)
{
  GobanRun *run = goban_session_get_current_run (session);
  GString *words = g_string_new (NULL);

  if (goban_session_get_graph (session) == NULL)
    return g_string_free (words, FALSE);
  add_run (words, run);
  add_coloring (words, session);
  add_hidden (words, session);
  add_moment (words, session, run);
  return g_string_free (words, FALSE);
}

static void
add_selected (GString *words, GobanSession *session, GobanRun *run)
{
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (goban_session_get_selection (session), &n);
  const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (run));
  char number[GOBAN_QUANTITY_LEN], from[GOBAN_QUANTITY_LEN], to[GOBAN_QUANTITY_LEN];
  g_autofree char *said = NULL;

  if (n == 0 || spans == NULL)
    return;
  if (n == 1)
    said = g_strdup_printf (_ ("%s is selected, from %s to %s"),
                            goban_graph_get_node (goban_run_get_graph (run), ids[0])->name,
                            goban_format_time (from, spans[ids[0]].start_us),
                            goban_format_time (to, spans[ids[0]].finish_us));
  else
    {
      double first = INFINITY, last = 0;

      for (guint i = 0; i < n; i++)
        {
          first = MIN (first, spans[ids[i]].start_us);
          last = MAX (last, spans[ids[i]].finish_us);
        }
      said = g_strdup_printf (_ ("%s ops are selected, from %s to %s"),
                              goban_format_grouped (number, n), goban_format_time (from, first),
                              goban_format_time (to, last));
    }
  add (words, said);
}

/* (transfer full) */
static char *
describe_timeline (GobanSession *session)
{
  GobanRun *run = goban_session_get_current_run (session);
  GString *words = g_string_new (NULL);

  if (run == NULL)
    return g_string_free (words, FALSE);
  add_run (words, run);
  add_selected (words, session, run);
  add_moment (words, session, run);
  return g_string_free (words, FALSE);
}

/* --- following -------------------------------------------------------------------------------- */

static GobanSession *
session_of (GtkWidget *picture)
{
  return g_object_get_data (G_OBJECT (picture), "goban-words-session");
}

static void
say (GtkWidget *picture, const char *words)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (picture), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  words, -1);
}

static void
describe_graph_cb (GtkWidget *graph)
{
  g_autofree char *words = describe_graph (session_of (graph));

  say (graph, words);
}

static void
describe_timeline_cb (GtkWidget *timeline)
{
  g_autofree char *words = describe_timeline (session_of (timeline));

  say (timeline, words);
}

static void
time_cb (GObject *view, GParamSpec *pspec, GtkWidget *timeline)
{
  GtkWidget *graph = g_object_get_data (G_OBJECT (timeline), "goban-words-graph");

  if (goban_timeline_view_is_playing (GOBAN_TIMELINE_VIEW (timeline)))
    return;
  describe_graph_cb (graph);
  describe_timeline_cb (timeline);
}

static void
watch (gpointer source, const char *const *names, GtkWidget *picture, GCallback callback)
{
  for (guint i = 0; names[i] != NULL; i++)
    GOBAN_CONNECT (source, names[i], callback, picture);
}

void
goban_picture_descriptions_follow (GobanSession *session, GtkWidget *graph, GtkWidget *timeline)
{
  static const char *const of_both[] = { "notify::graph", "notify::current-run", NULL };
  static const char *const of_graph[] = { "notify::color", "notify::hidden", NULL };
  static const char *const of_timeline[] = { "notify::selection", NULL };
  GobanView *view = goban_session_get_view (session);

  g_object_set_data_full (G_OBJECT (graph), "goban-words-session", g_object_ref (session),
                          g_object_unref);
  g_object_set_data_full (G_OBJECT (timeline), "goban-words-session", g_object_ref (session),
                          g_object_unref);
  g_object_set_data (G_OBJECT (timeline), "goban-words-graph", graph);
  watch (session, of_both, graph, G_CALLBACK (describe_graph_cb));
  watch (view, of_graph, graph, G_CALLBACK (describe_graph_cb));
  watch (session, of_both, timeline, G_CALLBACK (describe_timeline_cb));
  watch (session, of_timeline, timeline, G_CALLBACK (describe_timeline_cb));
  g_signal_connect_object (view, "notify::time", G_CALLBACK (time_cb), timeline, 0);
  describe_graph_cb (graph);
  describe_timeline_cb (timeline);
}
