#include "ui/shell/window.h"

#include "engine/core/i18n.h"
#include "engine/session/preview.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-log.h"
#include "ui/commands/commands.h"
#include "ui/dialogs/preferences.h"
#include "ui/documents/exports.h"
#include "ui/documents/recent-menu.h"
#include "ui/frame/body.h"
#include "ui/frame/drawing.h"
#include "ui/frame/header.h"
#include "ui/frame/pictures.h"
#include "ui/frame/site.h"
#include "ui/lessons/lesson-ring.h"
#include "ui/panels/command-palette.h"
#include "ui/panels/shortcuts-window.h"
#include "ui/shell/presenter.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/toplevels.h"

#include "goban-resources.h"

#include <gtksourceview/gtksource.h>
#include <locale.h>

/* Preferences: their dialog, and the part that they change. */
typedef struct
{
  GtkWidget *dialog; /* (nullable): while it is open */
  GObject *scheme;   /* (nullable): while the colours are the system's */
  GobanRecentMenu *recent;
} Preferences;

/* Widgets over the body and beside it. */
typedef struct
{
  GobanLessonPane *lessons;
  GtkWidget *scenes;
  GobanCommandPalette *palette;
  GobanSearchBar *search_bar;
} Widgets;

struct _GobanWindow
{
  GtkApplicationWindow parent;

  GobanSite site;
  GobanConsoleEvaluator *evaluator; /* (nullable) */
  Widgets widgets;
  GobanBody *body;
  GobanHeader *header;
  GobanCommands *commands;
  GobanFileChooser *chooser;
  GobanScripts *scripts;
  GobanFiles *files;
  GobanExports *exports;
  Preferences preferences;
  GPtrArray *parts; /* owns all parts, also those without a field */
};

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
  goban_theme_init ();
  add_style (display, "style.css");
  if (!gdk_display_is_composited (display))
    add_style (display, "style-opaque.css");
  gtk_icon_theme_add_resource_path (gtk_icon_theme_get_for_display (display),
                                    "/org/goban/Goban/icons");
  gtk_window_set_default_icon_name ("org.goban.Goban");
}

/* --- following the session ------------------------------------------------------------------ */

static void
update_actions (GobanWindow *self)
{
  static const char *const need_graph[]
      = { "place",        "place-with", "place-quick", "choose-policy",  "export-graph",
          "export-table", "save-graph", "fit",         "zoom-selection", "zoom-in",
          "zoom-out",     "pan",        "select-all",  "device-key",     "pin",
          "hide",         "unhide",     "open-group",  "close-group",    "close-groups",
          "search",       "store-view", "scene-add",   "copy-text",      "copy-lua",
          "copy-rows",    "save",       "save-as",     "measure",        "make-pipeline",
          "copy-model",   NULL };
  static const char *const need_path[] = { "reload", NULL };
  static const char *const need_run[]
      = { "save-plan",   "export-plan",    "export-timeline", "export-trace", "export-page",
          "export-film", "next-plan",      "previous-plan",   "remove-plan",  "critical-path",
          "step",        "move-selection", "urgency",         "fuse",         "morph",
          NULL };

  goban_site_set_enabled (&self->site, need_graph,
                          goban_session_get_graph (self->site.session) != NULL);
  goban_site_set_enabled (&self->site, need_path,
                          goban_session_get_path (self->site.session) != NULL);
  goban_site_set_enabled (&self->site, need_run,
                          goban_session_get_current_run (self->site.session) != NULL);
}

static void
session_changed_cb (GobanWindow *self)
{
  goban_body_update (self->body);
  update_actions (self);
}

static void
job_changed_cb (GobanWindow *self)
{
  GobanJob *job = goban_session_get_job (self->site.session);
  g_autofree char *busy = job != NULL ? g_strdup_printf ("%s…", goban_job_get_title (job)) : NULL;

  goban_start_page_set_busy (goban_body_get_parts (self->body)->start, busy);
}

static void
follow_session (GobanWindow *self)
{
  GobanSession *session = self->site.session;

  GOBAN_CONNECT (session, "notify::graph", session_changed_cb, self);
  GOBAN_CONNECT (session, "notify::cluster", session_changed_cb, self);
  GOBAN_CONNECT (session, "notify::current-run", session_changed_cb, self);
  GOBAN_CONNECT (session, "notify::job", job_changed_cb, self);
  GOBAN_CONNECT (session, "message", goban_notice_bar_show, self->site.notice);
}

/* --- commands of any program ---------------------------------------------------------------- */

static void
open_palette (GobanWindow *self, GVariant *parameter)
{
  g_autofree char *text = g_strdup (goban_search_bar_get_unmatched (self->widgets.search_bar));

  if (*text != '\0')
    goban_search_bar_close (self->widgets.search_bar);
  goban_command_palette_open (self->widgets.palette, text);
}

static void
show_shortcuts (GobanWindow *self, GVariant *parameter)
{
  gtk_window_present (GTK_WINDOW (goban_shortcuts_window_new (GTK_WINDOW (self))));
}

static void
show_about (GobanWindow *self, GVariant *parameter)
{
  gtk_show_about_dialog (GTK_WINDOW (self), "program-name", "Goban", "version", GOBAN_VERSION,
                         "logo-icon-name", "org.goban.Goban", "comments",
                         _ ("Placement and scheduling of neural networks on several devices"),
                         "license-type", GTK_LICENSE_MIT_X11, NULL);
}

static void
quit (GobanWindow *self, GVariant *parameter)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  GList *windows = application != NULL ? gtk_application_get_windows (application) : NULL;

  /* Closing, not quitting: each window remembers its size on the way. */
  while (windows != NULL)
    {
      GtkWindow *window = windows->data;

      windows = windows->next;
      gtk_window_close (window);
    }
}

static void
fullscreen_changed (GobanWindow *self, GVariant *state)
{
  if (g_variant_get_boolean (state))
    gtk_window_fullscreen (GTK_WINDOW (self));
  else
    gtk_window_unfullscreen (GTK_WINDOW (self));
}

/* --- preferences ---------------------------------------------------------------------------- */

static void
set_dark (GobanWindow *self, gboolean is_dark)
{
  if (goban_site_get_toggle (&self->site, GOBAN_SETTING_DARK) != is_dark)
    goban_site_set_toggle (&self->site, GOBAN_SETTING_DARK, is_dark);
}

static void
scheme_cb (gboolean is_dark, gpointer user_data)
{
  set_dark (user_data, is_dark);
}

static void
apply_theme (GobanWindow *self)
{
  g_clear_pointer (&self->preferences.scheme, goban_scheme_drop);
  if (goban_settings_get_boolean (self->site.settings, GOBAN_SETTING_FOLLOW_SYSTEM))
    self->preferences.scheme = goban_scheme_watch (scheme_cb, self);
  else
    set_dark (self, goban_settings_get_boolean (self->site.settings, GOBAN_SETTING_DARK));
}

/* One size for all consoles of the program. */
static void
apply_font (GobanWindow *self)
{
  static GtkCssProvider *style = NULL;
  g_autofree char *css
      = g_strdup_printf ("console { font-size: %dpt; }",
                         goban_settings_get_int (self->site.settings, GOBAN_SETTING_CONSOLE_FONT));

  if (style == NULL)
    {
      style = gtk_css_provider_new ();
      gtk_style_context_add_provider_for_display (gtk_widget_get_display (GTK_WIDGET (self)),
                                                  GTK_STYLE_PROVIDER (style),
                                                  GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
    }
  gtk_css_provider_load_from_data (style, css, -1);
}

static void
preference_cb (const char *key, gpointer user_data)
{
  GobanWindow *self = user_data;

  if (g_str_equal (key, GOBAN_SETTING_FOLLOW_SYSTEM))
    apply_theme (self);
  else if (g_str_equal (key, GOBAN_SETTING_CONSOLE_FONT))
    apply_font (self);
  else if (g_str_equal (key, GOBAN_SETTING_AUTOSAVE))
    goban_files_update_autosave (self->files);
  else if (g_str_equal (key, GOBAN_SETTING_RECENT_LIMIT))
    goban_recent_menu_update (self->preferences.recent);
}

/* A window that remembers nothing has no preferences. */
static void
follow_preferences (GobanWindow *self)
{
  if (self->site.settings == NULL)
    return;
  if (goban_settings_get_boolean (self->site.settings, GOBAN_SETTING_FOLLOW_SYSTEM))
    apply_theme (self);
  apply_font (self);
}

static void
show_preferences (GobanWindow *self, GVariant *parameter)
{
  if (self->site.settings == NULL)
    {
      goban_session_say (self->site.session, FALSE, "This window remembers no preferences");
      return;
    }
  if (self->preferences.dialog == NULL)
    {
      self->preferences.dialog = GTK_WIDGET (
          goban_preferences_new (GTK_WINDOW (self), self->site.settings, preference_cb, self));
      g_object_add_weak_pointer (G_OBJECT (self->preferences.dialog),
                                 (gpointer *) &self->preferences.dialog);
    }
  gtk_window_present (GTK_WINDOW (self->preferences.dialog));
}

static const GobanCommand commands[] = {
  { "palette", G_CALLBACK (open_palette) },
  { "shortcuts", G_CALLBACK (show_shortcuts) },
  { "about", G_CALLBACK (show_about) },
  { "close", G_CALLBACK (gtk_window_close) },
  { "quit", G_CALLBACK (quit) },
  { "fullscreen", G_CALLBACK (fullscreen_changed) },
  { "preferences", G_CALLBACK (show_preferences) },
};

/* --- building ------------------------------------------------------------------------------- */

/* Takes over a part: it lives as long as the window. */
static gpointer
own (GobanWindow *self, gpointer part)
{
  g_ptr_array_add (self->parts, part);
  return part;
}

static void
build_bars (GobanWindow *self)
{
  self->site.status = GOBAN_STATUS_BAR (goban_status_bar_new (self->site.session));
  self->site.notice = GOBAN_NOTICE_BAR (goban_notice_bar_new ());
  self->commands = goban_commands_new (&self->site);
  self->header = own (self, goban_header_new (&self->site));
}

static void
lay_out (GobanWindow *self, GtkWidget *search_bar, GtkWidget *palette, GobanPresenterParts *parts)
{
  GtkBuilder *builder = goban_template_load ("shell/window.ui", "content");
  GtkBox *box = GTK_BOX (goban_template_get (builder, "box"));
  GobanFrame *frame = goban_body_get_parts (self->body)->frame;
  GtkWidget *lessons = goban_lesson_pane_new (self->site.session);
  GtkWidget *content;

  parts->caption = goban_template_get (builder, "caption");
  parts->keys = goban_template_get (builder, "keys");
  self->widgets.lessons = GOBAN_LESSON_PANE (lessons);
  self->widgets.scenes = goban_scene_bar_new (self->site.session);
  content = goban_template_take (builder, "content");

  parts->strip = goban_presenter_strip_new (self->site.session);
  gtk_widget_set_visible (lessons, FALSE);
  gtk_widget_set_visible (self->widgets.scenes, FALSE);
  goban_frame_mount (frame, GOBAN_SLOT_SIDE, lessons, GOBAN_IN_ALL);
  goban_frame_mount (frame, GOBAN_SLOT_SIDE, self->widgets.scenes, GOBAN_IN_ALL);
  gtk_widget_set_vexpand (self->widgets.scenes, FALSE);
  gtk_box_prepend (box, GTK_WIDGET (frame));
  gtk_box_prepend (box, parts->strip);
  gtk_box_prepend (box, search_bar);
  gtk_box_prepend (box, GTK_WIDGET (self->site.notice));
  gtk_widget_set_vexpand (GTK_WIDGET (frame), TRUE);
  gtk_overlay_add_overlay (GTK_OVERLAY (content), goban_lesson_ring_new (self->site.session));
  gtk_overlay_add_overlay (GTK_OVERLAY (content), palette);
  /* Pressed keys are shown over the palette. */
  gtk_widget_insert_before (parts->keys, content, NULL);
  gtk_window_set_titlebar (GTK_WINDOW (self), goban_header_get_widget (self->header));
  gtk_window_set_child (GTK_WINDOW (self), content);
}

/* Commands on files. */
static void
add_files (GobanWindow *self)
{
  const GobanSite *site = &self->site;
  GobanLowerPane *lower = goban_body_get_parts (self->body)->lower;

  self->chooser = own (self, goban_file_chooser_new (site));
  self->scripts = own (self, goban_scripts_new (site, lower, self->chooser));
  self->files
      = own (self, goban_files_new (site, self->chooser, self->scripts,
                                    goban_lower_pane_get_parts (lower)->notes, self->header));
  self->exports = own (self, goban_exports_new (site, self->chooser, self->body));
}

/* Commands on the pictures. The commands are owned once their parts are, which outlive them so. */
static void
add_commands (GobanWindow *self, GobanSearchBar *search_bar)
{
  own (self, self->commands);
  goban_commands_connect (self->commands,
                          &(GobanCommandParts){ .body = self->body,
                                                .search_bar = search_bar,
                                                .scene_bar = GOBAN_SCENE_BAR (self->widgets.scenes),
                                                .lesson_pane = self->widgets.lessons,
                                                .chooser = self->chooser,
                                                .files = self->files });
  own (self, goban_drawing_commands_new (
                 &self->site,
                 goban_explorer_get_parts (goban_body_get_parts (self->body)->explorer)->graph));
}

static void
frame_changed_cb (GobanWindow *self, GobanFrame *frame)
{
  goban_header_set_narrow (self->header, goban_frame_is_narrow (frame));
}

static void
build (GobanWindow *self)
{
  const GobanSite *site = &self->site;
  GtkWidget *search_bar, *palette;
  GobanPictures *pictures;
  GobanPresenterParts parts;

  build_bars (self);
  search_bar = goban_search_bar_new (site->session);
  palette = goban_command_palette_new (site->session, G_ACTION_GROUP (self));
  self->body = own (self, goban_body_new (site, goban_header_get_cluster_button (self->header)));
  self->widgets.palette = GOBAN_COMMAND_PALETTE (palette);
  self->widgets.search_bar = GOBAN_SEARCH_BAR (search_bar);
  lay_out (self, search_bar, palette, &parts);

  pictures = goban_body_get_parts (self->body)->pictures;
  goban_pictures_follow_closing (pictures, search_bar);
  goban_pictures_follow_closing (pictures, palette);
  goban_pictures_follow_closing (pictures, GTK_WIDGET (site->notice));
  goban_header_set_pictures (self->header, pictures);
  GOBAN_CONNECT (goban_body_get_parts (self->body)->frame, "changed", frame_changed_cb, self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  goban_actions_add_wide_keys (GTK_WIDGET (self));
  follow_session (self);
  add_files (self);
  add_commands (self, GOBAN_SEARCH_BAR (search_bar));
  /* After the panes that it hides. */
  own (self, goban_presenter_new (site, self->body, &parts));
}

/* --- settings ------------------------------------------------------------------------------- */

static void
restore_cluster (GobanWindow *self)
{
  g_autofree char *spec = goban_settings_dup_string (self->site.settings, GOBAN_SETTING_CLUSTER);
  const char *current = goban_cluster_get_name (goban_session_get_cluster (self->site.session));
  /* An unknown preset of another version is not an error: the session has its own default. */
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (spec, NULL);

  if (cluster != NULL && !g_str_equal (goban_cluster_get_name (cluster), current))
    goban_session_set_usual_cluster (self->site.session, cluster);
}

static void
restore (GobanWindow *self)
{
  g_autoptr (GobanSettings) defaults
      = self->site.settings == NULL ? goban_settings_new (NULL) : NULL;
  GobanSettings *settings = self->site.settings != NULL ? self->site.settings : defaults;
  int width = MAX (goban_settings_get_int (settings, GOBAN_SETTING_WIDTH), 640);
  int height = MAX (goban_settings_get_int (settings, GOBAN_SETTING_HEIGHT), 480);

  gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  if (goban_settings_get_boolean (settings, GOBAN_SETTING_MAXIMIZED))
    gtk_window_maximize (GTK_WINDOW (self));
  goban_body_restore (self->body, settings);
  if (self->site.settings != NULL)
    restore_cluster (self);
}

static void
remember_size (GobanWindow *self)
{
  GobanSettings *settings = self->site.settings;
  gboolean is_maximized = gtk_window_is_maximized (GTK_WINDOW (self));
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  goban_settings_set_boolean (settings, GOBAN_SETTING_MAXIMIZED, is_maximized);
  if (!is_maximized && width > 0)
    goban_settings_set_int (settings, GOBAN_SETTING_WIDTH, width);
  if (!is_maximized && height > 0)
    goban_settings_set_int (settings, GOBAN_SETTING_HEIGHT, height);
  goban_body_remember (self->body, settings);
}

static gboolean
goban_window_close_request (GtkWindow *window)
{
  GobanWindow *self = GOBAN_WINDOW (window);

  if (self->site.settings != NULL)
    remember_size (self);
  goban_notes_view_flush (
      goban_lower_pane_get_parts (goban_body_get_parts (self->body)->lower)->notes);
  goban_scene_bar_store (GOBAN_SCENE_BAR (self->widgets.scenes));
  goban_files_close (self->files);
  return GTK_WINDOW_CLASS (goban_window_parent_class)->close_request (window);
}

/* Later parts use earlier ones. Who still holds one must not be able to use the window. */
static void
drop_parts (GobanWindow *self)
{
  if (self->parts == NULL)
    return;
  while (self->parts->len > 0)
    {
      GObject *part = g_ptr_array_steal_index (self->parts, self->parts->len - 1);

      g_object_run_dispose (part);
      g_object_unref (part);
    }
  g_clear_pointer (&self->parts, g_ptr_array_unref);
}

static void
goban_window_dispose (GObject *object)
{
  GobanWindow *self = GOBAN_WINDOW (object);

  g_clear_pointer (&self->preferences.scheme, goban_scheme_drop);
  goban_site_drop_dialog (&self->preferences.dialog);
  drop_parts (self);
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

  g_clear_object (&self->site.session);

  G_OBJECT_CLASS (goban_window_parent_class)->finalize (object);
}

static void
goban_window_class_init (GobanWindowClass *klass)
{
  goban_toplevels_watch ();
  G_OBJECT_CLASS (klass)->dispose = goban_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = goban_window_close_request;
}

static void
goban_window_init (GobanWindow *self)
{
  self->parts = g_ptr_array_new_with_free_func (g_object_unref);
}

GobanWindow *
goban_window_new (GtkApplication *application, GobanSession *session, GobanSettings *settings)
{
  GobanWindow *self
      = g_object_new (GOBAN_TYPE_WINDOW, "application", application, "show-menubar", FALSE, NULL);

  self->site.window = GTK_APPLICATION_WINDOW (self);
  self->site.session = g_object_ref (session);
  self->site.settings = settings;
  goban_site_add_actions (&self->site);
  build (self);
  restore (self);
  self->preferences.recent
      = own (self, goban_recent_menu_new (&self->site, goban_body_get_parts (self->body)->start,
                                          goban_header_get_menu (self->header)));
  follow_preferences (self);
  session_changed_cb (self);
  goban_header_update (self->header);
  goban_header_update_history (self->header);

  return self;
}

GobanSession *
goban_window_get_session (GobanWindow *self)
{
  g_return_val_if_fail (GOBAN_IS_WINDOW (self), NULL);

  return self->site.session;
}

void
goban_window_set_evaluator (GobanWindow *self, GobanConsoleEvaluator *evaluator)
{
  g_return_if_fail (GOBAN_IS_WINDOW (self));

  g_set_object (&self->evaluator, evaluator);
  goban_body_set_evaluator (self->body, evaluator);
}

void
goban_window_set_lesson_evaluator (GobanWindow *self, GobanEvaluatorFunc make)
{
  g_return_if_fail (GOBAN_IS_WINDOW (self));

  goban_lesson_pane_set_evaluator (self->widgets.lessons, make);
}

void
goban_window_set_samples (GobanWindow *self, const char *folder)
{
  g_return_if_fail (GOBAN_IS_WINDOW (self));

  goban_files_set_samples (self->files, folder);
  goban_start_page_set_samples (goban_body_get_parts (self->body)->start, folder);
}

void
goban_window_set_examples (GobanWindow *self, const char *folder)
{
  g_return_if_fail (GOBAN_IS_WINDOW (self));

  goban_scripts_set_examples (self->scripts, folder);
}

void
goban_window_open_file (GobanWindow *self, GFile *file)
{
  g_return_if_fail (GOBAN_IS_WINDOW (self));

  goban_files_open (self->files, file);
}

void
goban_window_open_files (GobanWindow *self, GPtrArray *group)
{
  g_return_if_fail (GOBAN_IS_WINDOW (self));

  goban_files_open_group (self->files, group);
}

void
goban_window_drop_files (GobanWindow *self, GFile *const *files, guint n)
{
  g_return_if_fail (GOBAN_IS_WINDOW (self));

  goban_files_drop (self->files, files, n);
}

void
goban_window_offer_recovery (GobanWindow *self)
{
  g_return_if_fail (GOBAN_IS_WINDOW (self));

  goban_files_offer_recovery (self->files);
}

void
goban_window_export (GobanWindow *self, const char *path, gboolean timeline)
{
  g_return_if_fail (GOBAN_IS_WINDOW (self));

  goban_exports_start (self->exports, path, timeline);
}

void
goban_window_export_training_film (GobanWindow *self, const char *path)
{
  g_return_if_fail (GOBAN_IS_WINDOW (self));

  goban_commands_film_training (self->commands, path);
}

void
goban_window_export_comparison (GobanWindow *self, const char *path, gboolean is_report)
{
  g_return_if_fail (GOBAN_IS_WINDOW (self));

  goban_exports_start_comparison (self->exports, path, is_report);
}
