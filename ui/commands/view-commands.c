#include "ui/commands/view-commands.h"

#include "engine/session/session-log.h"
#include "engine/study/analysis/coloring.h"

struct _GobanViewCommands
{
  GObject parent;

  GobanSite site;
  GobanPictures *pictures;
};

G_DEFINE_FINAL_TYPE (GobanViewCommands, goban_view_commands, G_TYPE_OBJECT)

static GobanView *
view_of (GobanViewCommands *self)
{
  return goban_session_get_view (self->site.session);
}

static void
open_group (GobanViewCommands *self, GVariant *parameter)
{
  GobanPicture *last = goban_pictures_get_last (self->pictures);

  if (!GOBAN_IS_GRAPH_VIEW (last)
      || !goban_graph_view_open_selection (GOBAN_GRAPH_VIEW (last), TRUE))
    goban_site_activate (&self->site, "zoom-selection", NULL);
}

static void
close_group (GobanViewCommands *self, GVariant *parameter)
{
  goban_graph_view_open_selection (goban_pictures_get_graph (self->pictures), FALSE);
}

static void
close_groups (GobanViewCommands *self, GVariant *parameter)
{
  static const char *const none[] = { NULL };

  goban_view_set_expanded (view_of (self), none);
}

static void
morph (GobanViewCommands *self, GVariant *parameter)
{
  gboolean is_schedule = goban_view_get_layout (view_of (self)) == GOBAN_ARRANGE_LANES;

  goban_view_set_layout (view_of (self), is_schedule ? GOBAN_ARRANGE_AUTO : GOBAN_ARRANGE_LANES);
}

static void
group_changed (GobanViewCommands *self, GVariant *state)
{
  GobanGrouping grouping = GOBAN_GROUPING_AUTO;

  if (goban_grouping_find (g_variant_get_string (state, NULL), &grouping))
    goban_view_set_grouping (view_of (self), grouping);
}

static void
follow_changed (GobanViewCommands *self, GVariant *state)
{
  g_object_set (goban_pictures_get_graph (self->pictures), "follows", g_variant_get_boolean (state),
                NULL);
}

static void
layout_changed (GobanViewCommands *self, GVariant *state)
{
  GobanArrangement layout = GOBAN_ARRANGE_AUTO;

  if (goban_arrangement_find (g_variant_get_string (state, NULL), &layout))
    goban_view_set_layout (view_of (self), layout);
}

static void
set_word (GobanViewCommands *self, const char *action, const char *word)
{
  goban_site_set_state (&self->site, action, g_variant_new_string (word));
}

static void
look_changed_cb (GobanViewCommands *self)
{
  set_word (self, "group", goban_grouping_name (goban_view_get_grouping (view_of (self))));
  set_word (self, "layout", goban_arrangement_name (goban_view_get_layout (view_of (self))));
}

static void
color_changed_cb (GobanViewCommands *self)
{
  set_word (self, "color", goban_view_get_color (view_of (self)));
}

static void
choose_color (GobanViewCommands *self, GVariant *state)
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

static const GobanCommand commands[] = {
  { "open-group", G_CALLBACK (open_group) },     { "close-group", G_CALLBACK (close_group) },
  { "close-groups", G_CALLBACK (close_groups) }, { "morph", G_CALLBACK (morph) },
  { "group", G_CALLBACK (group_changed) },       { "layout", G_CALLBACK (layout_changed) },
  { "color", G_CALLBACK (choose_color) },        { "follow", G_CALLBACK (follow_changed) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_view_commands_class_init (GobanViewCommandsClass *klass)
{
}

static void
goban_view_commands_init (GobanViewCommands *self)
{
}

GobanViewCommands *
goban_view_commands_new (const GobanSite *site, GobanPictures *pictures)
{
  GobanViewCommands *self = g_object_new (GOBAN_TYPE_VIEW_COMMANDS, NULL);

  self->site = *site;
  GobanView *view = goban_session_get_view (site->session);

  self->pictures = pictures;
  g_signal_connect_object (view, "notify::grouping", G_CALLBACK (look_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "notify::layout", G_CALLBACK (look_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "notify::color", G_CALLBACK (color_changed_cb), self,
                           G_CONNECT_SWAPPED);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
