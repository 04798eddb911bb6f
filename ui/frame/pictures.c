/* Decisions U34 and U53 (ui/NOTES.md). */
#include "ui/frame/pictures.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/session-runs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/node-list.h"
#include "engine/study/analysis/playback-state.h"
#include "engine/study/report/report.h"
#include "ui/widgets/signals.h"

#include <math.h>

/* --- descriptions for screen readers ---------------------------------------------------------- */

/* In GTK 4.8 a picture can be only one accessible (its parts cannot be widgets' children), so the
 * picture's description lists the visible contents and is updated with them. It is not updated
 * during playback: thirty sentences a second are useless. */

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

/* Updates the descriptions of both widgets with the session during their lifetime. */
static void
follow_with_descriptions (GobanSession *session, GtkWidget *graph, GtkWidget *timeline)
{
  GobanView *view = goban_session_get_view (session);

  g_object_set_data_full (G_OBJECT (graph), "goban-words-session", g_object_ref (session),
                          g_object_unref);
  g_object_set_data_full (G_OBJECT (timeline), "goban-words-session", g_object_ref (session),
                          g_object_unref);
  g_object_set_data (G_OBJECT (timeline), "goban-words-graph", graph);
  GOBAN_CONNECT (session, "notify::graph", describe_graph_cb, graph);
  GOBAN_CONNECT (session, "notify::current-run", describe_graph_cb, graph);
  GOBAN_CONNECT (view, "notify::color", describe_graph_cb, graph);
  GOBAN_CONNECT (view, "notify::hidden", describe_graph_cb, graph);
  GOBAN_CONNECT (session, "notify::graph", describe_timeline_cb, timeline);
  GOBAN_CONNECT (session, "notify::current-run", describe_timeline_cb, timeline);
  GOBAN_CONNECT (session, "notify::selection", describe_timeline_cb, timeline);
  g_signal_connect_object (view, "notify::time", G_CALLBACK (time_cb), timeline, 0);
  describe_graph_cb (graph);
  describe_timeline_cb (timeline);
}

/* --- the pictures ----------------------------------------------------------------------------- */

#define ZOOM_STEP 1.25

struct _GobanPictures
{
  GObject parent;

  GobanSite site;
  GobanGraphView *graph; /* the explorer's */
  GobanTimelineView *timeline;
  GobanComparePage *compare;
  GobanPicture *last;   /* focused last: target of zoom and fit */
  guint view_id;        /* pending update of the status line */
  gboolean has_picture; /* a graph has been drawn */
};

GOBAN_DEFINE_PART (GobanPictures, goban_pictures)

/* --- the picture that was used last ---------------------------------------------------------- */

GobanTimelineView *
goban_pictures_get_timeline (GobanPictures *self)
{
  return self->timeline;
}

GobanGraphView *
goban_pictures_get_explored (GobanPictures *self)
{
  return self->graph;
}

GobanGraphView *
goban_pictures_get_graph (GobanPictures *self)
{
  return GOBAN_IS_GRAPH_VIEW (self->last) ? GOBAN_GRAPH_VIEW (self->last) : self->graph;
}

GobanPicture *
goban_pictures_get_last (GobanPictures *self)
{
  return self->last;
}

void
goban_pictures_set_last (GobanPictures *self, GobanPicture *picture)
{
  self->last = picture;
}

static void
each_compared (GobanPictures *self, void (*what) (GobanPicture *picture, gpointer data),
               gpointer data)
{
  g_autoptr (GPtrArray) pictures = goban_compare_page_list_pictures (self->compare);

  for (guint i = 0; i < pictures->len; i++)
    what (g_ptr_array_index (pictures, i), data);
}

/* --- the status line ------------------------------------------------------------------------- */

static void
hint_cb (GobanPicture *picture, const char *text, GobanPictures *self)
{
  goban_status_bar_set_hint (self->site.status, text);
}

static gboolean
show_view_cb (gpointer user_data)
{
  GobanPictures *self = user_data;

  self->view_id = 0;
  goban_status_bar_set_boxes (self->site.status, goban_graph_view_get_n_boxes (self->graph));
  return G_SOURCE_REMOVE;
}

/* Condition that the benchmark of the start waits for. */
static void
first_frame_cb (GdkFrameClock *clock, GobanPictures *self)
{
  g_signal_handlers_disconnect_by_func (clock, first_frame_cb, self);
  g_debug ("the first picture is there");
}

/* Not at once: a label must not change while the frame it is in is being drawn. */
static void
painted_cb (GobanPicture *picture, GobanPictures *self)
{
  if (!self->has_picture && goban_graph_view_is_ready (self->graph))
    {
      self->has_picture = TRUE;
      g_signal_connect_object (gtk_widget_get_frame_clock (GTK_WIDGET (self->site.window)),
                               "after-paint", G_CALLBACK (first_frame_cb), self, 0);
    }
  if (self->view_id == 0)
    self->view_id = g_idle_add (show_view_cb, self);
}

static void
picture_focus_cb (GobanPicture *picture, GParamSpec *pspec, GobanPictures *self)
{
  if (gtk_widget_has_focus (GTK_WIDGET (picture)))
    self->last = picture;
}

static void
watch_picture (GobanPictures *self, GtkWidget *picture)
{
  g_signal_connect_object (picture, "hint", G_CALLBACK (hint_cb), self, 0);
  g_signal_connect_object (picture, "notify::has-focus", G_CALLBACK (picture_focus_cb), self, 0);
}

static void
watch_compared (GobanPicture *picture, gpointer self)
{
  watch_picture (self, GTK_WIDGET (picture));
}

/* --- focus ----------------------------------------------------------------------------------- */

void
goban_pictures_keep_focus (GobanPictures *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->site.window));
  GtkWidget *picture = GTK_WIDGET (self->last);

  if (focus != NULL && gtk_widget_get_mapped (focus))
    return;
  /* GTK 4.8 keeps, and leaks, a focus that is hidden together with what is around it. */
  if (gtk_widget_get_mapped (picture))
    gtk_widget_grab_focus (picture);
  else if (focus != NULL)
    gtk_window_set_focus (GTK_WINDOW (self->site.window), NULL);
}

void
goban_pictures_grab_focus (GobanPictures *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->site.window));
  gboolean is_used
      = GTK_IS_TOGGLE_BUTTON (focus) || GTK_IS_TEXT (focus) || GTK_IS_TEXT_VIEW (focus);

  if (!is_used || !gtk_widget_get_mapped (focus))
    gtk_widget_grab_focus (GTK_WIDGET (self->last));
}

/* The search bar and the palette are left with the focus still in them. */
static void
closed_cb (GobanPictures *self, GtkWidget *closed)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->site.window));

  if (focus != NULL && gtk_widget_is_ancestor (focus, closed))
    gtk_widget_grab_focus (GTK_WIDGET (self->last));
  else
    goban_pictures_keep_focus (self);
}

void
goban_pictures_follow_closing (GobanPictures *self, GtkWidget *widget)
{
  GOBAN_CONNECT (widget, "closed", closed_cb, self);
}

/* --- looks ----------------------------------------------------------------------------------- */

static void
show_critical (GobanPicture *picture, gpointer show)
{
  if (GOBAN_IS_GRAPH_VIEW (picture))
    goban_graph_view_set_show_critical (GOBAN_GRAPH_VIEW (picture), GPOINTER_TO_INT (show));
}

static void
set_theme (GobanPicture *picture, gpointer theme)
{
  goban_picture_set_theme (picture, (GobanTheme) GPOINTER_TO_INT (theme));
}

void
goban_pictures_set_theme (GobanPictures *self, GobanTheme theme)
{
  goban_picture_set_theme (GOBAN_PICTURE (self->graph), theme);
  goban_picture_set_theme (GOBAN_PICTURE (self->timeline), theme);
  each_compared (self, set_theme, GINT_TO_POINTER (theme));
}

static void
critical_changed (GobanPictures *self, GVariant *state)
{
  gboolean show = g_variant_get_boolean (state);

  goban_graph_view_set_show_critical (self->graph, show);
  goban_timeline_view_set_show_critical (self->timeline, show);
  each_compared (self, show_critical, GINT_TO_POINTER (show));
}

/* --- camera ---------------------------------------------------------------------------------- */

static void
fit (GobanPictures *self, GVariant *parameter)
{
  if (self->last == GOBAN_PICTURE (self->timeline))
    goban_timeline_view_fit (self->timeline);
  else if (GOBAN_IS_COMPARE_TIMELINE (self->last))
    goban_compare_timeline_fit (GOBAN_COMPARE_TIMELINE (self->last));
  else
    goban_graph_view_fit (goban_pictures_get_graph (self));
}

static void
zoom_selection (GobanPictures *self, GVariant *parameter)
{
  if (self->last == GOBAN_PICTURE (self->timeline))
    goban_timeline_view_show_selection (self->timeline);
  else if (GOBAN_IS_COMPARE_TIMELINE (self->last))
    goban_compare_timeline_show_selection (GOBAN_COMPARE_TIMELINE (self->last));
  else
    goban_graph_view_show_selection (goban_pictures_get_graph (self));
}

static void
zoom_in (GobanPictures *self, GVariant *parameter)
{
  goban_picture_zoom (self->last, ZOOM_STEP);
}

static void
zoom_out (GobanPictures *self, GVariant *parameter)
{
  goban_picture_zoom (self->last, 1 / ZOOM_STEP);
}

static void
pan (GobanPictures *self, GVariant *parameter)
{
  const char *where = g_variant_get_string (parameter, NULL);
  int x = g_str_equal (where, "left") ? 1 : g_str_equal (where, "right") ? -1 : 0;
  int y = g_str_equal (where, "up") ? 1 : g_str_equal (where, "down") ? -1 : 0;

  goban_picture_pan (self->last, x, y);
}

/* Once brings the selection to the middle; where it is there, all of it is shown. */
static void
centre (GobanPictures *self, GVariant *parameter)
{
  if (!goban_site_has_selection (&self->site))
    fit (self, NULL);
  else if (self->last != GOBAN_PICTURE (self->timeline)
           || !goban_timeline_view_centre_selection (self->timeline))
    zoom_selection (self, NULL);
}

static const GobanCommand commands[] = {
  { "critical-path", G_CALLBACK (critical_changed) },
  { "fit", G_CALLBACK (fit) },
  { "zoom-selection", G_CALLBACK (zoom_selection) },
  { "zoom-in", G_CALLBACK (zoom_in) },
  { "zoom-out", G_CALLBACK (zoom_out) },
  { "pan", G_CALLBACK (pan) },
  { "centre", G_CALLBACK (centre) },
};

static void
goban_pictures_clear (GobanPictures *self)
{
  g_clear_handle_id (&self->view_id, g_source_remove);
}

GobanPictures *
goban_pictures_new (const GobanSite *site, GobanGraphView *graph, GobanTimelineView *timeline,
                    GobanComparePage *compare)
{
  GobanPictures *self = g_object_new (GOBAN_TYPE_PICTURES, NULL);

  self->site = *site;
  self->graph = graph;
  self->timeline = timeline;
  self->compare = compare;
  self->last = GOBAN_PICTURE (graph);
  watch_picture (self, GTK_WIDGET (graph));
  watch_picture (self, GTK_WIDGET (timeline));
  follow_with_descriptions (site->session, GTK_WIDGET (graph), GTK_WIDGET (timeline));
  each_compared (self, watch_compared, self);
  g_signal_connect_object (graph, "painted", G_CALLBACK (painted_cb), self, 0);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
