/* Decision U53 (ui/NOTES.md). */
#include "ui/frame/pictures.h"

#include "ui/frame/picture-descriptions.h"
#include "ui/widgets/signals.h"

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
  goban_picture_descriptions_follow (site->session, GTK_WIDGET (graph), GTK_WIDGET (timeline));
  each_compared (self, watch_compared, self);
  g_signal_connect_object (graph, "painted", G_CALLBACK (painted_cb), self, 0);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
