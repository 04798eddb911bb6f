/* Decision U19 (ui/NOTES.md). */
#include "ui/commands/commands-private.h"

#include "engine/core/i18n.h"
#include "engine/session/chosen-folders.h"
#include "engine/session/compare-looks.h"
#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/edit.h"
#include "engine/session/navigation.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-history.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/session/view.h"
#include "engine/study/analysis/coloring.h"
#include "ui/frame/explorer.h"
#include "ui/panels/place-menu.h"
#include "ui/widgets/signals.h"

GOBAN_DEFINE_PART (GobanCommands, goban_commands)

/* --- visited places --------------------------------------------------------------------------- */

static GobanView *
view_of (GobanCommands *self)
{
  return goban_session_get_view (self->site.session);
}

static void
update_places (GobanCommands *self)
{
  GobanNavigation *places = goban_view_get_places (view_of (self));
  static const char *const back[] = { "back", NULL };
  static const char *const forward[] = { "forward", NULL };

  goban_site_set_enabled (&self->site, back, goban_navigation_can_step (places, -1));
  goban_site_set_enabled (&self->site, forward, goban_navigation_can_step (places, 1));
}

static void
visit_cb (GobanCommands *self)
{
  if (goban_session_get_graph (self->site.session) != NULL)
    goban_navigation_visit (goban_view_get_places (view_of (self)),
                            goban_session_get_selection (self->site.session),
                            goban_view_get_viewport (view_of (self)));
  update_places (self);
}

static void
go_to_place (GobanCommands *self, int steps)
{
  const GobanPlace *place = goban_navigation_step (goban_view_get_places (view_of (self)), steps);
  g_autoptr (GobanSelection) selection = NULL;
  GobanViewport viewport;

  if (place == NULL)
    return;
  /* Copied, because a change of the selection updates the place's visible part. */
  viewport = place->viewport;
  selection = goban_selection_ref (place->selection);
  goban_session_set_selection (self->site.session, selection);
  goban_view_go_to_viewport (view_of (self), &viewport);
  update_places (self);
}

static void
back (GobanCommands *self, GVariant *parameter)
{
  go_to_place (self, -1);
}

static void
forward (GobanCommands *self, GVariant *parameter)
{
  go_to_place (self, 1);
}

static void
store_view (GobanCommands *self, GVariant *parameter)
{
  gint32 number = g_variant_get_int32 (parameter);

  if (number < 1 || number > GOBAN_BOOKMARKS)
    return;
  goban_view_snapshot (view_of (self), (guint) number);
  goban_site_hint (&self->site, _ ("This view is kept as %d: press %d in a picture to come back"),
                   number, number);
}

static void
recall_view (GobanCommands *self, GVariant *parameter)
{
  gint32 number = g_variant_get_int32 (parameter);

  if (number < 1 || number > GOBAN_BOOKMARKS)
    return;
  if (goban_view_recall (view_of (self), (guint) number))
    goban_site_hint (&self->site, _ ("View %d"), number);
  else
    goban_site_hint (&self->site, _ ("No view is kept as %d: Ctrl+Alt+%d keeps the one in sight"),
                     number, number);
}

static const GobanCommand navigation[] = {
  { "back", G_CALLBACK (back) },
  { "forward", G_CALLBACK (forward) },
  { "store-view", G_CALLBACK (store_view) },
  { "recall-view", G_CALLBACK (recall_view) },
};

/* --- edits of the selection, and undo --------------------------------------------------------- */

/* An edit of the selection; NULL, with a notice, if there is nothing to change. (transfer full) */
static GobanEdit *
new_edit (GobanCommands *self, GobanEditKind kind)
{
  if (goban_session_get_current_run (self->site.session) == NULL)
    {
      goban_session_say (self->site.session, FALSE,
                         "There is no plan to change: place the graph first");
      return NULL;
    }
  if (!goban_site_has_selection (&self->site))
    {
      goban_session_say (self->site.session, FALSE, "Select what to change first");
      return NULL;
    }
  return goban_edit_new (self->site.session, kind,
                         goban_session_get_selection (self->site.session));
}

static void
move_selection (GobanCommands *self, GVariant *parameter)
{
  g_autoptr (GobanEdit) edit = new_edit (self, GOBAN_EDIT_MOVE);
  gint32 device = g_variant_get_int32 (parameter);
  GobanCluster *cluster;
  guint n;

  if (edit == NULL)
    return;

  cluster = goban_run_get_cluster (edit->base);
  n = goban_cluster_get_n_devices (cluster);
  if (device < 0 || (guint) device >= n)
    {
      goban_session_say (self->site.session, FALSE, "There is no device %d: %s has 0 to %u", device,
                         goban_cluster_get_name (cluster), n - 1);
      return;
    }
  edit->device = (GobanDeviceId) device;
  goban_session_edit_async (self->site.session, edit, NULL, NULL, NULL);
}

static void
change_urgency (GobanCommands *self, GVariant *parameter)
{
  g_autoptr (GobanEdit) edit = new_edit (self, GOBAN_EDIT_URGENCY);

  if (edit == NULL)
    return;

  edit->priority = g_variant_get_int32 (parameter);
  goban_session_edit_async (self->site.session, edit, NULL, NULL, NULL);
}

static void
fuse (GobanCommands *self, GVariant *parameter)
{
  g_autoptr (GobanEdit) edit
      = new_edit (self, g_variant_get_boolean (parameter) ? GOBAN_EDIT_FUSE : GOBAN_EDIT_UNFUSE);

  if (edit != NULL)
    goban_session_edit_async (self->site.session, edit, NULL, NULL, NULL);
}

static void
pin (GobanCommands *self, GVariant *parameter)
{
  if (goban_site_has_selection (&self->site))
    goban_session_pin (self->site.session, goban_session_get_selection (self->site.session),
                       g_variant_get_boolean (parameter));
}

static void
hide (GobanCommands *self, GVariant *parameter)
{
  GobanView *view = goban_session_get_view (self->site.session);
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);
  g_autoptr (GobanSelection) hidden = NULL;

  if (!goban_site_has_selection (&self->site))
    return;

  hidden = goban_selection_union (goban_view_get_hidden (view),
                                  goban_session_get_selection (self->site.session));
  goban_view_set_hidden (view, hidden, goban_session_get_graph (self->site.session));
  /* Hidden nodes must not be moved by the next key. */
  goban_session_set_selection (self->site.session, nothing);
}

static void
unhide (GobanCommands *self, GVariant *parameter)
{
  g_autoptr (GobanSelection) nothing = goban_selection_new (NULL, 0);
  GobanGraph *graph = goban_session_get_graph (self->site.session);

  if (graph != NULL)
    goban_view_set_hidden (goban_session_get_view (self->site.session), nothing, graph);
}

/* --- plans ------------------------------------------------------------------------------------ */

/* Each time with another seed, so that asking again gives another plan if the policy draws at
 * random. */
static void
place (GobanCommands *self, GVariant *parameter)
{
  const char *const policies[] = { g_variant_get_string (parameter, NULL), NULL };
  GobanRunOptions options
      = { .seed = goban_place_menu_next_seed (self->site.session, policies[0]),
          .network = goban_chosen_networks_get (self->site.session, policies[0]) };

  goban_session_place_with (self->site.session, policies, &options);
}

static void
place_with (GobanCommands *self, GVariant *parameter)
{
  const char *policies[2] = { NULL };
  const char *tasks;
  GobanRunOptions options = { 0 };
  g_autoptr (GError) error = NULL;

  g_variant_get (parameter, "(&sttd&s)", &policies[0], &options.seed, &options.max_evaluations,
                 &options.max_seconds, &tasks);
  if (*tasks != '\0' && !goban_tasks_parse (tasks, &options.decisions, &error))
    {
      goban_session_say (self->site.session, TRUE, "%s", error->message);
      return;
    }
  options.network = goban_chosen_networks_get (self->site.session, policies[0]);
  goban_session_place_with (self->site.session, policies, &options);
}

static void
place_quick (GobanCommands *self, GVariant *parameter)
{
  g_autoptr (GPtrArray) quick = g_ptr_array_new ();
  gsize n;
  g_autofree GobanPolicyInfo *policies = goban_policies (&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal (policies[i].effort, "quick")
        && goban_place_menu_next_seed (self->site.session, policies[i].name) == 0)
      g_ptr_array_add (quick, (gpointer) policies[i].name);
  if (quick->len == 0)
    {
      goban_session_say (self->site.session, FALSE, "Every quick policy has a plan in the list");
      return;
    }
  g_ptr_array_add (quick, NULL);
  goban_session_place_with (self->site.session, (const char *const *) quick->pdata, NULL);
}

static void
next_plan (GobanCommands *self, GVariant *parameter)
{
  goban_plan_list_step (self->plans, 1);
}

static void
previous_plan (GobanCommands *self, GVariant *parameter)
{
  goban_plan_list_step (self->plans, -1);
}

static void
remove_plan (GobanCommands *self, GVariant *parameter)
{
  GobanRun *run = goban_session_get_current_run (self->site.session);

  if (run != NULL)
    goban_session_remove_run (self->site.session, run);
}

static void
stop (GobanCommands *self, GVariant *parameter)
{
  if (goban_session_get_job (self->site.session) != NULL)
    {
      goban_session_finish_job (self->site.session);
      goban_status_bar_set_stopping (self->site.status);
    }
  goban_console_view_interrupt (goban_lower_pane_get_parts (self->lower)->console);
}

/* --- groups, layout and colours of the graph -------------------------------------------------- */

static void
open_group (GobanCommands *self, GVariant *parameter)
{
  GobanPicture *last = goban_pictures_get_last (self->pictures);

  if (!GOBAN_IS_GRAPH_VIEW (last)
      || !goban_graph_view_open_selection (GOBAN_GRAPH_VIEW (last), TRUE))
    goban_site_activate (&self->site, "zoom-selection", NULL);
}

static void
close_group (GobanCommands *self, GVariant *parameter)
{
  goban_graph_view_open_selection (goban_pictures_get_graph (self->pictures), FALSE);
}

static void
close_groups (GobanCommands *self, GVariant *parameter)
{
  static const char *const none[] = { NULL };

  goban_view_set_expanded (view_of (self), none);
}

static void
morph (GobanCommands *self, GVariant *parameter)
{
  gboolean is_schedule = goban_view_get_layout (view_of (self)) == GOBAN_ARRANGE_LANES;

  goban_view_set_layout (view_of (self), is_schedule ? GOBAN_ARRANGE_AUTO : GOBAN_ARRANGE_LANES);
}

static void
group_changed (GobanCommands *self, GVariant *state)
{
  GobanGrouping grouping = GOBAN_GROUPING_AUTO;

  if (goban_grouping_find (g_variant_get_string (state, NULL), &grouping))
    goban_view_set_grouping (view_of (self), grouping);
}

static void
follow_changed (GobanCommands *self, GVariant *state)
{
  g_object_set (goban_pictures_get_graph (self->pictures), "follows", g_variant_get_boolean (state),
                NULL);
}

static void
layout_changed (GobanCommands *self, GVariant *state)
{
  GobanArrangement layout = GOBAN_ARRANGE_AUTO;

  if (goban_arrangement_find (g_variant_get_string (state, NULL), &layout))
    goban_view_set_layout (view_of (self), layout);
}

static void
set_word (GobanCommands *self, const char *action, const char *word)
{
  goban_site_set_state (&self->site, action, g_variant_new_string (word));
}

static void
look_changed_cb (GobanCommands *self)
{
  set_word (self, "group", goban_grouping_names[goban_view_get_grouping (view_of (self))]);
  set_word (self, "layout", goban_arrangement_name (goban_view_get_layout (view_of (self))));
}

static void
color_changed_cb (GobanCommands *self)
{
  set_word (self, "color", goban_view_get_color (view_of (self)));
}

static void
choose_color (GobanCommands *self, GVariant *state)
{
  const char *color = g_variant_get_string (state, NULL);
  g_autoptr (GError) error = NULL;

  if (goban_color_check (color, &error))
    {
      goban_view_set_color (view_of (self), color);
      return;
    }
  goban_session_say (self->site.session, TRUE, "%s", error->message);
  color_changed_cb (self);
}

/* --- comparison ------------------------------------------------------------------------------- */

static GobanCompareSet *
set_of (GobanCommands *self)
{
  return goban_session_get_compare_set (self->site.session);
}

/* Opens the comparison, which shows the devices' time beside the waterfall. */
static void
compare_time (GobanCommands *self, GVariant *parameter)
{
  goban_site_activate (&self->site, "workspace", g_variant_new_string ("compare"));
  goban_compare_panels_show_shares (goban_compare_page_get_panels (self->compare));
}

static void
compare_mode_changed (GobanCommands *self, GVariant *state)
{
  GobanCompareMode mode = GOBAN_COMPARE_SIDE;

  if (goban_compare_mode_find (g_variant_get_string (state, NULL), &mode))
    goban_compare_set_set_mode (set_of (self), mode);
}

static void
compare_unchanged_changed (GobanCommands *self, GVariant *state)
{
  GobanUnchanged unchanged = GOBAN_UNCHANGED_DIM;

  if (goban_unchanged_find (g_variant_get_string (state, NULL), &unchanged))
    goban_compare_set_set_unchanged (set_of (self), unchanged);
}

static void
compare_race_changed (GobanCommands *self, GVariant *state)
{
  gboolean is_racing = g_variant_get_boolean (state);
  gboolean is_by_script = is_racing == goban_compare_set_is_racing (set_of (self));

  if (goban_compare_page_race (self->compare, is_racing) && !is_by_script)
    goban_session_log_line (self->site.session, "compare.race(%s)", is_racing ? "" : "false");
}

/* A script begins or ends the race; one that is decided stays. */
static void
racing_cb (GobanCommands *self)
{
  gboolean is_racing = goban_compare_set_is_racing (set_of (self));

  if (is_racing || goban_compare_page_is_undecided (self->compare))
    goban_site_set_toggle (&self->site, "compare-race", is_racing);
}

/* Who leaves the comparison, or chooses other plans, ends the race. */
static void
end_race (GobanCommands *self)
{
  if (goban_site_get_toggle (&self->site, "compare-race"))
    goban_site_set_toggle (&self->site, "compare-race", FALSE);
}

static void
compare_lanes_changed (GobanCommands *self, GVariant *state)
{
  goban_compare_set_set_all_lanes (set_of (self), g_variant_get_boolean (state));
}

static void
compare_scales_changed (GobanCommands *self, GVariant *state)
{
  goban_compare_set_set_own_scales (set_of (self), g_variant_get_boolean (state));
}

static void
compare_devices_changed (GobanCommands *self, GVariant *state)
{
  goban_compare_set_set_own_devices (set_of (self), !g_variant_get_boolean (state));
}

static const struct
{
  const char *action;
  GobanSync flag;
} syncs[] = {
  { "compare-sync-view", GOBAN_SYNC_VIEW },
  { "compare-sync-time", GOBAN_SYNC_TIME },
  { "compare-sync-selection", GOBAN_SYNC_SELECTION },
};

static void
compare_sync_changed (GobanCommands *self, GVariant *state)
{
  GobanSync sync = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (syncs); i++)
    if (goban_site_get_toggle (&self->site, syncs[i].action))
      sync |= syncs[i].flag;
  goban_compare_set_set_sync (set_of (self), sync);
}

static void
compare_changed_cb (GobanCommands *self)
{
  GobanCompareSet *set = set_of (self);

  goban_site_set_state (
      &self->site, "compare-mode",
      g_variant_new_string (goban_compare_mode_name (goban_compare_set_get_mode (set))));
  goban_site_set_state (
      &self->site, "compare-unchanged",
      g_variant_new_string (goban_unchanged_name (goban_compare_set_get_unchanged (set))));
  goban_site_set_state (&self->site, "compare-lanes",
                        g_variant_new_boolean (goban_compare_set_get_all_lanes (set)));
  goban_site_set_state (&self->site, "compare-scales",
                        g_variant_new_boolean (goban_compare_set_get_own_scales (set)));
  goban_site_set_state (&self->site, "compare-devices",
                        g_variant_new_boolean (!goban_compare_set_get_own_devices (set)));
  for (gsize i = 0; i < G_N_ELEMENTS (syncs); i++)
    goban_site_set_state (
        &self->site, syncs[i].action,
        g_variant_new_boolean ((goban_compare_set_get_sync (set) & syncs[i].flag) != 0));
}

/* --- search ----------------------------------------------------------------------------------- */

/* Without a search, the question is which. */
static void
step_match (GobanCommands *self, int direction)
{
  if (goban_search_bar_get_matches (self->parts.search_bar) != NULL)
    goban_search_bar_step (self->parts.search_bar, direction);
  else if (goban_session_get_graph (self->site.session) != NULL)
    goban_search_bar_open (self->parts.search_bar);
}

static void
next_match (GobanCommands *self, GVariant *parameter)
{
  step_match (self, 1);
}

static void
previous_match (GobanCommands *self, GVariant *parameter)
{
  step_match (self, -1);
}

static void
matches_changed_cb (GobanCommands *self)
{
  static const char *const need_matches[]
      = { "select-matches", "filter-matches", "hide-matches", NULL };
  GobanSelection *matches = goban_search_bar_get_matches (self->parts.search_bar);
  guint n = 0;

  if (matches != NULL)
    goban_selection_get_ids (matches, &n);
  goban_site_set_enabled (&self->site, need_matches, n > 0);
  goban_graph_view_set_matches (goban_pictures_get_explored (self->pictures), matches);
  goban_timeline_view_set_matches (goban_pictures_get_timeline (self->pictures), matches);
  goban_node_table_filter (goban_lower_pane_get_parts (self->lower)->table, matches);
}

static const GobanCommand commands[] = {
  { "move-selection", G_CALLBACK (move_selection) },
  { "urgency", G_CALLBACK (change_urgency) },
  { "fuse", G_CALLBACK (fuse) },
  { "pin", G_CALLBACK (pin) },
  { "hide", G_CALLBACK (hide) },
  { "unhide", G_CALLBACK (unhide) },
  { "place", G_CALLBACK (place) },
  { "place-with", G_CALLBACK (place_with) },
  { "place-quick", G_CALLBACK (place_quick) },
  { "next-plan", G_CALLBACK (next_plan) },
  { "previous-plan", G_CALLBACK (previous_plan) },
  { "remove-plan", G_CALLBACK (remove_plan) },
  { "stop", G_CALLBACK (stop) },
  { "open-group", G_CALLBACK (open_group) },
  { "close-group", G_CALLBACK (close_group) },
  { "close-groups", G_CALLBACK (close_groups) },
  { "morph", G_CALLBACK (morph) },
  { "group", G_CALLBACK (group_changed) },
  { "layout", G_CALLBACK (layout_changed) },
  { "color", G_CALLBACK (choose_color) },
  { "follow", G_CALLBACK (follow_changed) },
  { "compare-time", G_CALLBACK (compare_time) },
  { "compare-mode", G_CALLBACK (compare_mode_changed) },
  { "compare-unchanged", G_CALLBACK (compare_unchanged_changed) },
  { "compare-lanes", G_CALLBACK (compare_lanes_changed) },
  { "compare-race", G_CALLBACK (compare_race_changed) },
  { "compare-scales", G_CALLBACK (compare_scales_changed) },
  { "compare-devices", G_CALLBACK (compare_devices_changed) },
  { "compare-sync-view", G_CALLBACK (compare_sync_changed) },
  { "compare-sync-time", G_CALLBACK (compare_sync_changed) },
  { "compare-sync-selection", G_CALLBACK (compare_sync_changed) },
  { "next-match", G_CALLBACK (next_match) },
  { "previous-match", G_CALLBACK (previous_match) },
};

static const GobanCommand session_commands[] = {
  { "undo", G_CALLBACK (goban_session_undo) },
  { "redo", G_CALLBACK (goban_session_redo) },
};

static const GobanCommand search_commands[] = {
  { "search", G_CALLBACK (goban_search_bar_open) },
  { "select-matches", G_CALLBACK (goban_search_bar_select_all) },
  { "filter-matches", G_CALLBACK (goban_search_bar_filter) },
  { "hide-matches", G_CALLBACK (goban_search_bar_hide_matches) },
  { "close-search", G_CALLBACK (goban_search_bar_close) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_commands_clear (GobanCommands *self)
{
  g_clear_handle_id (&self->device_key_id, g_source_remove);
  goban_site_drop_dialog (&self->dialogs.glossary);
  goban_site_drop_dialog (&self->dialogs.parallel);
  goban_site_drop_dialog (&self->dialogs.measure);
  g_clear_pointer (&self->wanted.policy, g_free);
  g_clear_pointer (&self->wanted.cluster, goban_cluster_unref);
  if (self->filming != NULL)
    goban_job_cancel (self->filming);
  g_clear_object (&self->filming);
}

GobanCommands *
goban_commands_new (const GobanSite *site)
{
  GobanCommands *self = g_object_new (GOBAN_TYPE_COMMANDS, NULL);

  self->site = *site;
  GOBAN_CONNECT (site->session, "notify::selection", visit_cb, self);
  GOBAN_CONNECT (site->session, "notify::graph", visit_cb, self);
  update_places (self);
  goban_site_connect (site, navigation, G_N_ELEMENTS (navigation), self);
  return self;
}

static void
take_parts (GobanCommands *self, const GobanCommandParts *parts)
{
  GobanExplorer *explorer = goban_body_get_parts (parts->body)->explorer;

  self->parts = *parts;
  self->pictures = goban_body_get_parts (parts->body)->pictures;
  self->timeline = goban_pictures_get_timeline (self->pictures);
  self->lower = goban_body_get_parts (parts->body)->lower;
  self->compare = goban_body_get_parts (parts->body)->compare;
  self->plans = goban_explorer_get_parts (explorer)->plans;
  self->inspector = goban_explorer_get_parts (explorer)->inspector;
  self->player = goban_explorer_get_parts (explorer)->player;
  self->card = goban_explorer_get_parts (explorer)->card;
  self->record = goban_explorer_get_parts (explorer)->record;
  self->scenes = goban_session_scenes_of (self->site.session);
  self->lesson = goban_lesson_state_of (G_OBJECT (self->site.session));
}

static void
connect_own (GobanCommands *self)
{
  const GobanSite *site = &self->site;
  GobanView *view = view_of (self);
  GobanCompareSet *set = set_of (self);
  GobanSearchBar *search_bar = self->parts.search_bar;

  GOBAN_CONNECT (view, "notify::grouping", look_changed_cb, self);
  GOBAN_CONNECT (view, "notify::layout", look_changed_cb, self);
  GOBAN_CONNECT (view, "notify::color", color_changed_cb, self);
  GOBAN_CONNECT (set, "notify::mode", compare_changed_cb, self);
  GOBAN_CONNECT (set, "notify::unchanged", compare_changed_cb, self);
  GOBAN_CONNECT (set, "notify::sync", compare_changed_cb, self);
  GOBAN_CONNECT (set, "notify::lanes", compare_changed_cb, self);
  GOBAN_CONNECT (set, "notify::scales", compare_changed_cb, self);
  GOBAN_CONNECT (set, "notify::devices", compare_changed_cb, self);
  GOBAN_CONNECT (set, "notify::racing", racing_cb, self);
  GOBAN_CONNECT (set, "notify::open", end_race, self);
  GOBAN_CONNECT (set, "notify::runs", end_race, self);
  GOBAN_CONNECT (search_bar, "notify::matches", matches_changed_cb, self);
  compare_changed_cb (self);
  matches_changed_cb (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  goban_site_connect (site, session_commands, G_N_ELEMENTS (session_commands), site->session);
  goban_site_connect (site, search_commands, G_N_ELEMENTS (search_commands), search_bar);
  goban_site_connect_command (site, "compare-swap", G_CALLBACK (goban_compare_set_swap), set);
}

void
goban_commands_connect (GobanCommands *self, const GobanCommandParts *parts)
{
  g_return_if_fail (GOBAN_IS_COMMANDS (self));

  take_parts (self, parts);
  goban_commands_connect_time (self);
  connect_own (self);
  goban_commands_connect_lessons (self);
  goban_commands_connect_selection (self);
  goban_commands_connect_models (self);
  goban_commands_connect_training (self);
}
