#include "ui/compare/compare-page.h"
#include "ui/graph/graph-view-follower.h"

#include "engine/core/i18n.h"
#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/compare-set.h"
#include "engine/session/preview.h"
#include "ui/compare/compare-ramps.h"
#include "ui/compare/race-bar.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

struct _GobanComparePage
{
  GtkWidget parent;

  GobanSession *session;
  GobanCompareSet *set; /* the session's */
  GobanGraphView *leader;
  GobanGraphScenes *scenes;
  GobanPreview *preview; /* the session's, borrowed */

  GtkWidget *box;
  GtkWidget *graphs; /* the panes', and the joint one below */
  GtkWidget *grid;
  GtkWidget *panes[GOBAN_COMPARE_MAX];
  GtkWidget *joint;
  GtkWidget *legend;
  GtkWidget *ramps;
  GtkWidget *race;
  GtkWidget *panels;      /* beside the page, */
  GtkWidget *timeline;    /* and below it */
  GobanGraphView *driver; /* the one whose camera the others take; one of ours */
  gboolean is_steering;   /* cameras are being copied */
  gboolean is_held;       /* the pair is shown the other way round */
};

G_DEFINE_FINAL_TYPE (GobanComparePage, goban_compare_page, GTK_TYPE_WIDGET)

static GobanGraphView *
view_of (GobanComparePage *self, guint i)
{
  return i < GOBAN_COMPARE_MAX ? goban_compare_pane_get_view (GOBAN_COMPARE_PANE (self->panes[i]))
                               : GOBAN_GRAPH_VIEW (self->joint);
}

static gboolean
is_joint (GobanComparePage *self)
{
  return goban_compare_set_get_mode (self->set) != GOBAN_COMPARE_SIDE
         && !goban_compare_set_has_two_graphs (self->set);
}

/* --- cameras -------------------------------------------------------------------------------- */

/* All panes show the part that @from shows, hidden ones too: they may be shown later. */
static void
steer (GobanComparePage *self, GobanGraphView *from)
{
  if (self->is_steering)
    return;

  self->is_steering = TRUE;
  for (guint i = 0; i <= GOBAN_COMPARE_MAX; i++)
    if (view_of (self, i) != from)
      goban_graph_view_look_like (view_of (self, i), from);
  self->is_steering = FALSE;
}

static gboolean
is_linked (GobanComparePage *self)
{
  return (goban_compare_set_get_sync (self->set) & GOBAN_SYNC_VIEW) != 0;
}

static void
camera_changed_cb (GobanGraphView *view, GobanComparePage *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (view)))
    return;

  self->driver = view;
  if (is_linked (self))
    steer (self, view);
}

/* The pane in which the user opened a group keeps its place, and the others follow. */
static void
follow_plot (GobanComparePage *self)
{
  GobanGraphView *driver = self->driver;

  self->is_steering = TRUE;
  for (guint i = 0; i <= GOBAN_COMPARE_MAX; i++)
    goban_graph_view_follow_plot (view_of (self, i));
  self->is_steering = FALSE;
  self->driver = driver;
  if (is_linked (self))
    steer (self, driver);
}

/* --- arrangement of panes -------------------------------------------------------------------- */

/* A grid of two by two for four, or else a row. Panes that are not shown share the first place: a
 * grid of equal columns would be as wide as with them. */
static void
place_panes (GobanComparePage *self, guint n)
{
  for (guint i = 0; i < GOBAN_COMPARE_MAX; i++)
    {
      gboolean is_square = n == 4 && !is_joint (self);
      int column = i >= n ? 0 : is_square ? (int) i % 2 : (int) i;
      int row = i < n && is_square ? (int) i / 2 : 0;
      GtkLayoutManager *manager = gtk_widget_get_layout_manager (self->grid);
      GtkGridLayoutChild *child
          = GTK_GRID_LAYOUT_CHILD (gtk_layout_manager_get_layout_child (manager, self->panes[i]));

      gtk_grid_layout_child_set_column (child, column);
      gtk_grid_layout_child_set_row (child, row);
    }
}

/* The run at a place of the set, or of the other one of the pair while that is held; in a race, as
 * far as it is decided. */
static GobanRun *
shown_at (GobanComparePage *self, guint i)
{
  GobanRun *raced = goban_race_bar_get_run (GOBAN_RACE_BAR (self->race), i);
  guint before, after;

  if (raced != NULL)
    return raced;

  if (self->is_held && goban_compare_set_get_pair (self->set, &before, &after))
    {
      if (i == before)
        i = after;
      else if (i == after)
        i = before;
    }
  return goban_compare_set_get_shown (self->set, i);
}

/* Marks of the pair's nodes, as the mode has them; of other plans there is nothing to mark. */
static void
show_changes (GobanComparePage *self, GobanGraphView *view, gboolean is_of_pair)
{
  GobanCompareMode mode = goban_compare_set_get_mode (self->set);
  GobanUnchanged unchanged = goban_compare_set_get_unchanged (self->set);
  GobanDifference *difference = is_of_pair ? goban_compare_set_get_difference (self->set) : NULL;
  GobanGraphMarks marks = { .difference = difference, .unchanged = unchanged };

  /* Keep the marks until another difference has been computed. */
  if (difference == NULL && is_of_pair && goban_compare_set_is_comparing (self->set))
    return;
  if (mode == GOBAN_COMPARE_DIFFERENCE && unchanged == GOBAN_UNCHANGED_SHOW)
    marks.unchanged = GOBAN_UNCHANGED_DIM;
  /* Blinking shows unchanged nodes by itself; pale colours would hide it. */
  if (mode == GOBAN_COMPARE_BLINK && unchanged == GOBAN_UNCHANGED_DIM)
    marks.unchanged = GOBAN_UNCHANGED_SHOW;
  if (mode == GOBAN_COMPARE_OVERLAY && difference != NULL
      && view == view_of (self, GOBAN_COMPARE_MAX))
    marks.other = difference->before;
  goban_graph_view_set_changes (view, &marks);
}

static void
describe_joint (GobanComparePage *self, GobanRun *before, GobanRun *after)
{
  static const char *const how[] = {
    [GOBAN_COMPARE_SIDE] = "beside",
    [GOBAN_COMPARE_OVERLAY] = "with, at the left of each node, the device by",
    [GOBAN_COMPARE_BLINK] = "in turns with",
    [GOBAN_COMPARE_DIFFERENCE] = "where it differs from",
  };
  g_autofree char *label
      = g_strdup_printf (_ ("Graph by %s, %s %s: %s"), goban_run_get_name (after),
                         how[goban_compare_set_get_mode (self->set)], goban_run_get_name (before),
                         goban_short_label_get_text (GOBAN_SHORT_LABEL (self->legend)));

  goban_set_accessible_label (self->joint, label);
}

/* How many nodes of two graphs have no partner. (transfer full) */
static char *
dup_counts (GobanComparePage *self, gboolean is_brief)
{
  GobanGraphMatching *matching = goban_compare_set_get_graph_matching (self->set);
  guint before = 0, after = 1;

  if (matching == NULL)
    return g_strdup ("");
  goban_compare_set_get_pair (self->set, &before, &after);
  return g_strdup_printf (
      is_brief ? "%u (%c), %u (%c)" : _ ("Marked: %u nodes in %c alone, %u in %c"),
      goban_graph_matching_count (matching, 0, GOBAN_MATCH_NONE), 'A' + (int) before,
      goban_graph_matching_count (matching, 1, GOBAN_MATCH_NONE), 'A' + (int) after);
}

/* (transfer full) */
static char *
dup_legend (GobanComparePage *self, gboolean has_pair, guint before, gboolean is_brief)
{
  if (!has_pair)
    return g_strdup (is_brief ? "" : _ ("Choose a second plan to compare with"));
  if (goban_compare_set_has_two_graphs (self->set))
    return dup_counts (self, is_brief);
  return goban_graph_view_dup_marks_legend (
      is_joint (self) ? view_of (self, GOBAN_COMPARE_MAX) : view_of (self, before), is_brief);
}

/* Numbers have room or are not there: a part of one is another number. */
static void
update_legend (GobanComparePage *self, gboolean has_pair, guint before)
{
  g_autofree char *text = dup_legend (self, has_pair, before, FALSE);
  g_autofree char *brief = dup_legend (self, has_pair, before, TRUE);

  goban_short_label_set_text (GOBAN_SHORT_LABEL (self->legend), text);
  goban_short_label_set_brief (GOBAN_SHORT_LABEL (self->legend), *brief != '\0' ? brief : NULL);
  goban_set_tooltip (self->legend, text);
}

/* A device there is another one than it is called. */
static const char *
find_refusal (GobanComparePage *self, guint i)
{
  return goban_compare_set_get_matching (self->set, i) != NULL
             ? _ ("Devices of this plan are shown under other names: to move nodes, turn off Match "
                  "devices")
             : NULL;
}

static gboolean
has_open_graph (GobanComparePage *self, guint i)
{
  return goban_run_get_graph (goban_compare_set_get_run (self->set, i))
         == goban_session_get_graph (self->session);
}

static void
update_panes (GobanComparePage *self)
{
  guint n = goban_compare_set_get_n_runs (self->set);
  guint before = 0, after = 0;
  gboolean has_pair = goban_compare_set_get_pair (self->set, &before, &after);
  gboolean joint = is_joint (self) && has_pair;
  gboolean is_selecting = (goban_compare_set_get_sync (self->set) & GOBAN_SYNC_SELECTION) != 0;
  gboolean is_timed = (goban_compare_set_get_sync (self->set) & GOBAN_SYNC_TIME) != 0;
  GobanRun *current = goban_session_get_current_run (self->session);

  place_panes (self, n);
  for (guint i = 0; i < GOBAN_COMPARE_MAX; i++)
    {
      gboolean is_raced = goban_race_bar_get_run (GOBAN_RACE_BAR (self->race), i) != NULL;
      gboolean is_of_pair = has_pair && !is_raced && (i == before || i == after);

      goban_compare_pane_update (GOBAN_COMPARE_PANE (self->panes[i]));
      goban_compare_pane_set_has_graph (GOBAN_COMPARE_PANE (self->panes[i]), !joint);
      gtk_widget_set_visible (self->panes[i], i < n && (!joint || i == before || i == after));
      if (i >= n)
        continue;
      goban_graph_view_set_run (view_of (self, i),
                                has_open_graph (self, i) ? shown_at (self, i) : NULL);
      goban_graph_view_set_refusal (view_of (self, i), find_refusal (self, i));
      show_changes (self, view_of (self, i), is_of_pair);
      goban_graph_view_set_shows (view_of (self, i),
                                  is_selecting || view_of (self, i) == self->driver,
                                  is_timed || goban_compare_set_get_run (self->set, i) == current);
    }
  gtk_widget_set_visible (self->joint, joint);
  gtk_widget_set_vexpand (self->grid, !joint);
  goban_graph_view_set_run (view_of (self, GOBAN_COMPARE_MAX),
                            joint ? shown_at (self, after) : NULL);
  /* A node there is of two plans, and a hand cannot say which it means. */
  goban_graph_view_set_refusal (
      view_of (self, GOBAN_COMPARE_MAX),
      goban_compare_set_get_mode (self->set) == GOBAN_COMPARE_BLINK
          ? find_refusal (self, after)
          : _ ("Nodes here are of two plans: to move them, compare side by side or by blinking"));
  show_changes (self, view_of (self, GOBAN_COMPARE_MAX), has_pair);
  update_legend (self, has_pair, before);
  if (has_pair)
    describe_joint (self, goban_compare_set_get_run (self->set, before),
                    goban_compare_set_get_run (self->set, after));
}

/* What the colours mean: of the scenes, which are filled in a worker. */
static void
update_ramps (GobanComparePage *self)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  GobanFill fill
      = goban_fill_of_color (goban_view_get_color (goban_session_get_view (self->session)));

  for (guint i = 0; i < goban_compare_set_get_n_runs (self->set)
                    && (fill == GOBAN_FILL_METRIC || fill == GOBAN_FILL_PRIORITY);
       i++)
    {
      GobanRunScene *shown = goban_graph_scenes_get (self->scenes, shown_at (self, i));

      g_ptr_array_add (values, shown != NULL ? shown->scene->values : NULL);
    }
  goban_compare_ramps_show (GOBAN_COMPARE_RAMPS (self->ramps), values,
                            goban_compare_set_get_own_scales (self->set));
}

/* --- scenes --------------------------------------------------------------------------------- */

/* (transfer full): all that is compared, and what a change that is tried would give of one. */
static GPtrArray *
list_runs (GobanComparePage *self)
{
  const GobanEdit *edit = goban_preview_get_edit (self->preview);
  GobanRun *tried = goban_preview_get_run (self->preview);
  GPtrArray *runs = goban_run_array_new ();

  for (guint i = 0; i < goban_compare_set_get_n_runs (self->set); i++)
    if (has_open_graph (self, i))
      g_ptr_array_add (runs, goban_run_ref (shown_at (self, i)));
  if (edit != NULL && tried != NULL && goban_compare_set_find (self->set, edit->base) >= 0
      && goban_compare_set_find (self->set, tried) < 0)
    g_ptr_array_add (runs, goban_run_ref (tried));
  return runs;
}

/* Requests all visible scenes; FALSE if there is no layout yet. */
static gboolean
want_scenes (GobanComparePage *self)
{
  g_autoptr (GPtrArray) runs = list_runs (self);
  GobanScenesWish wish = { .runs = runs,
                           .plot = goban_graph_view_get_plot (self->leader),
                           .difference = goban_compare_set_get_difference (self->set),
                           .has_own_scales = goban_compare_set_get_own_scales (self->set) };

  if (wish.plot == NULL)
    return FALSE;
  goban_graph_scenes_want (self->scenes, &wish);
  return TRUE;
}

gboolean
goban_compare_page_is_busy (GobanComparePage *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_PAGE (self), FALSE);

  return goban_compare_set_is_open (self->set)
         && (goban_graph_scenes_is_busy (self->scenes) || goban_compare_set_is_comparing (self->set)
             || goban_compare_timeline_is_busy (GOBAN_COMPARE_TIMELINE (self->timeline)));
}

static void
update_panels (GobanComparePage *self)
{
  goban_compare_panels_set_waiting (GOBAN_COMPARE_PANELS (self->panels),
                                    goban_compare_page_is_busy (self));
}

/* A closed comparison costs nothing. */
static void
update (GobanComparePage *self)
{
  if (!goban_compare_set_is_open (self->set))
    return;

  update_panes (self);
  want_scenes (self);
  update_ramps (self);
  update_panels (self);
}

/* All views go on together. */
static void
scenes_ready (gpointer user_data)
{
  GobanComparePage *self = user_data;
  guint before = 0, after = 0;

  if (goban_graph_scenes_get_plot (self->scenes) != goban_graph_view_get_plot (self->leader))
    return;

  follow_plot (self);
  for (guint i = 0; i <= GOBAN_COMPARE_MAX; i++)
    goban_graph_view_scenes_changed (view_of (self, i));
  update_legend (self, goban_compare_set_get_pair (self->set, &before, &after), before);
  update_ramps (self);
  update_panels (self);
}

/* Views switch the layout together with their new scenes (scenes_ready()); if no scenes can be
 * requested, they do so at once. */
static void
plot_changed_cb (GobanComparePage *self)
{
  if (!goban_compare_set_is_open (self->set) || !want_scenes (self))
    follow_plot (self);
}

static void
preview_changed_cb (GobanComparePage *self)
{
  if (goban_compare_set_is_open (self->set))
    want_scenes (self);
}

static void
sync_changed_cb (GobanComparePage *self)
{
  if (is_linked (self))
    steer (self, self->driver);
  update (self);
}

static void
open_changed_cb (GobanComparePage *self)
{
  self->is_held = FALSE;
  follow_plot (self);
  update (self);
}

/* --- blinking ------------------------------------------------------------------------------- */

void
goban_compare_page_blink (GobanComparePage *self, gboolean is_held)
{
  g_return_if_fail (GOBAN_IS_COMPARE_PAGE (self));

  if (self->is_held == is_held)
    return;

  self->is_held = is_held;
  update (self);
}

/* B in any mode; Space too in BLINK, because it starts playback elsewhere. Not in text, nor on
 * buttons. */
static gboolean
is_blink_key (GobanComparePage *self, guint keyval, GdkModifierType modifiers)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (!GOBAN_IS_PICTURE (focus) || (modifiers & gtk_accelerator_get_default_mod_mask ()) != 0)
    return FALSE;
  return gdk_keyval_to_lower (keyval) == GDK_KEY_b
         || (keyval == GDK_KEY_space
             && goban_compare_set_get_mode (self->set) == GOBAN_COMPARE_BLINK);
}

static gboolean
pressed_cb (GtkEventControllerKey *keys, guint keyval, guint keycode, GdkModifierType modifiers,
            GobanComparePage *self)
{
  if (!is_blink_key (self, keyval, modifiers))
    return GDK_EVENT_PROPAGATE;

  goban_compare_page_blink (self, TRUE);
  return GDK_EVENT_STOP;
}

static void
released_cb (GtkEventControllerKey *keys, guint keyval, guint keycode, GdkModifierType modifiers,
             GobanComparePage *self)
{
  goban_compare_page_blink (self, FALSE);
}

static void
watch_keys (GobanComparePage *self, GtkWidget *widget)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (pressed_cb), self, 0);
  g_signal_connect_object (keys, "key-released", G_CALLBACK (released_cb), self, 0);
  gtk_widget_add_controller (widget, keys);
}

static void
hint_cb (GobanComparePage *self, const char *text)
{
  g_signal_emit_by_name (self, "hint", text);
}

static void
focus_cb (GobanGraphView *view, GParamSpec *pspec, GobanComparePage *self)
{
  if (!gtk_widget_has_focus (GTK_WIDGET (view)) || self->driver == view)
    return;

  self->driver = view;
  if ((goban_compare_set_get_sync (self->set) & GOBAN_SYNC_SELECTION) == 0)
    update (self);
}

static void
watch_view (GobanComparePage *self, GobanGraphView *view)
{
  g_signal_connect_object (view, "camera-changed", G_CALLBACK (camera_changed_cb), self, 0);
  g_signal_connect_object (view, "notify::has-focus", G_CALLBACK (focus_cb), self, 0);
  GOBAN_CONNECT (view, "hint", hint_cb, self);
}

static void
build_panes (GobanComparePage *self)
{
  for (guint i = 0; i < GOBAN_COMPARE_MAX; i++)
    {
      self->panes[i] = goban_compare_pane_new (self->session, self->leader, self->scenes, i);
      gtk_grid_attach (GTK_GRID (self->grid), self->panes[i], (int) i, 0, 1, 1);
    }
  self->joint = goban_graph_view_new_follower (self->leader, self->scenes);
  gtk_widget_set_vexpand (self->joint, TRUE);
  gtk_widget_set_size_request (self->joint, 160, 90);
  gtk_box_append (GTK_BOX (self->graphs), self->joint);
  self->driver = view_of (self, 0);
  for (guint i = 0; i <= GOBAN_COMPARE_MAX; i++)
    watch_view (self, view_of (self, i));
}

static void
build (GobanComparePage *self)
{
  GtkBox *box = GTK_BOX (self->box);

  gtk_box_prepend (box, goban_compare_bar_new (self->session, &self->legend));
  build_panes (self);
  self->race = goban_race_bar_new (self->set);
  GOBAN_CONNECT (self->race, "changed", update, self);
  gtk_box_append (box, self->race);
  self->ramps = goban_compare_ramps_new (GOBAN_PICTURE (self->joint));
  gtk_box_append (box, self->ramps);
  self->panels = g_object_ref_sink (goban_compare_panels_new (self->session));
  self->timeline = g_object_ref_sink (goban_compare_timeline_new (self->session));
  GOBAN_CONNECT (self->timeline, "hint", hint_cb, self);
  GOBAN_CONNECT (self->timeline, "lanes-changed", update_panels, self);
}

static void
goban_compare_page_dispose (GObject *object)
{
  GobanComparePage *self = GOBAN_COMPARE_PAGE (object);

  /* Handlers are disconnected first, so that signals during disposal are ignored. */
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->timeline, self);
      g_signal_handlers_disconnect_by_data (self->leader, self);
      g_signal_handlers_disconnect_by_data (self->set, self);
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (self->preview, self);
      g_signal_handlers_disconnect_by_data (goban_session_get_view (self->session), self);
    }
  if (self->scenes != NULL)
    goban_graph_scenes_stop (self->scenes);
  goban_remove_children (GTK_WIDGET (self));
  g_clear_pointer (&self->scenes, goban_graph_scenes_unref);
  g_clear_object (&self->panels);
  g_clear_object (&self->timeline);
  g_clear_object (&self->leader);
  g_clear_object (&self->set);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (goban_compare_page_parent_class)->dispose (object);
}

static void
goban_compare_page_class_init (GobanComparePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_compare_page_dispose;
  gtk_widget_class_set_css_name (widget_class, "comparepage");
  goban_template_set (widget_class, "compare/compare-page.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanComparePage, box, graphs, grid);
  goban_signal_add (klass, "hint", 1, G_TYPE_STRING);
}

static void
goban_compare_page_init (GobanComparePage *self)
{
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_compare_page_new (GobanSession *session, GobanGraphView *leader)
{
  GobanComparePage *self = g_object_new (GOBAN_TYPE_COMPARE_PAGE, NULL);

  self->session = g_object_ref (session);
  self->set = g_object_ref (goban_session_get_compare_set (session));
  self->leader = g_object_ref (leader);
  self->preview = goban_preview_of (session);
  self->scenes = goban_graph_scenes_new (session, scenes_ready, self);
  build (self);
  watch_keys (self, GTK_WIDGET (self));
  watch_keys (self, self->timeline);
  GOBAN_CONNECT (self->set, "notify::open", open_changed_cb, self);
  GOBAN_CONNECT (self->set, "notify::runs", update, self);
  GOBAN_CONNECT (self->set, "notify::pair", update, self);
  GOBAN_CONNECT (self->set, "notify::mode", update, self);
  GOBAN_CONNECT (self->set, "notify::unchanged", update, self);
  GOBAN_CONNECT (self->set, "notify::sync", sync_changed_cb, self);
  GOBAN_CONNECT (self->set, "notify::difference", update, self);
  GOBAN_CONNECT (self->set, "notify::scales", update, self);
  GOBAN_CONNECT (self->set, "notify::racing", update, self);
  GOBAN_CONNECT (session, "notify::current-run", update, self);
  GOBAN_CONNECT (goban_session_get_view (session), "notify::color", update, self);
  GOBAN_CONNECT (self->preview, "changed", preview_changed_cb, self);
  GOBAN_CONNECT (leader, "plot-changed", plot_changed_cb, self);
  update (self);
  return GTK_WIDGET (self);
}

gboolean
goban_compare_page_race (GobanComparePage *self, gboolean is_racing)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_PAGE (self), FALSE);

  if (gtk_widget_get_visible (self->race) == is_racing)
    return FALSE;
  if (is_racing)
    goban_compare_set_set_mode (self->set, GOBAN_COMPARE_SIDE);
  goban_race_bar_race (GOBAN_RACE_BAR (self->race), is_racing);
  return TRUE;
}

gboolean
goban_compare_page_toggle_race (GobanComparePage *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_PAGE (self), FALSE);

  if (!gtk_widget_get_visible (self->race))
    return FALSE;
  goban_race_bar_toggle (GOBAN_RACE_BAR (self->race));
  return TRUE;
}

gboolean
goban_compare_page_is_undecided (GobanComparePage *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_PAGE (self), FALSE);

  return gtk_widget_get_visible (self->race)
         && goban_race_bar_get_fraction (GOBAN_RACE_BAR (self->race)) < 1;
}

GPtrArray *
goban_compare_page_list_pictures (GobanComparePage *self)
{
  GPtrArray *pictures = g_ptr_array_new ();

  for (guint i = 0; i <= GOBAN_COMPARE_MAX; i++)
    g_ptr_array_add (pictures, view_of (self, i));
  g_ptr_array_add (pictures, self->timeline);
  return pictures;
}

GobanComparePane *
goban_compare_page_get_pane (GobanComparePage *self, guint i)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_PAGE (self) && i < GOBAN_COMPARE_MAX, NULL);

  return GOBAN_COMPARE_PANE (self->panes[i]);
}

GobanGraphView *
goban_compare_page_get_joint (GobanComparePage *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_PAGE (self), NULL);

  return GOBAN_GRAPH_VIEW (self->joint);
}

GobanCompareTimeline *
goban_compare_page_get_timeline (GobanComparePage *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_PAGE (self), NULL);

  return GOBAN_COMPARE_TIMELINE (self->timeline);
}

GobanComparePanels *
goban_compare_page_get_panels (GobanComparePage *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_PAGE (self), NULL);

  return GOBAN_COMPARE_PANELS (self->panels);
}
