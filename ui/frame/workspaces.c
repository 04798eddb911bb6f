#include "ui/frame/workspaces.h"

#include "engine/session/compare-set-looks.h"
#include "engine/session/compare-set.h"
#include "ui/widgets/signals.h"

struct _GobanWorkspaces
{
  GObject parent;

  GobanSite site;
  GobanFrame *frame;
  GobanLowerPane *lower;
  GobanPictures *pictures;
};

G_DEFINE_FINAL_TYPE (GobanWorkspaces, goban_workspaces, G_TYPE_OBJECT)

static const struct
{
  const char *action;
  GobanSlot slot;
} panes[] = {
  { "left-pane", GOBAN_SLOT_LEFT },
  { "right-pane", GOBAN_SLOT_RIGHT },
  { "timeline-pane", GOBAN_SLOT_TIME },
};

static GobanCompareSet *
set_of (GobanWorkspaces *self)
{
  return goban_session_get_compare_set (self->site.session);
}

/* --- the states of the actions ---------------------------------------------------------------- */

static gboolean
has_page (GobanWorkspaces *self, int page)
{
  return goban_frame_get_shown (self->frame, GOBAN_SLOT_DRAWER)
         && (int) goban_lower_pane_get_page (self->lower) == page;
}

/* The states follow the frame, whoever changed it. */
static void
sync_states (GobanWorkspaces *self)
{
  const char *name = goban_workspace_name (goban_frame_get_workspace (self->frame));

  goban_site_set_state (&self->site, "workspace", g_variant_new_string (name));
  for (gsize i = 0; i < G_N_ELEMENTS (panes); i++)
    goban_site_set_state (
        &self->site, panes[i].action,
        g_variant_new_boolean (goban_frame_get_shown (self->frame, panes[i].slot)));
  for (int page = 0; page < GOBAN_N_DRAWER_PAGES; page++)
    goban_site_set_state (&self->site, goban_drawer_actions[page],
                          g_variant_new_boolean (has_page (self, page)));
  goban_site_set_state (&self->site, "maximize",
                        g_variant_new_boolean (goban_frame_get_maximized (self->frame) >= 0));
}

static void
frame_changed_cb (GobanWorkspaces *self)
{
  sync_states (self);
  g_signal_emit_by_name (self, "changed");
  goban_pictures_keep_focus (self->pictures);
}

/* --- workspaces ------------------------------------------------------------------------------- */

/* Plans of the open graph, and of others that were open. */
static gboolean
has_two_plans (GobanWorkspaces *self)
{
  guint n = g_list_model_get_n_items (goban_session_get_runs (self->site.session));

  return n > 0 && n + g_list_model_get_n_items (goban_compare_set_get_others (set_of (self))) >= 2;
}

static void
show_workspace (GobanWorkspaces *self, GobanWorkspace workspace)
{
  goban_frame_set_workspace (self->frame, workspace);
  if (workspace != GOBAN_WORKSPACE_COMPARE)
    goban_compare_set_close (set_of (self));
  else if (has_two_plans (self))
    goban_compare_set_open (set_of (self));
}

static GobanView *
view_of (GobanWorkspaces *self)
{
  return goban_session_get_view (self->site.session);
}

static void
workspace_changed (GobanWorkspaces *self, GVariant *state)
{
  GobanWorkspace workspace = GOBAN_WORKSPACE_EXPLORE;
  GtkWidget *focus;

  if (goban_workspace_find (g_variant_get_string (state, NULL), &workspace))
    goban_view_set_workspace (view_of (self), workspace);
  sync_states (self);
  /* The next keys write a script, rather than change the board. */
  focus = gtk_window_get_focus (GTK_WINDOW (self->site.window));
  if (workspace == GOBAN_WORKSPACE_SCRIPT && (focus == NULL || GOBAN_IS_PICTURE (focus)))
    gtk_widget_grab_focus (GTK_WIDGET (goban_lower_pane_get_parts (self->lower)->script));
}

static void
view_changed_cb (GobanWorkspaces *self)
{
  show_workspace (self, goban_view_get_workspace (view_of (self)));
}

/* Opened or closed by the console, a lesson or a scene. */
static void
compared_cb (GobanWorkspaces *self)
{
  gboolean is_open = goban_compare_set_is_open (set_of (self));
  gboolean is_compare = goban_frame_get_workspace (self->frame) == GOBAN_WORKSPACE_COMPARE;

  if (is_open != is_compare)
    goban_view_set_workspace (view_of (self),
                              is_open ? GOBAN_WORKSPACE_COMPARE : GOBAN_WORKSPACE_EXPLORE);
}

/* --- panes ------------------------------------------------------------------------------------ */

static void
pane_changed (GobanWorkspaces *self, GVariant *state)
{
  for (gsize i = 0; i < G_N_ELEMENTS (panes); i++)
    goban_frame_set_shown (self->frame, panes[i].slot,
                           goban_site_get_toggle (&self->site, panes[i].action));
}

/* The page of @page's action opens or closes the drawer. */
static void
change_page (GobanWorkspaces *self, GobanDrawerPage page, gboolean is_shown)
{
  if (is_shown)
    goban_lower_pane_show_page (self->lower, page);
  goban_frame_set_shown (self->frame, GOBAN_SLOT_DRAWER, is_shown);
  frame_changed_cb (self);
  if (is_shown && goban_frame_is_open (self->frame, GOBAN_SLOT_DRAWER))
    goban_lower_pane_focus_page (self->lower);
}

static void
console_changed (GobanWorkspaces *self, GVariant *state)
{
  change_page (self, GOBAN_DRAWER_CONSOLE, g_variant_get_boolean (state));
}

static void
table_changed (GobanWorkspaces *self, GVariant *state)
{
  change_page (self, GOBAN_DRAWER_NODES, g_variant_get_boolean (state));
}

static void
notes_changed (GobanWorkspaces *self, GVariant *state)
{
  change_page (self, GOBAN_DRAWER_NOTES, g_variant_get_boolean (state));
}

static void
maximize_changed (GobanWorkspaces *self, GVariant *state)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self->site.window));
  int slot = focus != NULL ? goban_frame_find_slot (self->frame, focus) : -1;

  /* The button of the time is in its toolbar. */
  if (slot == GOBAN_SLOT_TOOLBAR)
    slot = GOBAN_SLOT_TIME;

  goban_frame_maximize (self->frame, g_variant_get_boolean (state) ? slot : -1);
  sync_states (self);
}

static void
move_focus (GobanWorkspaces *self, GVariant *parameter)
{
  goban_frame_move_focus (self->frame, gtk_window_get_focus (GTK_WINDOW (self->site.window)),
                          g_variant_get_int32 (parameter));
}

static void
reset_layout (GobanWorkspaces *self, GVariant *parameter)
{
  g_autoptr (GVariant) none = g_variant_ref_sink (g_variant_new ("a{si}", NULL));

  goban_frame_set_layout (self->frame, goban_frame_get_workspace (self->frame), none);
}

/* --- remembering ------------------------------------------------------------------------------ */

static char *
dup_key (guint workspace)
{
  return g_strconcat ("layout-", goban_workspace_name ((GobanWorkspace) workspace), NULL);
}

void
goban_workspaces_restore (GobanWorkspaces *self, GobanSettings *settings)
{
  for (guint i = 0; i < GOBAN_N_WORKSPACES; i++)
    {
      g_autofree char *key = dup_key (i);
      g_autoptr (GVariant) layout = goban_settings_dup_layout (settings, key);

      goban_frame_set_layout (self->frame, (GobanWorkspace) i, layout);
    }
}

void
goban_workspaces_remember (GobanWorkspaces *self, GobanSettings *settings)
{
  for (guint i = 0; i < GOBAN_N_WORKSPACES; i++)
    {
      g_autofree char *key = dup_key (i);
      g_autoptr (GVariant) layout = goban_frame_dup_layout (self->frame, (GobanWorkspace) i);

      goban_settings_set_layout (settings, key, layout);
    }
}

static const GobanCommand commands[] = {
  { "workspace", G_CALLBACK (workspace_changed) },  { "left-pane", G_CALLBACK (pane_changed) },
  { "right-pane", G_CALLBACK (pane_changed) },      { "timeline-pane", G_CALLBACK (pane_changed) },
  { "console-pane", G_CALLBACK (console_changed) }, { "table-pane", G_CALLBACK (table_changed) },
  { "notes-pane", G_CALLBACK (notes_changed) },     { "maximize", G_CALLBACK (maximize_changed) },
  { "reset-layout", G_CALLBACK (reset_layout) },    { "focus-pane", G_CALLBACK (move_focus) },
};

static void
goban_workspaces_class_init (GobanWorkspacesClass *klass)
{
  goban_signal_add (klass, "changed", 0);
}

static void
goban_workspaces_init (GobanWorkspaces *self)
{
}

GobanWorkspaces *
goban_workspaces_new (const GobanSite *site, GobanFrame *frame, GobanLowerPane *lower,
                      GobanPictures *pictures)
{
  GobanWorkspaces *self = g_object_new (GOBAN_TYPE_WORKSPACES, NULL);

  self->site = *site;
  self->frame = frame;
  self->lower = lower;
  self->pictures = pictures;
  GOBAN_CONNECT (frame, "changed", frame_changed_cb, self);
  GOBAN_CONNECT (view_of (self), "notify::workspace", view_changed_cb, self);
  GOBAN_CONNECT (set_of (self), "notify::open", compared_cb, self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
