#include "ui/frame/site.h"

#include "engine/session/document/document.h"
#include "engine/session/session-log.h"
#include "engine/study/run/graph-source.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/signals.h"

/* --- actions --------------------------------------------------------------------------------- */

void
goban_site_add_actions (const GobanSite *site)
{
  gsize n;
  const GobanActionInfo *infos = goban_actions (&n);

  for (gsize i = 0; i < n; i++)
    {
      GActionEntry entry = { .name = infos[i].name,
                             .parameter_type = infos[i].parameter,
                             .state = infos[i].state };

      if (goban_action_find (infos[i].name) == &infos[i])
        g_action_map_add_action_entries (G_ACTION_MAP (site->window), &entry, 1, NULL);
    }
}

static GSimpleAction *
find_action (const GobanSite *site, const char *name)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (site->window), name);

  g_assert (action != NULL);
  return G_SIMPLE_ACTION (action);
}

void
goban_site_connect_command (const GobanSite *site, const char *name, GCallback handler,
                            gpointer part)
{
  GSimpleAction *action = find_action (site, name);
  gboolean has_state = g_action_get_state_type (G_ACTION (action)) != NULL;

  if (has_state)
    g_signal_connect (action, "change-state", G_CALLBACK (g_simple_action_set_state), NULL);
  GOBAN_CONNECT (action, has_state ? "change-state" : "activate", handler, part);
}

void
goban_site_connect (const GobanSite *site, const GobanCommand *commands, gsize n, gpointer part)
{
  for (gsize i = 0; i < n; i++)
    goban_site_connect_command (site, commands[i].action, commands[i].handler, part);
}

gboolean
goban_site_get_toggle (const GobanSite *site, const char *action)
{
  g_autoptr (GVariant) state
      = g_action_group_get_action_state (G_ACTION_GROUP (site->window), action);

  return g_variant_get_boolean (state);
}

void
goban_site_set_toggle (const GobanSite *site, const char *action, gboolean value)
{
  g_action_group_change_action_state (G_ACTION_GROUP (site->window), action,
                                      g_variant_new_boolean (value));
}

void
goban_site_set_state (const GobanSite *site, const char *action, GVariant *state)
{
  g_simple_action_set_state (find_action (site, action), state);
}

void
goban_site_set_enabled (const GobanSite *site, const char *const *actions, gboolean is_enabled)
{
  for (guint i = 0; actions[i] != NULL; i++)
    g_simple_action_set_enabled (find_action (site, actions[i]), is_enabled);
}

void
goban_site_activate (const GobanSite *site, const char *action, GVariant *parameter)
{
  g_action_group_activate_action (G_ACTION_GROUP (site->window), action, parameter);
}

/* --- messages --------------------------------------------------------------------------------- */

void
goban_site_hint (const GobanSite *site, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  goban_status_bar_set_passing_hint (site->status, text);
}

/* The owner of the pointer may be gone before the last reference on the dialog. */
void
goban_site_drop_dialog (GtkWidget **dialog)
{
  GtkWidget *dropped = *dialog;

  if (dropped == NULL)
    return;
  g_clear_weak_pointer (dialog);
  gtk_window_destroy (GTK_WINDOW (dropped));
}

gboolean
goban_site_has_run (const GobanSite *site)
{
  if (goban_session_get_current_run (site->session) != NULL)
    return TRUE;

  goban_session_say (site->session, TRUE, "There is no plan yet: place the graph first");
  return FALSE;
}

gboolean
goban_site_has_selection (const GobanSite *site)
{
  guint n;

  goban_selection_get_ids (goban_session_get_selection (site->session), &n);
  return n > 0;
}

char *
goban_site_dup_file (const GobanSite *site)
{
  const char *path = goban_document_get_path (goban_document_get (site->session));

  if (path == NULL)
    path = goban_session_get_path (site->session);
  return path != NULL && !goban_graph_source_is_spec (path) ? g_strdup (path) : NULL;
}
