#include "ui/commands/navigation-commands.h"

#include "engine/core/i18n.h"
#include "engine/session/navigation.h"
#include "engine/session/session-marks.h"
#include "engine/session/view.h"

struct _GobanNavigationCommands
{
  GObject parent;

  GobanSite site;
};

G_DEFINE_FINAL_TYPE (GobanNavigationCommands, goban_navigation_commands, G_TYPE_OBJECT)

static GobanView *
view_of (GobanNavigationCommands *self)
{
  return goban_session_get_view (self->site.session);
}

static void
update_places (GobanNavigationCommands *self)
{
  GobanNavigation *places = goban_view_get_places (view_of (self));
  static const char *const back[] = { "back", NULL };
  static const char *const forward[] = { "forward", NULL };

  goban_site_set_enabled (&self->site, back, goban_navigation_can_step (places, -1));
  goban_site_set_enabled (&self->site, forward, goban_navigation_can_step (places, 1));
}

static void
visit_cb (GobanNavigationCommands *self)
{
  if (goban_session_get_graph (self->site.session) != NULL)
    goban_navigation_visit (goban_view_get_places (view_of (self)),
                            goban_session_get_selection (self->site.session),
                            goban_view_get_viewport (view_of (self)));
  update_places (self);
}

static void
go_to_place (GobanNavigationCommands *self, int steps)
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
back (GobanNavigationCommands *self, GVariant *parameter)
{
  go_to_place (self, -1);
}

static void
forward (GobanNavigationCommands *self, GVariant *parameter)
{
  go_to_place (self, 1);
}

static void
store_view (GobanNavigationCommands *self, GVariant *parameter)
{
  gint32 number = g_variant_get_int32 (parameter);

  if (number < 1 || number > GOBAN_BOOKMARKS)
    return;
  goban_view_snapshot (view_of (self), (guint) number);
  goban_site_hint (&self->site, _ ("This view is kept as %d: press %d in a picture to come back"),
                   number, number);
}

static void
recall_view (GobanNavigationCommands *self, GVariant *parameter)
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

static const GobanCommand commands[] = {
  { "back", G_CALLBACK (back) },
  { "forward", G_CALLBACK (forward) },
  { "store-view", G_CALLBACK (store_view) },
  { "recall-view", G_CALLBACK (recall_view) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_navigation_commands_class_init (GobanNavigationCommandsClass *klass)
{
}

static void
goban_navigation_commands_init (GobanNavigationCommands *self)
{
}

GobanNavigationCommands *
goban_navigation_commands_new (const GobanSite *site)
{
  GobanNavigationCommands *self = g_object_new (GOBAN_TYPE_NAVIGATION_COMMANDS, NULL);

  self->site = *site;
  g_signal_connect_object (site->session, "notify::selection", G_CALLBACK (visit_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (site->session, "notify::graph", G_CALLBACK (visit_cb), self,
                           G_CONNECT_SWAPPED);
  update_places (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
