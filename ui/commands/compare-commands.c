#include "ui/commands/compare-commands.h"
#include "engine/session/compare-looks.h"
#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/session-log.h"

struct _GobanCompareCommands
{
  GObject parent;

  GobanSite site;
  GobanComparePage *page;
};

G_DEFINE_FINAL_TYPE (GobanCompareCommands, goban_compare_commands, G_TYPE_OBJECT)

static GobanCompareSet *
set_of (GobanCompareCommands *self)
{
  return goban_session_get_compare_set (self->site.session);
}

static void
compare_swap (GobanCompareCommands *self, GVariant *parameter)
{
  goban_compare_set_swap (set_of (self));
}

/* Opens the comparison, which shows the devices' time beside the waterfall. */
static void
compare_time (GobanCompareCommands *self, GVariant *parameter)
{
  goban_site_activate (&self->site, "workspace", g_variant_new_string ("compare"));
  goban_compare_panels_show_shares (goban_compare_page_get_panels (self->page));
}

static void
compare_mode_changed (GobanCompareCommands *self, GVariant *state)
{
  GobanCompareMode mode = GOBAN_COMPARE_SIDE;

  if (goban_compare_mode_find (g_variant_get_string (state, NULL), &mode))
    goban_compare_set_set_mode (set_of (self), mode);
}

static void
compare_unchanged_changed (GobanCompareCommands *self, GVariant *state)
{
  GobanUnchanged unchanged = GOBAN_UNCHANGED_DIM;

  if (goban_unchanged_find (g_variant_get_string (state, NULL), &unchanged))
    goban_compare_set_set_unchanged (set_of (self), unchanged);
}

static void
compare_race_changed (GobanCompareCommands *self, GVariant *state)
{
  gboolean is_racing = g_variant_get_boolean (state);
  gboolean is_by_script = is_racing == goban_compare_set_is_racing (set_of (self));

  if (goban_compare_page_race (self->page, is_racing) && !is_by_script)
    goban_session_log_line (self->site.session, "compare.race(%s)", is_racing ? "" : "false");
}

/* A script begins or ends the race; one that is decided stays. */
static void
racing_cb (GobanCompareCommands *self)
{
  gboolean is_racing = goban_compare_set_is_racing (set_of (self));

  if (is_racing || goban_compare_page_is_undecided (self->page))
    goban_site_set_toggle (&self->site, "compare-race", is_racing);
}

/* Who leaves the comparison, or chooses other plans, ends the race. */
static void
end_race (GobanCompareCommands *self)
{
  if (goban_site_get_toggle (&self->site, "compare-race"))
    goban_site_set_toggle (&self->site, "compare-race", FALSE);
}

static void
compare_lanes_changed (GobanCompareCommands *self, GVariant *state)
{
  goban_compare_set_set_all_lanes (set_of (self), g_variant_get_boolean (state));
}

static void
compare_scales_changed (GobanCompareCommands *self, GVariant *state)
{
  goban_compare_set_set_own_scales (set_of (self), g_variant_get_boolean (state));
}

static void
compare_devices_changed (GobanCompareCommands *self, GVariant *state)
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
compare_sync_changed (GobanCompareCommands *self, GVariant *state)
{
  GobanSync sync = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (syncs); i++)
    if (goban_site_get_toggle (&self->site, syncs[i].action))
      sync |= syncs[i].flag;
  goban_compare_set_set_sync (set_of (self), sync);
}

static void
states_changed_cb (GobanCompareCommands *self)
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

static const char *const looks[] = { "notify::mode",  "notify::unchanged", "notify::sync",
                                     "notify::lanes", "notify::scales",    "notify::devices" };

static const GobanCommand commands[] = {
  { "compare-swap", G_CALLBACK (compare_swap) },
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
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_compare_commands_class_init (GobanCompareCommandsClass *klass)
{
}

static void
goban_compare_commands_init (GobanCompareCommands *self)
{
}

GobanCompareCommands *
goban_compare_commands_new (const GobanSite *site, GobanComparePage *page)
{
  GobanCompareCommands *self = g_object_new (GOBAN_TYPE_COMPARE_COMMANDS, NULL);

  self->site = *site;
  self->page = page;
  for (gsize i = 0; i < G_N_ELEMENTS (looks); i++)
    g_signal_connect_object (set_of (self), looks[i], G_CALLBACK (states_changed_cb), self,
                             G_CONNECT_SWAPPED);
  states_changed_cb (self);
  g_signal_connect_object (set_of (self), "notify::racing", G_CALLBACK (racing_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (set_of (self), "notify::open", G_CALLBACK (end_race), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (set_of (self), "notify::runs", G_CALLBACK (end_race), self,
                           G_CONNECT_SWAPPED);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
