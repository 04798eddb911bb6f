#include "ui/frame/body.h"

#include "engine/core/i18n.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/session-history.h"
#include "engine/session/session-jobs.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/training/training-list.h"
#include "ui/console/control-panel.h"
#include "ui/timeline/timeline-view.h"
#include "ui/timeline/transport-bar.h"
#include "ui/widgets/focus-group.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <math.h>

/* The axis of compared times, and a device's two bars at their least and usual height. */
#define AXIS_PIXELS 26
#define LEAST_PAIR_PIXELS 16
#define PAIR_PIXELS 30
#define MOST_PAIRS 8
#define TEXT_CHARS 36 /* of a line of an empty page */

struct _GobanBody
{
  GObject parent;

  GobanSite site;
  GobanFrame *frame;
  GobanWorkspaces *workspaces;
  GobanStartPage *start;
  GobanComparePage *compare;
  GobanTimelineView *timeline;
  GtkWidget *toolbar; /* of the time */
  GobanExplorer *explorer;
  GobanLowerPane *lower;
  GobanPictures *pictures;
  gboolean has_chosen_rows;  /* people, scripts or documents have: the time's rows stay so */
  gboolean is_choosing_rows; /* we do */
  /* Pages of workspaces without content. */
  GtkWidget *decision_pages; /* the card or the record, where both have no room */
  GtkWidget *no_decisions;
  GtkWidget *no_pair;
  GtkWidget *no_graph;
  GtkWidget *no_training;
};

G_DEFINE_FINAL_TYPE (GobanBody, goban_body, G_TYPE_OBJECT)

static GobanCompareSet *
set_of (GobanBody *self)
{
  return goban_session_get_compare_set (self->site.session);
}

static GobanView *
view_of (GobanBody *self)
{
  return goban_session_get_view (self->site.session);
}

/* --- building --------------------------------------------------------------------------------- */

static void
build (GobanBody *self, GtkWidget *cluster_button)
{
  self->start = GOBAN_START_PAGE (goban_start_page_new ());
  self->explorer = goban_explorer_new (&self->site);
  self->compare = GOBAN_COMPARE_PAGE (
      goban_compare_page_new (self->site.session, goban_explorer_get_graph (self->explorer)));
  self->timeline = GOBAN_TIMELINE_VIEW (goban_timeline_view_new (self->site.session));
  goban_explorer_connect_timeline (self->explorer, self->timeline);
  self->toolbar = goban_transport_bar_new (self->site.session, self->timeline);
  goban_transport_bar_set_start (GOBAN_TRANSPORT_BAR (self->toolbar), cluster_button);
  /* Lessons point at them by name. */
  gtk_widget_set_name (goban_explorer_get_board (self->explorer), "board");
  gtk_widget_set_name (GTK_WIDGET (goban_explorer_get_graph (self->explorer)), "graph");
  gtk_widget_set_name (GTK_WIDGET (self->timeline), "timeline");
  self->lower = goban_lower_pane_new (&self->site);
  self->pictures = goban_pictures_new (&self->site, goban_explorer_get_graph (self->explorer),
                                       self->timeline, self->compare);
}

static void
set_page_text (GtkWidget *page, const char *text)
{
  goban_set_label_text (gtk_widget_get_first_child (page), text);
}

/* What a workspace shows without content: a sentence, and a button with the next step. */
static GtkWidget *
new_empty_page (const char *text, const char *label, const char *action)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *sentence = goban_new_label (NULL);
  GtkWidget *button = gtk_button_new_with_label (label);
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  if (g_action_parse_detailed_name (action, &name, &target, NULL))
    {
      /* A name without its target would not fit the action. */
      gtk_actionable_set_action_target_value (GTK_ACTIONABLE (button), target);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), name);
    }

  gtk_label_set_wrap (GTK_LABEL (sentence), TRUE);
  gtk_label_set_justify (GTK_LABEL (sentence), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (sentence), TEXT_CHARS);
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "suggested-action");
  gtk_box_append (GTK_BOX (page), sentence);
  gtk_box_append (GTK_BOX (page), button);
  gtk_widget_set_valign (page, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (page, "emptypage");
  set_page_text (page, text);
  return page;
}

static void
build_empty_pages (GobanBody *self)
{
  self->no_decisions
      = new_empty_page ("", _ ("Place with go-zeroshot"), "win.place('go-zeroshot')");
  self->no_pair = new_empty_page (_ ("Compare needs two plans."), _ ("Place Another Way"),
                                  "win.choose-policy");
  self->no_training = new_empty_page (_ ("Teach a network to place graphs, and watch it learn."),
                                      _ ("New Training…"), "win.train");
  self->no_graph
      = new_empty_page (_ ("An open graph is shown here."), _ ("Open a File…"), "win.open");
  gtk_widget_remove_css_class (gtk_widget_get_last_child (self->no_graph), "suggested-action");
}

/* The decision and the record, or what there is instead of decisions to walk through. */
static void
update_decisions (GobanBody *self)
{
  GtkWidget *card = gtk_widget_get_first_child (self->decision_pages);
  GobanRun *run = goban_session_get_current_run (self->site.session);
  GobanDecisions *decisions = run != NULL ? goban_run_get_decisions (run) : NULL;
  gboolean has_graph = goban_session_get_graph (self->site.session) != NULL;
  gboolean is_empty = has_graph && (decisions == NULL || !goban_moments_can_be_walked (decisions));
  gboolean has_pages = !is_empty && has_graph && goban_frame_is_narrow (self->frame);
  gboolean is_card = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (card));
  g_autofree char *text = NULL;

  goban_decision_card_set_narrow (goban_explorer_get_card (self->explorer), has_pages);
  gtk_widget_set_visible (self->no_decisions, is_empty);
  gtk_widget_set_visible (self->decision_pages, has_pages);
  gtk_widget_set_visible (GTK_WIDGET (goban_explorer_get_card (self->explorer)),
                          !is_empty && (is_card || !has_pages));
  gtk_widget_set_visible (GTK_WIDGET (goban_explorer_get_record (self->explorer)),
                          !is_empty && (!is_card || !has_pages));
  if (!is_empty)
    return;
  if (run == NULL)
    text = g_strdup (_ ("No plan yet"));
  else if (decisions != NULL)
    text = g_strdup_printf (_ ("%s places everything at once. There is nothing to walk through."),
                            goban_run_get_name (run));
  else if (goban_session_get_undo_name (self->site.session) != NULL)
    text = g_strdup (_ ("You made this plan. Undo shows your edits."));
  else
    text = g_strdup (_ ("This plan has no record of decisions. There is nothing to walk through."));
  set_page_text (self->no_decisions, text);
}

static void
build_decision_pages (GobanBody *self)
{
  GtkWidget *card = gtk_toggle_button_new_with_label (_ ("Decision"));
  GtkWidget *record = gtk_toggle_button_new_with_label (_ ("Record"));

  self->decision_pages = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->decision_pages, "linked");
  gtk_widget_add_css_class (self->decision_pages, "pages");
  /* Lessons point at what is shown. */
  gtk_widget_set_name (card, "decisioncard");
  gtk_widget_set_name (record, "decisionrecord");
  gtk_box_set_homogeneous (GTK_BOX (self->decision_pages), TRUE);
  gtk_box_append (GTK_BOX (self->decision_pages), card);
  gtk_box_append (GTK_BOX (self->decision_pages), record);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (card), TRUE);
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (record), GTK_TOGGLE_BUTTON (card));
  goban_focus_group_make (self->decision_pages);
  g_signal_connect_object (card, "toggled", G_CALLBACK (update_decisions), self, G_CONNECT_SWAPPED);
}

/* Each widget of the window's content, with its place and the workspaces that show it. */
static void
mount (GobanBody *self)
{
  guint explore = GOBAN_IN (GOBAN_WORKSPACE_EXPLORE);
  guint compare = GOBAN_IN (GOBAN_WORKSPACE_COMPARE);
  guint script = GOBAN_IN (GOBAN_WORKSPACE_SCRIPT);
  guint train = GOBAN_IN (GOBAN_WORKSPACE_TRAIN);
  guint decisions = GOBAN_IN (GOBAN_WORKSPACE_DECISIONS);
  GobanControls *controls = goban_controls_of (G_OBJECT (self->site.session));
  struct
  {
    GobanSlot slot;
    GtkWidget *widget;
    guint workspaces;
  } mounts[] = {
    { GOBAN_SLOT_BOARD, GTK_WIDGET (self->start), explore | decisions | compare },
    { GOBAN_SLOT_BOARD, self->no_graph, train | script },
    { GOBAN_SLOT_BOARD, goban_explorer_get_board (self->explorer), GOBAN_IN_ALL & ~compare },
    { GOBAN_SLOT_BOARD, GTK_WIDGET (self->compare), compare },
    { GOBAN_SLOT_BOARD, self->no_pair, compare },
    { GOBAN_SLOT_LEFT, goban_explorer_get_left (self->explorer), explore },
    { GOBAN_SLOT_LEFT, self->no_training, train },
    { GOBAN_SLOT_LEFT, GTK_WIDGET (goban_lower_pane_get_training (self->lower)), train },
    { GOBAN_SLOT_LEFT, goban_lower_pane_get_new_training (self->lower), train },
    { GOBAN_SLOT_LEFT, GTK_WIDGET (goban_lower_pane_get_script (self->lower)), script },
    { GOBAN_SLOT_RIGHT, goban_explorer_get_right (self->explorer), explore },
    { GOBAN_SLOT_RIGHT, GTK_WIDGET (goban_compare_page_get_panels (self->compare)), compare },
    { GOBAN_SLOT_RIGHT, self->no_decisions, decisions },
    { GOBAN_SLOT_TOOLBAR, self->toolbar, explore },
    { GOBAN_SLOT_TIME, GTK_WIDGET (self->timeline), GOBAN_IN_ALL & ~compare },
    { GOBAN_SLOT_TIME, GTK_WIDGET (goban_compare_page_get_timeline (self->compare)), compare },
    { GOBAN_SLOT_RIGHT, self->decision_pages, decisions },
    { GOBAN_SLOT_RIGHT, GTK_WIDGET (goban_explorer_get_card (self->explorer)), decisions },
    { GOBAN_SLOT_RIGHT, GTK_WIDGET (goban_explorer_get_record (self->explorer)), decisions },
    { GOBAN_SLOT_PLAYER, GTK_WIDGET (goban_explorer_get_player (self->explorer)), decisions },
    { GOBAN_SLOT_PLAYER, goban_control_panel_new (controls), script },
    { GOBAN_SLOT_DRAWER, goban_lower_pane_get_widget (self->lower), GOBAN_IN_ALL },
    { GOBAN_SLOT_STATUS, GTK_WIDGET (self->site.status), GOBAN_IN_ALL },
  };

  self->frame = GOBAN_FRAME (goban_frame_new ());
  for (gsize i = 0; i < G_N_ELEMENTS (mounts); i++)
    goban_frame_mount (self->frame, mounts[i].slot, mounts[i].widget, mounts[i].workspaces);
  /* The record has the room that the card leaves. */
  gtk_widget_set_vexpand (GTK_WIDGET (goban_explorer_get_card (self->explorer)), FALSE);
  gtk_widget_set_vexpand (self->decision_pages, FALSE);
}

GobanFrame *
goban_body_get_frame (GobanBody *self)
{
  return self->frame;
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

/* --- what the slots show ---------------------------------------------------------------------- */

/* Compared lanes have no sub-rows that could be opened. */
static void
update_bars (GobanBody *self)
{
  GobanCluster *cluster = goban_session_get_cluster (self->site.session);
  int n = (int) MIN (goban_cluster_get_n_devices (cluster), MOST_PAIRS);
  GobanWorkspace workspace = goban_frame_get_workspace (self->frame);
  int least = AXIS_PIXELS + n * LEAST_PAIR_PIXELS;
  int usual = AXIS_PIXELS + n * PAIR_PIXELS;
  int rows = 0;

  if (workspace != GOBAN_WORKSPACE_COMPARE)
    goban_timeline_view_get_heights (self->timeline, workspace == GOBAN_WORKSPACE_EXPLORE, &least,
                                     &usual, &rows);
  goban_frame_set_bars (self->frame, least, usual, rows);
}

/* In a wide frame memory rows are open until people choose what is. */
static void
update_rows (GobanBody *self)
{
  if (self->has_chosen_rows || goban_session_get_current_run (self->site.session) == NULL)
    return;
  self->is_choosing_rows = TRUE;
  goban_view_set_lanes_open (view_of (self), GOBAN_LANES_MEMORY, goban_frame_is_wide (self->frame));
  self->is_choosing_rows = FALSE;
}

static void
lanes_changed_cb (GobanBody *self)
{
  self->has_chosen_rows |= !self->is_choosing_rows;
}

static void
update_empty_pages (GobanBody *self)
{
  gboolean has_graph = goban_session_get_graph (self->site.session) != NULL;
  gboolean has_training
      = goban_training_view_get_training (goban_lower_pane_get_training (self->lower)) != NULL;
  gboolean is_asking = gtk_widget_get_visible (goban_lower_pane_get_new_training (self->lower));

  update_decisions (self);
  gtk_widget_set_visible (self->no_pair, has_graph && !goban_compare_set_is_open (set_of (self)));
  gtk_widget_set_visible (self->no_training, !has_training && !is_asking);
  gtk_widget_set_visible (GTK_WIDGET (goban_lower_pane_get_training (self->lower)),
                          has_training && !is_asking);
}

/* In other workspaces the frame hides them: GTK 4.8 keeps, and leaks, a focus that is hidden
 * twice at once. */
static void
update_compared (GobanBody *self, gboolean is_compared)
{
  GtkWidget *parts[]
      = { GTK_WIDGET (self->compare), GTK_WIDGET (goban_compare_page_get_panels (self->compare)),
          GTK_WIDGET (goban_compare_page_get_timeline (self->compare)) };

  if (goban_frame_get_workspace (self->frame) != GOBAN_WORKSPACE_COMPARE)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    gtk_widget_set_visible (
        parts[i], is_compared && (i == 0 || !goban_compare_set_is_racing (set_of (self))));
}

/* Without a graph there is the start page; the time has nothing to say without a run. */
void
goban_body_update (GobanBody *self)
{
  gboolean has_graph = goban_session_get_graph (self->site.session) != NULL;
  gboolean has_run = goban_session_get_current_run (self->site.session) != NULL;
  gboolean is_compared = goban_compare_set_is_open (set_of (self));
  gboolean is_walked = goban_frame_get_workspace (self->frame) == GOBAN_WORKSPACE_DECISIONS;
  gboolean is_opened = has_graph && gtk_widget_get_mapped (GTK_WIDGET (self->start));

  gtk_widget_set_visible (GTK_WIDGET (self->start), !has_graph);
  gtk_widget_set_visible (self->no_graph, !has_graph);
  gtk_widget_set_visible (goban_explorer_get_board (self->explorer), has_graph);
  gtk_widget_set_visible (goban_explorer_get_left (self->explorer), has_graph);
  gtk_widget_set_visible (goban_explorer_get_right (self->explorer), has_graph);
  update_compared (self, is_compared);
  gtk_widget_set_visible (GTK_WIDGET (self->timeline), has_run);
  gtk_widget_set_visible (self->toolbar, has_run);
  update_rows (self);
  update_bars (self);
  update_empty_pages (self);
  goban_session_set_watching (self->site.session, is_walked);
  goban_graph_view_offer_follow (goban_explorer_get_graph (self->explorer), is_walked);
  goban_explorer_update (self->explorer);
  goban_lower_pane_update (self->lower);
  if (!is_compared && !goban_frame_is_open (self->frame, GOBAN_SLOT_TIME))
    goban_pictures_set_last (self->pictures,
                             GOBAN_PICTURE (goban_explorer_get_graph (self->explorer)));
  /* Return would press "Open" again. */
  if (is_opened)
    goban_pictures_grab_focus (self->pictures);
  goban_pictures_keep_focus (self->pictures);
}

/* Return presses the button of the start page. */
static void
start_mapped_cb (GobanBody *self)
{
  GtkWidget *button = goban_start_page_get_default (self->start);

  if (!gtk_widget_get_mapped (button) || !gtk_widget_is_sensitive (button))
    return;
  gtk_window_set_default_widget (GTK_WINDOW (self->site.window), button);
  gtk_widget_grab_focus (button);
}

static void
start_unmapped_cb (GobanBody *self)
{
  gtk_window_set_default_widget (GTK_WINDOW (self->site.window), NULL);
}

void
goban_body_set_evaluator (GobanBody *self, GobanConsoleEvaluator *evaluator)
{
  goban_lower_pane_set_evaluator (self->lower, evaluator);
  goban_body_update (self);
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
moment_changed_cb (GobanBody *self)
{
  goban_explorer_update (self->explorer);
}

static void
follow (GobanBody *self)
{
  const GobanLanes *lanes = goban_view_get_lanes (view_of (self));

  self->has_chosen_rows = lanes->is_strips || lanes->open[0] != NULL;
  g_signal_connect_object (view_of (self), "notify::lanes", G_CALLBACK (lanes_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (set_of (self), "notify::open", G_CALLBACK (page_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view_of (self), "notify::time", G_CALLBACK (moment_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->site.session, "notify::shown-run", G_CALLBACK (moment_changed_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (set_of (self), "notify::racing", G_CALLBACK (goban_body_update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (set_of (self), "notify::mode", G_CALLBACK (mode_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (goban_training_list_of (G_OBJECT (self->site.session)), "items-changed",
                           G_CALLBACK (update_empty_pages), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (goban_lower_pane_get_new_training (self->lower), "notify::visible",
                           G_CALLBACK (update_empty_pages), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->start, "map", G_CALLBACK (start_mapped_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (goban_start_page_get_default (self->start), "notify::sensitive",
                           G_CALLBACK (start_mapped_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->start, "unmap", G_CALLBACK (start_unmapped_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->timeline, "heights-changed", G_CALLBACK (update_bars), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->workspaces, "changed", G_CALLBACK (goban_body_update), self,
                           G_CONNECT_SWAPPED);
}

/* --- looks ------------------------------------------------------------------------------------ */

/* Without a moment, that of the start is shown. */
static void
show_moment (GobanBody *self, GVariant *parameter)
{
  if (goban_session_get_shown_run (self->site.session) == NULL)
    return;
  goban_site_activate (&self->site, "workspace", g_variant_new_string ("explore"));
  goban_site_set_toggle (&self->site, "right-pane", TRUE);
  if (isnan (goban_view_get_time_us (view_of (self))))
    goban_timeline_view_seek (self->timeline, -1);
  goban_explorer_show_moment (self->explorer);
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
  if (self->site.settings != NULL)
    goban_settings_set_boolean (self->site.settings, GOBAN_SETTING_DARK, dark);
}

static void
restore_rows (GobanBody *self, GobanSettings *settings)
{
  g_auto (GStrv) names = goban_settings_dup_names (settings, GOBAN_SETTING_TIMELINE_ROWS);
  GobanLanes lanes = *goban_view_get_lanes (view_of (self));

  if (g_strv_contains ((const char *const *) names, "auto"))
    return;
  lanes.open = (const char *const *) names;
  goban_view_set_lanes (view_of (self), &lanes);
  self->has_chosen_rows = TRUE;
}

void
goban_body_restore (GobanBody *self, GobanSettings *settings)
{
  goban_site_set_toggle (&self->site, GOBAN_SETTING_DARK,
                         goban_settings_get_boolean (settings, GOBAN_SETTING_DARK));
  goban_workspaces_restore (self->workspaces, settings);
  restore_rows (self, settings);
}

void
goban_body_remember (GobanBody *self, GobanSettings *settings)
{
  goban_workspaces_remember (self->workspaces, settings);
  if (self->has_chosen_rows)
    goban_settings_set_names (settings, GOBAN_SETTING_TIMELINE_ROWS,
                              goban_view_get_lanes (view_of (self))->open);
}

static const GobanCommand commands[] = {
  { "moment", G_CALLBACK (show_moment) },
  { "dark", G_CALLBACK (dark_changed) },
};

static void
goban_body_dispose (GObject *object)
{
  GobanBody *self = GOBAN_BODY (object);

  g_clear_object (&self->workspaces);
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
goban_body_new (const GobanSite *site, GtkWidget *cluster_button)
{
  GobanBody *self = g_object_new (GOBAN_TYPE_BODY, NULL);

  self->site = *site;
  build (self, cluster_button);
  build_empty_pages (self);
  build_decision_pages (self);
  mount (self);
  self->workspaces = goban_workspaces_new (site, self->frame, self->lower, self->pictures);
  follow (self);
  goban_theme_connect (GTK_WIDGET (self->frame), self, G_CALLBACK (apply_theme));
  apply_theme (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
