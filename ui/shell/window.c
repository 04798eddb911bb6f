#include "ui/shell/window-private.h"

#include "engine/base/i18n.h"
#include "ui/shell/actions.h"
#include "ui/shell/picture-words.h"
#include "ui/widgets/text.h"

#include "engine/session/preview.h"
#include "engine/session/session-graph.h"

#include "goban-resources.h"

#include <gtksourceview/gtksource.h>
#include <locale.h>

G_DEFINE_FINAL_TYPE (GobanWindow, goban_window, GTK_TYPE_APPLICATION_WINDOW)

/* --- once per program ------------------------------------------------------------------------ */

static void
add_style (GdkDisplay *display, const char *name)
{
  g_autoptr (GtkCssProvider) style = gtk_css_provider_new ();
  g_autofree char *path = g_strconcat ("/org/goban/Goban/", name, NULL);

  gtk_css_provider_load_from_resource (style, path);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

void
goban_ui_init (void)
{
  static gboolean done = FALSE;
  GdkDisplay *display = gdk_display_get_default ();

  /* GTK took over the user's locale; numbers that scripts and files see follow none. */
  setlocale (LC_NUMERIC, "C");
  if (done)
    return;

  done = TRUE;
  gtk_source_init ();
  g_resources_register (goban_resources_get_resource ());
  add_style (display, "style.css");
  if (!gdk_display_is_composited (display))
    add_style (display, "style-opaque.css");
  gtk_icon_theme_add_resource_path (gtk_icon_theme_get_for_display (display),
                                    "/org/goban/Goban/icons");
  gtk_window_set_default_icon_name ("org.goban.Goban");
}

/* --- panes ---------------------------------------------------------------------------------- */

gboolean
goban_window_get_toggle (GobanWindow *self, const char *action)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self), action);

  return g_variant_get_boolean (state);
}

/* The timeline has nothing to say without a run, the console nothing without an evaluator. */
void
goban_window_update_panes (GobanWindow *self)
{
  gboolean has_run = goban_session_get_current_run (self->session) != NULL;
  gboolean is_compared = goban_compare_set_is_open (goban_session_get_compare_set (self->session));

  gtk_widget_set_visible (self->left, goban_window_get_toggle (self, GOBAN_SETTING_LEFT));
  gtk_widget_set_visible (self->right, goban_window_get_toggle (self, GOBAN_SETTING_RIGHT));
  gtk_widget_set_visible (self->timeline,
                          has_run && !is_compared
                              && goban_window_get_toggle (self, GOBAN_SETTING_TIMELINE));
  gtk_widget_set_visible (
      GTK_WIDGET (goban_compare_page_get_timeline (GOBAN_COMPARE_PAGE (self->compare))),
      goban_window_get_toggle (self, GOBAN_SETTING_TIMELINE));
  goban_window_update_steps (self);
  goban_window_update_bottom (self);
  if (!is_compared && !gtk_widget_get_visible (self->timeline))
    self->last_picture = GOBAN_PICTURE (self->graph_view);
  goban_window_keep_focus (self);
}

static void
set_enabled (GobanWindow *self, const char *const *names, gboolean enabled)
{
  for (guint i = 0; names[i] != NULL; i++)
    g_simple_action_set_enabled (
        G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), names[i])), enabled);
}

static void
update_actions (GobanWindow *self)
{
  static const char *const need_graph[]
      = { "place",        "place-with", "place-quick",    "choose-policy", "export-graph",
          "export-table", "fit",        "zoom-selection", "zoom-in",       "zoom-out",
          "pan",          "select-all", "device-key",     "pin",           "hide",
          "unhide",       "open-group", "close-group",    "close-groups",  "search",
          "store-view",   "copy-text",  "copy-lua",       "copy-rows",     "save",
          "save-as",      NULL };
  static const char *const need_path[] = { "reload", NULL };
  static const char *const need_run[] = { "save-plan",      "export-timeline",
                                          "export-trace",   "next-plan",
                                          "previous-plan",  "remove-plan",
                                          "critical-path",  "step",
                                          "move-selection", "urgency",
                                          "fuse",           "morph",
                                          "compare",        NULL };

  set_enabled (self, need_graph, goban_session_get_graph (self->session) != NULL);
  set_enabled (self, need_path, goban_session_get_path (self->session) != NULL);
  set_enabled (self, need_run, goban_session_get_current_run (self->session) != NULL);
}

/* --- following the session ------------------------------------------------------------------ */

static void
session_changed_cb (GobanWindow *self)
{
  goban_window_update_page (self);
  goban_window_update_title (self);
  goban_window_update_panes (self);
  update_actions (self);
}

static void
cluster_changed_cb (GobanWindow *self)
{
  session_changed_cb (self);
  goban_window_place_on_cluster (self);
}

static void
job_changed_cb (GobanWindow *self)
{
  GobanJob *job = goban_session_get_job (self->session);
  g_autofree char *busy = job != NULL ? g_strdup_printf ("%s…", goban_job_get_title (job)) : NULL;

  goban_start_page_set_busy (GOBAN_START_PAGE (self->start), busy);
}

static void
message_cb (GobanWindow *self, gboolean is_error, const char *text)
{
  goban_notice_bar_show (GOBAN_NOTICE_BAR (self->notice), is_error, text);
}

static void
color_changed_cb (GobanWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "color");

  g_simple_action_set_state (
      G_SIMPLE_ACTION (action),
      g_variant_new_string (goban_view_get_color (goban_session_get_view (self->session))));
}

static void
follow_session (GobanWindow *self)
{
  static const struct
  {
    const char *signal;
    GCallback callback;
  } watched[] = {
    { "notify::graph", G_CALLBACK (session_changed_cb) },
    { "notify::cluster", G_CALLBACK (cluster_changed_cb) },
    { "notify::current-run", G_CALLBACK (session_changed_cb) },
    { "notify::job", G_CALLBACK (job_changed_cb) },
    { "notify::undo-name", G_CALLBACK (goban_window_update_history) },
    { "notify::redo-name", G_CALLBACK (goban_window_update_history) },
    { "message", G_CALLBACK (message_cb) },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (watched); i++)
    g_signal_connect_object (self->session, watched[i].signal, watched[i].callback, self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_preview_of (self->session), "changed",
                           G_CALLBACK (goban_window_update_title), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (self->session), "notify::color",
                           G_CALLBACK (color_changed_cb), self, G_CONNECT_SWAPPED);
  goban_window_follow_groups (self);
  goban_window_follow_compare (self);
  goban_window_follow_steps (self);
}

/* --- pictures and the status line ----------------------------------------------------------- */

static void
hint_cb (GobanPicture *picture, const char *text, GobanWindow *self)
{
  goban_status_bar_set_hint (GOBAN_STATUS_BAR (self->status), text);
}

static gboolean
show_view_cb (gpointer user_data)
{
  GobanWindow *self = user_data;

  self->view_id = 0;
  goban_status_bar_set_view (GOBAN_STATUS_BAR (self->status),
                             goban_graph_view_get_scale (GOBAN_GRAPH_VIEW (self->graph_view)),
                             goban_picture_get_paint_ms (GOBAN_PICTURE (self->graph_view)));
  return G_SOURCE_REMOVE;
}

/* What the benchmark of the start waits for. */
static void
first_frame_cb (GdkFrameClock *clock, GobanWindow *self)
{
  g_signal_handlers_disconnect_by_func (clock, first_frame_cb, self);
  g_debug ("the first picture is there");
}

/* Not at once: a label must not change while the frame it is in is being drawn. */
static void
painted_cb (GobanPicture *picture, GobanWindow *self)
{
  if (!self->has_picture && goban_graph_view_is_ready (GOBAN_GRAPH_VIEW (self->graph_view)))
    {
      self->has_picture = TRUE;
      g_signal_connect_object (gtk_widget_get_frame_clock (GTK_WIDGET (self)), "after-paint",
                               G_CALLBACK (first_frame_cb), self, 0);
    }
  if (self->view_id == 0)
    self->view_id = g_idle_add (show_view_cb, self);
}

static void
picture_focus_cb (GobanPicture *picture, GParamSpec *pspec, GobanWindow *self)
{
  if (gtk_widget_has_focus (GTK_WIDGET (picture)))
    self->last_picture = picture;
}

static void
watch_picture (GobanWindow *self, GtkWidget *picture)
{
  g_signal_connect_object (picture, "hint", G_CALLBACK (hint_cb), self, 0);
  g_signal_connect_object (picture, "notify::has-focus", G_CALLBACK (picture_focus_cb), self, 0);
}

static void
watch_compared (GobanPicture *picture, gpointer self)
{
  watch_picture (self, GTK_WIDGET (picture));
}

/* --- building ------------------------------------------------------------------------------- */

static GtkWidget *
new_paned (GtkOrientation orientation, GtkWidget *first, GtkWidget *second, gboolean first_grows)
{
  GtkWidget *paned = gtk_paned_new (orientation);

  gtk_paned_set_start_child (GTK_PANED (paned), first);
  gtk_paned_set_end_child (GTK_PANED (paned), second);
  gtk_paned_set_resize_start_child (GTK_PANED (paned), first_grows);
  gtk_paned_set_resize_end_child (GTK_PANED (paned), !first_grows);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  return paned;
}

static GtkWidget *
build_left (GobanWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->plans = goban_plan_list_new (self->session);
  self->legend = goban_legend_new (self->session);
  gtk_widget_set_vexpand (self->plans, TRUE);
  gtk_box_append (GTK_BOX (box), goban_new_heading (_ ("Plans")));
  gtk_box_append (GTK_BOX (box), self->plans);
  gtk_box_append (GTK_BOX (box), self->legend);
  gtk_widget_add_css_class (box, "sidepane");
  gtk_widget_set_size_request (box, 190, -1);
  return box;
}

/* The graph, with what lies over it. */
static GtkWidget *
build_graph (GobanWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *overlay = gtk_overlay_new ();

  self->graph_view = goban_graph_view_new (self->session);
  gtk_widget_set_size_request (self->graph_view, 200, 120);
  self->minimap = goban_minimap_view_new (GOBAN_GRAPH_VIEW (self->graph_view));
  gtk_overlay_set_child (GTK_OVERLAY (overlay), self->graph_view);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->minimap);
  gtk_widget_set_vexpand (overlay, TRUE);
  self->steps = goban_step_strip_new (self->session);
  gtk_box_append (GTK_BOX (box), overlay);
  gtk_box_append (GTK_BOX (box), self->steps);
  return box;
}

/* What is selected, and what it runs on. */
static GtkWidget *
build_pages (GobanWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *switcher = gtk_stack_switcher_new ();

  self->right_pages = gtk_stack_new ();
  gtk_stack_add_titled (GTK_STACK (self->right_pages), self->inspector, "selection",
                        _ ("Selection"));
  gtk_stack_add_titled (GTK_STACK (self->right_pages), self->devices, "devices", _ ("Devices"));
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), GTK_STACK (self->right_pages));
  gtk_widget_set_halign (switcher, GTK_ALIGN_START);
  gtk_widget_add_css_class (switcher, "pages");
  gtk_widget_set_vexpand (self->right_pages, TRUE);
  gtk_box_append (GTK_BOX (box), switcher);
  gtk_box_append (GTK_BOX (box), self->right_pages);
  return box;
}

static GtkWidget *
build_work (GobanWindow *self)
{
  GtkWidget *graph = build_graph (self);

  self->left = build_left (self);
  self->inspector = goban_inspector_new (self->session);
  self->devices = goban_cluster_panel_new (self->session);
  self->right = build_pages (self);
  gtk_widget_add_css_class (self->right, "sidepane");
  gtk_widget_set_size_request (self->right, 220, -1);

  self->right_paned = new_paned (GTK_ORIENTATION_HORIZONTAL, graph, self->right, TRUE);
  self->left_paned = new_paned (GTK_ORIENTATION_HORIZONTAL, self->left, self->right_paned, FALSE);
  return self->left_paned;
}

static char *
history_path (GobanWindow *self)
{
  /* What remembers nothing keeps no history either. */
  if (self->settings == NULL)
    return NULL;

  return g_build_filename (g_get_user_state_dir (), "goban", "history", NULL);
}

static GtkWidget *
build_body (GobanWindow *self)
{
  g_autofree char *history = history_path (self);

  self->start = goban_start_page_new ();
  self->upper = gtk_stack_new ();
  /* A page that is not seen takes no room from notices: that of comparing is high. */
  gtk_stack_set_vhomogeneous (GTK_STACK (self->upper), FALSE);
  gtk_stack_set_hhomogeneous (GTK_STACK (self->upper), FALSE);
  gtk_stack_add_named (GTK_STACK (self->upper), self->start, "start");
  gtk_stack_add_named (GTK_STACK (self->upper), build_work (self), "work");
  self->compare = goban_compare_page_new (self->session, GOBAN_GRAPH_VIEW (self->graph_view));
  gtk_stack_add_named (GTK_STACK (self->upper), self->compare, "compare");
  gtk_widget_set_vexpand (self->upper, TRUE);

  self->timeline = goban_timeline_view_new (self->session);
  gtk_widget_set_size_request (self->timeline, -1, 80);
  self->console = goban_console_view_new (history);

  self->timeline_paned = new_paned (GTK_ORIENTATION_VERTICAL, self->upper, self->timeline, TRUE);
  self->console_paned = new_paned (GTK_ORIENTATION_VERTICAL, self->timeline_paned,
                                   goban_window_build_bottom (self), TRUE);
  return self->console_paned;
}

static void
build (GobanWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *overlay = gtk_overlay_new ();

  self->notice = goban_notice_bar_new ();
  self->search_bar = goban_search_bar_new (self->session);
  self->palette = goban_command_palette_new (self->session, G_ACTION_GROUP (self));
  self->status = goban_status_bar_new (self->session);
  gtk_window_set_titlebar (GTK_WINDOW (self), goban_window_build_header (self));
  gtk_box_append (GTK_BOX (box), self->notice);
  gtk_box_append (GTK_BOX (box), self->search_bar);
  gtk_box_append (GTK_BOX (box), build_body (self));
  gtk_box_append (GTK_BOX (box), self->status);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), box);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->palette);
  gtk_window_set_child (GTK_WINDOW (self), overlay);

  self->last_picture = GOBAN_PICTURE (self->graph_view);
  watch_picture (self, self->graph_view);
  watch_picture (self, self->timeline);
  goban_picture_words_follow (self->session, self->graph_view, self->timeline);
  goban_window_each_compared (self, watch_compared, self);
  g_signal_connect_object (self->graph_view, "painted", G_CALLBACK (painted_cb), self, 0);
}

/* --- what is remembered ---------------------------------------------------------------------- */

static void
set_toggle (GobanWindow *self, const char *action, gboolean value)
{
  g_action_group_change_action_state (G_ACTION_GROUP (self), action, g_variant_new_boolean (value));
}

static gboolean
divide_cb (gpointer user_data)
{
  GtkPaned *paned = user_data;
  int size = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (paned), "goban-end-size"));
  GtkWidget *end = gtk_paned_get_end_child (paned);
  gboolean is_wide
      = gtk_orientable_get_orientation (GTK_ORIENTABLE (paned)) == GTK_ORIENTATION_HORIZONTAL;
  int all = gtk_paned_get_position (paned)
            + (is_wide ? gtk_widget_get_width (end) : gtk_widget_get_height (end));

  gtk_paned_set_position (paned, MAX (all - size, 0));
  return G_SOURCE_REMOVE;
}

static void
first_division_cb (GtkPaned *paned, GParamSpec *pspec, gpointer user_data)
{
  g_signal_handlers_disconnect_by_func (paned, first_division_cb, user_data);
  g_idle_add_full (G_PRIORITY_HIGH_IDLE, divide_cb, g_object_ref (paned), g_object_unref);
}

/* A paned knows the size of its first child only; how much is left for the other is known when
 * both have first been shown. */
static void
give_end_child (GtkWidget *paned, int size)
{
  g_object_set_data (G_OBJECT (paned), "goban-end-size", GINT_TO_POINTER (size));
  g_signal_connect (paned, "notify::max-position", G_CALLBACK (first_division_cb), NULL);
}

static void
restore_cluster (GobanWindow *self)
{
  g_autofree char *spec = goban_settings_dup_string (self->settings, GOBAN_SETTING_CLUSTER);
  const char *current = goban_cluster_get_name (goban_session_get_cluster (self->session));
  /* An unknown preset of another version is not an error: the session has its own default. */
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (spec, NULL);

  if (cluster != NULL && !g_str_equal (goban_cluster_get_name (cluster), current))
    goban_session_set_usual_cluster (self->session, cluster);
}

static void
restore (GobanWindow *self)
{
  static const char *const toggles[]
      = { GOBAN_SETTING_LEFT,  GOBAN_SETTING_RIGHT, GOBAN_SETTING_TIMELINE, GOBAN_SETTING_CONSOLE,
          GOBAN_SETTING_TABLE, GOBAN_SETTING_NOTES, GOBAN_SETTING_STEPS,    GOBAN_SETTING_DARK };
  g_autoptr (GobanSettings) defaults = self->settings == NULL ? goban_settings_new (NULL) : NULL;
  GobanSettings *settings = self->settings != NULL ? self->settings : defaults;
  int width = MAX (goban_settings_get_int (settings, GOBAN_SETTING_WIDTH), 640);
  int height = MAX (goban_settings_get_int (settings, GOBAN_SETTING_HEIGHT), 480);
  gboolean values[G_N_ELEMENTS (toggles)];

  /* All are read first: setting one writes them all. */
  for (gsize i = 0; i < G_N_ELEMENTS (toggles); i++)
    values[i] = goban_settings_get_boolean (settings, toggles[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (toggles); i++)
    set_toggle (self, toggles[i], values[i]);

  gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  if (goban_settings_get_boolean (settings, GOBAN_SETTING_MAXIMIZED))
    gtk_window_maximize (GTK_WINDOW (self));
  gtk_paned_set_position (GTK_PANED (self->left_paned),
                          goban_settings_get_int (settings, GOBAN_SETTING_LEFT_WIDTH));
  give_end_child (self->right_paned, goban_settings_get_int (settings, GOBAN_SETTING_RIGHT_WIDTH));
  give_end_child (self->timeline_paned,
                  goban_settings_get_int (settings, GOBAN_SETTING_TIMELINE_HEIGHT));
  give_end_child (self->console_paned,
                  goban_settings_get_int (settings, GOBAN_SETTING_CONSOLE_HEIGHT));
  if (self->settings != NULL)
    restore_cluster (self);
}

static void
remember_size (GobanSettings *settings, const char *key, int size)
{
  if (size > 0)
    goban_settings_set_int (settings, key, size);
}

static gboolean
goban_window_close_request (GtkWindow *window)
{
  GobanWindow *self = GOBAN_WINDOW (window);
  int width, height;

  if (self->settings != NULL)
    {
      gboolean is_maximized = gtk_window_is_maximized (window);

      gtk_window_get_default_size (window, &width, &height);
      goban_settings_set_boolean (self->settings, GOBAN_SETTING_MAXIMIZED, is_maximized);
      if (!is_maximized)
        {
          remember_size (self->settings, GOBAN_SETTING_WIDTH, width);
          remember_size (self->settings, GOBAN_SETTING_HEIGHT, height);
        }
      remember_size (self->settings, GOBAN_SETTING_LEFT_WIDTH, gtk_widget_get_width (self->left));
      remember_size (self->settings, GOBAN_SETTING_RIGHT_WIDTH, gtk_widget_get_width (self->right));
      remember_size (self->settings, GOBAN_SETTING_TIMELINE_HEIGHT,
                     gtk_widget_get_height (self->timeline));
      remember_size (self->settings, GOBAN_SETTING_CONSOLE_HEIGHT,
                     gtk_widget_get_height (self->bottom));
    }

  goban_window_close_document (self);
  return GTK_WINDOW_CLASS (goban_window_parent_class)->close_request (window);
}

/* --- life ----------------------------------------------------------------------------------- */

static void
goban_window_dispose (GObject *object)
{
  GobanWindow *self = GOBAN_WINDOW (object);

  g_clear_handle_id (&self->view_id, g_source_remove);
  g_clear_handle_id (&self->label_id, g_source_remove);
  goban_window_forget_wanted (self);
  goban_window_stop_watching_keys (self);
  goban_window_drop_document (self);
  goban_window_drop_preferences (self);
  if (self->dialog != NULL)
    gtk_native_dialog_destroy (self->dialog);
  g_clear_object (&self->dialog);
  goban_window_drop_exporter (self);
  if (self->generator != NULL)
    gtk_window_destroy (GTK_WINDOW (self->generator));
  /* A script that never ends would keep the program alive without a window. */
  if (self->evaluator != NULL)
    goban_console_evaluator_interrupt (self->evaluator);
  g_clear_object (&self->evaluator);

  G_OBJECT_CLASS (goban_window_parent_class)->dispose (object);
}

static void
goban_window_finalize (GObject *object)
{
  GobanWindow *self = GOBAN_WINDOW (object);

  g_clear_object (&self->session);
  g_clear_object (&self->menu);
  g_free (self->samples);

  G_OBJECT_CLASS (goban_window_parent_class)->finalize (object);
}

static void
goban_window_class_init (GobanWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = goban_window_close_request;
}

static void
goban_window_init (GobanWindow *self)
{
}

GobanWindow *
goban_window_new (GtkApplication *application, GobanSession *session, GobanSettings *settings)
{
  GobanWindow *self
      = g_object_new (GOBAN_TYPE_WINDOW, "application", application, "show-menubar", FALSE, NULL);

  self->session = g_object_ref (session);
  self->settings = settings;
  goban_actions_add_to_window (self);
  goban_window_follow_places (self);
  build (self);
  goban_window_accept_drops (self);
  goban_actions_add_wide_keys (GTK_WIDGET (self));
  goban_window_watch_keys (self);
  follow_session (self);
  goban_window_follow_finding (self);
  goban_window_follow_focus (self);
  restore (self);
  goban_window_follow_document (self);
  goban_window_follow_preferences (self);
  session_changed_cb (self);
  goban_window_update_history (self);

  return self;
}

GobanSession *
goban_window_get_session (GobanWindow *self)
{
  g_return_val_if_fail (GOBAN_IS_WINDOW (self), NULL);

  return self->session;
}

void
goban_window_set_evaluator (GobanWindow *self, GobanConsoleEvaluator *evaluator)
{
  g_return_if_fail (GOBAN_IS_WINDOW (self));

  g_set_object (&self->evaluator, evaluator);
  goban_console_view_set_evaluator (GOBAN_CONSOLE_VIEW (self->console), evaluator);
  goban_window_update_panes (self);
}

void
goban_window_set_samples (GobanWindow *self, const char *folder)
{
  g_return_if_fail (GOBAN_IS_WINDOW (self));

  g_free (self->samples);
  self->samples = g_strdup (folder);
  goban_start_page_set_samples (GOBAN_START_PAGE (self->start), folder);
}
