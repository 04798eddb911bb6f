#include "ui/frame/body.h"

#include "engine/session/compare-set-looks.h"
#include "ui/frame/panes.h"
#include "ui/timeline/moment-panel.h"
#include "ui/timeline/time-pane.h"
#include "ui/timeline/timeline-play.h"
#include "ui/widgets/template.h"
#include "ui/widgets/theme.h"

struct _GobanBody
{
  GObject parent;

  GobanSite site;
  GtkWidget *upper; /* a stack: "start", "work" or "compare" */
  GtkWidget *timeline_paned;
  GtkWidget *console_paned;
  GobanStartPage *start;
  GobanComparePage *compare;
  GobanTimelineView *timeline;
  GobanMomentPanel *moment;
  GtkWidget *moment_paned;
  guint moment_id; /* the panel is about to open, or 0 */
  GobanExplorer *explorer;
  GobanLowerPane *lower;
  GobanPictures *pictures;
};

G_DEFINE_FINAL_TYPE (GobanBody, goban_body, G_TYPE_OBJECT)

static GobanCompareSet *
set_of (GobanBody *self)
{
  return goban_session_get_compare_set (self->site.session);
}

/* --- building --------------------------------------------------------------------------------- */

static void
build_upper (GobanBody *self)
{
  GtkStack *upper = GTK_STACK (self->upper);

  self->start = GOBAN_START_PAGE (goban_start_page_new ());
  self->explorer = goban_explorer_new (&self->site);
  self->compare = GOBAN_COMPARE_PAGE (
      goban_compare_page_new (self->site.session, goban_explorer_get_graph (self->explorer)));
  gtk_stack_add_named (upper, GTK_WIDGET (self->start), "start");
  gtk_stack_add_named (upper, goban_explorer_get_widget (self->explorer), "work");
  gtk_stack_add_named (upper, GTK_WIDGET (self->compare), "compare");
}

static void
build_time (GobanBody *self)
{
  GtkWidget *time = goban_time_pane_new (self->site.session);
  GtkWidget *moment = goban_moment_panel_new (self->site.session);

  self->timeline = goban_time_pane_get_timeline (GOBAN_TIME_PANE (time));
  goban_explorer_connect_timeline (self->explorer, self->timeline);
  self->moment = GOBAN_MOMENT_PANEL (moment);
  gtk_widget_set_size_request (GTK_WIDGET (self->timeline), 200, 80);
  gtk_widget_set_size_request (moment, 360, -1);
  gtk_paned_set_start_child (GTK_PANED (self->moment_paned), time);
  gtk_paned_set_end_child (GTK_PANED (self->moment_paned), moment);
}

static void
build (GobanBody *self)
{
  GtkBuilder *builder = goban_template_load ("frame/body.ui", "body");

  self->timeline_paned = goban_template_get (builder, "timeline_paned");
  self->upper = goban_template_get (builder, "upper");
  self->moment_paned = goban_template_get (builder, "moment_paned");
  self->console_paned = goban_template_take (builder, "body");
  build_upper (self);
  build_time (self);
  self->lower = goban_lower_pane_new (&self->site);
  gtk_paned_set_end_child (GTK_PANED (self->console_paned),
                           goban_lower_pane_get_widget (self->lower));
  self->pictures = goban_pictures_new (&self->site, goban_explorer_get_graph (self->explorer),
                                       self->timeline, self->compare);
}

GtkWidget *
goban_body_get_widget (GobanBody *self)
{
  return self->console_paned;
}

GobanComparePage *
goban_body_get_compare (GobanBody *self)
{
  return self->compare;
}

GobanExplorer *
goban_body_get_explorer (GobanBody *self)
{
  return self->explorer;
}

GobanLowerPane *
goban_body_get_lower (GobanBody *self)
{
  return self->lower;
}

GobanPictures *
goban_body_get_pictures (GobanBody *self)
{
  return self->pictures;
}

GobanStartPage *
goban_body_get_start (GobanBody *self)
{
  return self->start;
}

/* --- visible page ----------------------------------------------------------------------------- */

static void
update_page (GobanBody *self)
{
  gboolean has_graph = goban_session_get_graph (self->site.session) != NULL;
  gboolean is_opened = has_graph && gtk_widget_get_mapped (GTK_WIDGET (self->start));

  gtk_stack_set_visible_child_name (GTK_STACK (self->upper),
                                    !has_graph                                  ? "start"
                                    : goban_compare_set_is_open (set_of (self)) ? "compare"
                                                                                : "work");
  /* Return would press "Open" again. */
  if (is_opened)
    goban_pictures_grab_focus (self->pictures);
}

static gboolean
is_moment_wanted (GobanBody *self)
{
  return goban_moment_panel_has_moment (self->moment)
         && goban_site_get_toggle (&self->site, GOBAN_SETTING_MOMENT);
}

static void
show_moment (GobanBody *self)
{
  g_clear_handle_id (&self->moment_id, g_source_remove);
  gtk_widget_set_visible (GTK_WIDGET (self->moment), is_moment_wanted (self));
}

static gboolean
open_moment_cb (gpointer user_data)
{
  GobanBody *self = user_data;

  self->moment_id = 0;
  show_moment (self);
  return G_SOURCE_REMOVE;
}

/* Beside the timeline while there is a moment. It opens when no second click can follow, which
 * would hit another time of the narrower timeline. */
static void
update_moment (GobanBody *self)
{
  gboolean is_wanted = is_moment_wanted (self);
  int patience_ms;

  if (is_wanted == gtk_widget_get_visible (GTK_WIDGET (self->moment)) || !is_wanted)
    {
      show_moment (self);
      return;
    }
  if (self->moment_id != 0)
    return;
  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self->site.window)), "gtk-double-click-time",
                &patience_ms, NULL);
  self->moment_id = g_timeout_add ((guint) patience_ms, open_moment_cb, self);
}

/* The timeline has nothing to say without a run, the console nothing without an evaluator. */
static void
update_panes (GobanBody *self)
{
  gboolean has_run = goban_session_get_current_run (self->site.session) != NULL;
  gboolean is_compared = goban_compare_set_is_open (set_of (self));
  gboolean has_timeline = goban_site_get_toggle (&self->site, GOBAN_SETTING_TIMELINE);

  goban_explorer_update (self->explorer);
  gtk_widget_set_visible (self->moment_paned, has_run && !is_compared && has_timeline);
  gtk_widget_set_visible (GTK_WIDGET (goban_compare_page_get_timeline (self->compare)),
                          has_timeline);
  update_moment (self);
  goban_lower_pane_update (self->lower);
  if (!is_compared && !gtk_widget_get_visible (self->moment_paned))
    goban_pictures_set_last (self->pictures,
                             GOBAN_PICTURE (goban_explorer_get_graph (self->explorer)));
  goban_pictures_keep_focus (self->pictures);
}

void
goban_body_update (GobanBody *self)
{
  update_page (self);
  update_panes (self);
}

void
goban_body_set_evaluator (GobanBody *self, GobanConsoleEvaluator *evaluator)
{
  goban_lower_pane_set_evaluator (self->lower, evaluator);
  update_panes (self);
}

static void
page_changed_cb (GobanBody *self)
{
  GobanGraphView *view = goban_explorer_get_graph (self->explorer);

  if (goban_compare_set_is_open (set_of (self)))
    view = goban_compare_set_get_mode (set_of (self)) == GOBAN_COMPARE_SIDE
               ? goban_compare_pane_get_view (goban_compare_page_get_pane (self->compare, 0))
               : goban_compare_page_get_joint (self->compare);
  goban_pictures_set_last (self->pictures, GOBAN_PICTURE (view));
  goban_body_update (self);
  goban_pictures_grab_focus (self->pictures);
}

static void
mode_changed_cb (GobanBody *self)
{
  if (goban_compare_set_is_open (set_of (self)))
    page_changed_cb (self);
}

static void
follow (GobanBody *self)
{
  g_signal_connect_object (set_of (self), "notify::open", G_CALLBACK (page_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_session_get_view (self->site.session), "notify::time",
                           G_CALLBACK (update_moment), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->site.session, "notify::shown-run", G_CALLBACK (update_moment),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (set_of (self), "notify::mode", G_CALLBACK (mode_changed_cb), self,
                           G_CONNECT_SWAPPED);
}

/* --- commands --------------------------------------------------------------------------------- */

static void
pane_changed (GobanBody *self, GVariant *state)
{
  static const char *const panes[]
      = { GOBAN_SETTING_LEFT, GOBAN_SETTING_RIGHT, GOBAN_SETTING_TIMELINE, GOBAN_SETTING_CONSOLE };
  GtkWidget *console = GTK_WIDGET (goban_lower_pane_get_console (self->lower));
  gboolean had_console = gtk_widget_get_visible (console);

  update_panes (self);
  for (gsize i = 0; i < G_N_ELEMENTS (panes); i++)
    goban_site_remember (&self->site, panes[i], goban_site_get_toggle (&self->site, panes[i]));

  if (!had_console && gtk_widget_get_visible (console))
    gtk_widget_grab_focus (console);
}

static void
show_page (GobanBody *self, GtkWidget *page, const char *key, GVariant *state)
{
  update_panes (self);
  goban_site_remember (&self->site, key, g_variant_get_boolean (state));
  if (gtk_widget_get_visible (page) && g_variant_get_boolean (state))
    gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD);
}

static void
table_changed (GobanBody *self, GVariant *state)
{
  show_page (self, GTK_WIDGET (goban_lower_pane_get_table (self->lower)), GOBAN_SETTING_TABLE,
             state);
}

static void
notes_changed (GobanBody *self, GVariant *state)
{
  show_page (self, GTK_WIDGET (goban_lower_pane_get_notes (self->lower)), GOBAN_SETTING_NOTES,
             state);
}

/* Without a moment there is nothing to hide: the start is shown. */
static void
moment_changed (GobanBody *self, GVariant *state)
{
  gboolean is_wanted = g_variant_get_boolean (state);

  if (goban_session_get_shown_run (self->site.session) != NULL
      && !goban_moment_panel_has_moment (self->moment))
    {
      goban_timeline_view_seek (self->timeline, -1);
      if (!is_wanted)
        {
          goban_site_set_toggle (&self->site, GOBAN_SETTING_MOMENT, TRUE);
          return;
        }
    }
  show_moment (self);
  goban_pictures_keep_focus (self->pictures);
  goban_site_remember (&self->site, GOBAN_SETTING_MOMENT, is_wanted);
}

static void
apply_theme (GobanBody *self)
{
  GobanTheme theme = goban_theme_of (GTK_WIDGET (self->site.window));

  goban_pictures_set_theme (self->pictures, theme);
  goban_explorer_set_theme (self->explorer, theme);
  goban_console_view_set_theme (goban_lower_pane_get_console (self->lower), theme);
  goban_training_view_set_theme (goban_lower_pane_get_training (self->lower), theme);
}

static void
dark_changed (GobanBody *self, GVariant *state)
{
  gboolean dark = g_variant_get_boolean (state);
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (self->site.window));
  gboolean was_dark = FALSE;

  g_object_get (settings, "gtk-application-prefer-dark-theme", &was_dark, NULL);
  /* GTK reads its theme anew even if nothing changes: a tenth of the time to start. */
  if (was_dark != dark)
    g_object_set (settings, "gtk-application-prefer-dark-theme", dark, NULL);
  apply_theme (self);
  goban_site_remember (&self->site, GOBAN_SETTING_DARK, dark);
}

/* --- sizes ------------------------------------------------------------------------------------ */

void
goban_body_restore (GobanBody *self, GobanSettings *settings)
{
  static const char *const toggles[]
      = { GOBAN_SETTING_LEFT,   GOBAN_SETTING_RIGHT, GOBAN_SETTING_TIMELINE, GOBAN_SETTING_CONSOLE,
          GOBAN_SETTING_TABLE,  GOBAN_SETTING_NOTES, GOBAN_SETTING_STEPS,    GOBAN_SETTING_CARD,
          GOBAN_SETTING_MOMENT, GOBAN_SETTING_DARK };
  gboolean values[G_N_ELEMENTS (toggles)];

  /* All are read first: setting one writes them all. */
  for (gsize i = 0; i < G_N_ELEMENTS (toggles); i++)
    values[i] = goban_settings_get_boolean (settings, toggles[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (toggles); i++)
    goban_site_set_toggle (&self->site, toggles[i], values[i]);

  goban_explorer_restore (self->explorer, settings);
  goban_paned_give_end (self->timeline_paned,
                        goban_settings_get_int (settings, GOBAN_SETTING_TIMELINE_HEIGHT));
  goban_paned_give_end (self->moment_paned,
                        goban_settings_get_int (settings, GOBAN_SETTING_MOMENT_WIDTH));
  goban_paned_give_end (self->console_paned,
                        goban_settings_get_int (settings, GOBAN_SETTING_CONSOLE_HEIGHT));
}

void
goban_body_remember (GobanBody *self, GobanSettings *settings)
{
  goban_explorer_remember (self->explorer, settings);
  goban_pane_remember (settings, GOBAN_SETTING_TIMELINE_HEIGHT,
                       gtk_widget_get_height (self->moment_paned));
  goban_pane_remember (settings, GOBAN_SETTING_MOMENT_WIDTH,
                       gtk_widget_get_width (GTK_WIDGET (self->moment)));
  goban_pane_remember (settings, GOBAN_SETTING_CONSOLE_HEIGHT,
                       gtk_widget_get_height (goban_lower_pane_get_widget (self->lower)));
}

static const GobanCommand commands[] = {
  { "left-pane", G_CALLBACK (pane_changed) },     { "right-pane", G_CALLBACK (pane_changed) },
  { "timeline-pane", G_CALLBACK (pane_changed) }, { "console-pane", G_CALLBACK (pane_changed) },
  { "table-pane", G_CALLBACK (table_changed) },   { "notes-pane", G_CALLBACK (notes_changed) },
  { "moment-pane", G_CALLBACK (moment_changed) }, { "dark", G_CALLBACK (dark_changed) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_body_dispose (GObject *object)
{
  GobanBody *self = GOBAN_BODY (object);

  g_clear_handle_id (&self->moment_id, g_source_remove);
  g_clear_object (&self->pictures);
  g_clear_object (&self->lower);
  g_clear_object (&self->explorer);

  G_OBJECT_CLASS (goban_body_parent_class)->dispose (object);
}

static void
goban_body_class_init (GobanBodyClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_body_dispose;
}

static void
goban_body_init (GobanBody *self)
{
}

GobanBody *
goban_body_new (const GobanSite *site)
{
  GobanBody *self = g_object_new (GOBAN_TYPE_BODY, NULL);

  self->site = *site;
  build (self);
  follow (self);
  goban_theme_connect (self->upper, self, G_CALLBACK (apply_theme));
  apply_theme (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
