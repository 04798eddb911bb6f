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
#include "ui/widgets/signals.h"
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
  GobanBodyParts parts;
  GobanWorkspaces *workspaces;
  GobanTimelineView *timeline;
  GtkWidget *toolbar;        /* of the time */
  gboolean has_chosen_rows;  /* people, scripts or documents have: the time's rows stay so */
  gboolean is_choosing_rows; /* we do */
  /* Pages of workspaces without content. */
  GtkWidget *decision_pages; /* the card or the record, where both have no room */
  GtkWidget *no_decisions;
  GtkWidget *no_pair;
  GtkWidget *no_graph;
  GtkWidget *no_training;
};

GOBAN_DEFINE_PART (GobanBody, goban_body)

const GobanBodyParts *
goban_body_get_parts (GobanBody *self)
{
  return &self->parts;
}

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
  self->parts.start = GOBAN_START_PAGE (goban_start_page_new ());
  self->parts.explorer = goban_explorer_new (&self->site);
  self->parts.compare = GOBAN_COMPARE_PAGE (goban_compare_page_new (
      self->site.session, goban_explorer_get_parts (self->parts.explorer)->graph));
  self->timeline = GOBAN_TIMELINE_VIEW (goban_timeline_view_new (self->site.session));
  goban_explorer_connect_timeline (self->parts.explorer, self->timeline);
  self->toolbar = goban_transport_bar_new (self->site.session, self->timeline);
  goban_transport_bar_set_start (GOBAN_TRANSPORT_BAR (self->toolbar), cluster_button);
  /* Lessons point at them by name. */
  gtk_widget_set_name (goban_explorer_get_parts (self->parts.explorer)->board, "board");
  gtk_widget_set_name (GTK_WIDGET (goban_explorer_get_parts (self->parts.explorer)->graph),
                       "graph");
  gtk_widget_set_name (GTK_WIDGET (self->timeline), "timeline");
  self->parts.lower = goban_lower_pane_new (&self->site);
  self->parts.pictures
      = goban_pictures_new (&self->site, goban_explorer_get_parts (self->parts.explorer)->graph,
                            self->timeline, self->parts.compare);
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
  gboolean has_pages = !is_empty && has_graph && goban_frame_is_narrow (self->parts.frame);
  gboolean is_card = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (card));
  g_autofree char *text = NULL;

  goban_decision_card_set_narrow (goban_explorer_get_parts (self->parts.explorer)->card, has_pages);
  gtk_widget_set_visible (self->no_decisions, is_empty);
  gtk_widget_set_visible (self->decision_pages, has_pages);
  gtk_widget_set_visible (GTK_WIDGET (goban_explorer_get_parts (self->parts.explorer)->card),
                          !is_empty && (is_card || !has_pages));
  gtk_widget_set_visible (GTK_WIDGET (goban_explorer_get_parts (self->parts.explorer)->record),
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
  GOBAN_CONNECT (card, "toggled", update_decisions, self);
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
    { GOBAN_SLOT_BOARD, GTK_WIDGET (self->parts.start), explore | decisions | compare },
    { GOBAN_SLOT_BOARD, self->no_graph, train | script },
    { GOBAN_SLOT_BOARD, goban_explorer_get_parts (self->parts.explorer)->board,
      GOBAN_IN_ALL & ~compare },
    { GOBAN_SLOT_BOARD, GTK_WIDGET (self->parts.compare), compare },
    { GOBAN_SLOT_BOARD, self->no_pair, compare },
    { GOBAN_SLOT_LEFT, goban_explorer_get_parts (self->parts.explorer)->left, explore },
    { GOBAN_SLOT_LEFT, self->no_training, train },
    { GOBAN_SLOT_LEFT, GTK_WIDGET (goban_lower_pane_get_parts (self->parts.lower)->training),
      train },
    { GOBAN_SLOT_LEFT, goban_lower_pane_get_parts (self->parts.lower)->new_training, train },
    { GOBAN_SLOT_LEFT, GTK_WIDGET (goban_lower_pane_get_parts (self->parts.lower)->script),
      script },
    { GOBAN_SLOT_RIGHT, goban_explorer_get_parts (self->parts.explorer)->right, explore },
    { GOBAN_SLOT_RIGHT, GTK_WIDGET (goban_compare_page_get_panels (self->parts.compare)), compare },
    { GOBAN_SLOT_RIGHT, self->no_decisions, decisions },
    { GOBAN_SLOT_TOOLBAR, self->toolbar, explore },
    { GOBAN_SLOT_TIME, GTK_WIDGET (self->timeline), GOBAN_IN_ALL & ~compare },
    { GOBAN_SLOT_TIME, GTK_WIDGET (goban_compare_page_get_timeline (self->parts.compare)),
      compare },
    { GOBAN_SLOT_RIGHT, self->decision_pages, decisions },
    { GOBAN_SLOT_RIGHT, GTK_WIDGET (goban_explorer_get_parts (self->parts.explorer)->card),
      decisions },
    { GOBAN_SLOT_RIGHT, GTK_WIDGET (goban_explorer_get_parts (self->parts.explorer)->record),
      decisions },
    { GOBAN_SLOT_PLAYER, GTK_WIDGET (goban_explorer_get_parts (self->parts.explorer)->player),
      decisions },
    { GOBAN_SLOT_PLAYER, goban_control_panel_new (controls), script },
    { GOBAN_SLOT_DRAWER, goban_lower_pane_get_parts (self->parts.lower)->box, GOBAN_IN_ALL },
    { GOBAN_SLOT_STATUS, GTK_WIDGET (self->site.status), GOBAN_IN_ALL },
  };

  self->parts.frame = GOBAN_FRAME (goban_frame_new ());
  for (gsize i = 0; i < G_N_ELEMENTS (mounts); i++)
    goban_frame_mount (self->parts.frame, mounts[i].slot, mounts[i].widget, mounts[i].workspaces);
  /* The record has the room that the card leaves. */
  gtk_widget_set_vexpand (GTK_WIDGET (goban_explorer_get_parts (self->parts.explorer)->card),
                          FALSE);
  gtk_widget_set_vexpand (self->decision_pages, FALSE);
}

/* --- what the slots show ---------------------------------------------------------------------- */

/* Compared lanes have no sub-rows that could be opened. */
static void
update_bars (GobanBody *self)
{
  GobanCluster *cluster = goban_session_get_cluster (self->site.session);
  int n = (int) MIN (goban_cluster_get_n_devices (cluster), MOST_PAIRS);
  GobanWorkspace workspace = goban_frame_get_workspace (self->parts.frame);
  int least = AXIS_PIXELS + n * LEAST_PAIR_PIXELS;
  int usual = AXIS_PIXELS + n * PAIR_PIXELS;
  int rows = 0;

  if (workspace != GOBAN_WORKSPACE_COMPARE)
    goban_timeline_view_get_heights (self->timeline, workspace == GOBAN_WORKSPACE_EXPLORE, &least,
                                     &usual, &rows);
  goban_frame_set_bars (self->parts.frame, least, usual, rows);
}

/* In a wide frame memory rows are open until people choose what is. */
static void
update_rows (GobanBody *self)
{
  if (self->has_chosen_rows || goban_session_get_current_run (self->site.session) == NULL)
    return;
  self->is_choosing_rows = TRUE;
  goban_view_set_lanes_open (view_of (self), GOBAN_LANES_MEMORY,
                             goban_frame_is_wide (self->parts.frame));
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
      = goban_training_view_get_training (goban_lower_pane_get_parts (self->parts.lower)->training)
        != NULL;
  gboolean is_asking
      = gtk_widget_get_visible (goban_lower_pane_get_parts (self->parts.lower)->new_training);

  update_decisions (self);
  gtk_widget_set_visible (self->no_pair, has_graph && !goban_compare_set_is_open (set_of (self)));
  gtk_widget_set_visible (self->no_training, !has_training && !is_asking);
  gtk_widget_set_visible (GTK_WIDGET (goban_lower_pane_get_parts (self->parts.lower)->training),
                          has_training && !is_asking);
}

/* In other workspaces the frame hides them: GTK 4.8 keeps, and leaks, a focus that is hidden
 * twice at once. */
static void
update_compared (GobanBody *self, gboolean is_compared)
{
  GtkWidget *parts[] = { GTK_WIDGET (self->parts.compare),
                         GTK_WIDGET (goban_compare_page_get_panels (self->parts.compare)),
                         GTK_WIDGET (goban_compare_page_get_timeline (self->parts.compare)) };

  if (goban_frame_get_workspace (self->parts.frame) != GOBAN_WORKSPACE_COMPARE)
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
  gboolean is_walked = goban_frame_get_workspace (self->parts.frame) == GOBAN_WORKSPACE_DECISIONS;
  gboolean is_opened = has_graph && gtk_widget_get_mapped (GTK_WIDGET (self->parts.start));

  gtk_widget_set_visible (GTK_WIDGET (self->parts.start), !has_graph);
  gtk_widget_set_visible (self->no_graph, !has_graph);
  gtk_widget_set_visible (goban_explorer_get_parts (self->parts.explorer)->board, has_graph);
  gtk_widget_set_visible (goban_explorer_get_parts (self->parts.explorer)->left, has_graph);
  gtk_widget_set_visible (goban_explorer_get_parts (self->parts.explorer)->right, has_graph);
  update_compared (self, is_compared);
  gtk_widget_set_visible (GTK_WIDGET (self->timeline), has_run);
  gtk_widget_set_visible (self->toolbar, has_run);
  update_rows (self);
  update_bars (self);
  update_empty_pages (self);
  goban_session_set_watching (self->site.session, is_walked);
  goban_graph_view_offer_follow (goban_explorer_get_parts (self->parts.explorer)->graph, is_walked);
  goban_explorer_update (self->parts.explorer);
  goban_lower_pane_update (self->parts.lower);
  if (!is_compared && !goban_frame_is_open (self->parts.frame, GOBAN_SLOT_TIME))
    goban_pictures_set_last (
        self->parts.pictures,
        GOBAN_PICTURE (goban_explorer_get_parts (self->parts.explorer)->graph));
  /* Return would press "Open" again. */
  if (is_opened)
    goban_pictures_grab_focus (self->parts.pictures);
  goban_pictures_keep_focus (self->parts.pictures);
}

/* Return presses the button of the start page. */
static void
start_mapped_cb (GobanBody *self)
{
  GtkWidget *button = goban_start_page_get_default (self->parts.start);

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
  goban_lower_pane_set_evaluator (self->parts.lower, evaluator);
  goban_body_update (self);
}

static void
page_changed_cb (GobanBody *self)
{
  GobanGraphView *view = goban_explorer_get_parts (self->parts.explorer)->graph;

  if (goban_compare_set_is_open (set_of (self)))
    view = goban_compare_set_get_mode (set_of (self)) == GOBAN_COMPARE_SIDE
               ? goban_compare_pane_get_view (goban_compare_page_get_pane (self->parts.compare, 0))
               : goban_compare_page_get_joint (self->parts.compare);
  goban_pictures_set_last (self->parts.pictures, GOBAN_PICTURE (view));
  goban_body_update (self);
  goban_pictures_grab_focus (self->parts.pictures);
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
  goban_explorer_update (self->parts.explorer);
}

static void
follow (GobanBody *self)
{
  const GobanLanes *lanes = goban_view_get_lanes (view_of (self));

  self->has_chosen_rows = lanes->is_strips || lanes->open[0] != NULL;
  GOBAN_CONNECT (view_of (self), "notify::lanes", lanes_changed_cb, self);
  GOBAN_CONNECT (set_of (self), "notify::open", page_changed_cb, self);
  GOBAN_CONNECT (view_of (self), "notify::time", moment_changed_cb, self);
  GOBAN_CONNECT (self->site.session, "notify::shown-run", moment_changed_cb, self);
  GOBAN_CONNECT (set_of (self), "notify::racing", goban_body_update, self);
  GOBAN_CONNECT (set_of (self), "notify::mode", mode_changed_cb, self);
  g_signal_connect_object (goban_training_list_of (G_OBJECT (self->site.session)), "items-changed",
                           G_CALLBACK (update_empty_pages), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  GOBAN_CONNECT (goban_lower_pane_get_parts (self->parts.lower)->new_training, "notify::visible",
                 update_empty_pages, self);
  g_signal_connect_object (self->parts.start, "map", G_CALLBACK (start_mapped_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  GOBAN_CONNECT (goban_start_page_get_default (self->parts.start), "notify::sensitive",
                 start_mapped_cb, self);
  GOBAN_CONNECT (self->parts.start, "unmap", start_unmapped_cb, self);
  GOBAN_CONNECT (self->timeline, "heights-changed", update_bars, self);
  GOBAN_CONNECT (self->workspaces, "changed", goban_body_update, self);
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
  goban_explorer_show_moment (self->parts.explorer);
}

static void
apply_theme (GobanBody *self)
{
  GobanTheme theme = goban_theme_of (GTK_WIDGET (self->site.window));

  goban_pictures_set_theme (self->parts.pictures, theme);
  goban_explorer_set_theme (self->parts.explorer, theme);
  goban_console_view_set_theme (goban_lower_pane_get_parts (self->parts.lower)->console, theme);
  goban_training_view_set_theme (goban_lower_pane_get_parts (self->parts.lower)->training, theme);
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
goban_body_clear (GobanBody *self)
{
  g_clear_object (&self->workspaces);
  g_clear_object (&self->parts.pictures);
  g_clear_object (&self->parts.lower);
  g_clear_object (&self->parts.explorer);
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
  self->workspaces
      = goban_workspaces_new (site, self->parts.frame, self->parts.lower, self->parts.pictures);
  follow (self);
  goban_theme_connect (GTK_WIDGET (self->parts.frame), self, G_CALLBACK (apply_theme));
  apply_theme (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
