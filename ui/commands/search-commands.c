#include "ui/commands/search-commands.h"

struct _GobanSearchCommands
{
  GObject parent;

  GobanSite site;
  GobanSearchBar *bar;
  GobanPictures *pictures;
  GobanNodeTable *table;
  GobanTimeCommands *time;
};

G_DEFINE_FINAL_TYPE (GobanSearchCommands, goban_search_commands, G_TYPE_OBJECT)

static void
search (GobanSearchCommands *self, GVariant *parameter)
{
  goban_search_bar_open (self->bar);
}

/* Without a search, the question is which. */
static void
step_match (GobanSearchCommands *self, int direction)
{
  if (goban_search_bar_get_matches (self->bar) != NULL)
    goban_search_bar_step (self->bar, direction);
  else if (goban_session_get_graph (self->site.session) != NULL)
    goban_search_bar_open (self->bar);
}

static void
next_match (GobanSearchCommands *self, GVariant *parameter)
{
  step_match (self, 1);
}

static void
previous_match (GobanSearchCommands *self, GVariant *parameter)
{
  step_match (self, -1);
}

static void
select_matches (GobanSearchCommands *self, GVariant *parameter)
{
  goban_search_bar_select_all (self->bar);
}

static void
filter_matches (GobanSearchCommands *self, GVariant *parameter)
{
  goban_search_bar_filter (self->bar);
}

static void
hide_matches (GobanSearchCommands *self, GVariant *parameter)
{
  goban_search_bar_hide_matches (self->bar);
}

static void
close_search (GobanSearchCommands *self, GVariant *parameter)
{
  goban_search_bar_close (self->bar);
}

static void
escape (GobanSearchCommands *self, GVariant *parameter)
{
  if (!goban_time_commands_calm (self->time) && !goban_search_bar_close (self->bar))
    goban_site_activate (&self->site, "select-none", NULL);
}

static void
matches_changed_cb (GobanSearchCommands *self)
{
  static const char *const need_matches[]
      = { "select-matches", "filter-matches", "hide-matches", NULL };
  GobanSelection *matches = goban_search_bar_get_matches (self->bar);
  guint n = 0;

  if (matches != NULL)
    goban_selection_get_ids (matches, &n);
  goban_site_set_enabled (&self->site, need_matches, n > 0);
  goban_graph_view_set_matches (goban_pictures_get_explored (self->pictures), matches);
  goban_timeline_view_set_matches (goban_pictures_get_timeline (self->pictures), matches);
  goban_node_table_filter (self->table, matches);
}

static const GobanCommand commands[] = {
  { "search", G_CALLBACK (search) },
  { "next-match", G_CALLBACK (next_match) },
  { "previous-match", G_CALLBACK (previous_match) },
  { "select-matches", G_CALLBACK (select_matches) },
  { "filter-matches", G_CALLBACK (filter_matches) },
  { "hide-matches", G_CALLBACK (hide_matches) },
  { "close-search", G_CALLBACK (close_search) },
  { "escape", G_CALLBACK (escape) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_search_commands_class_init (GobanSearchCommandsClass *klass)
{
}

static void
goban_search_commands_init (GobanSearchCommands *self)
{
}

GobanSearchCommands *
goban_search_commands_new (const GobanSite *site, GobanSearchBar *bar, GobanPictures *pictures,
                           GobanNodeTable *table, GobanTimeCommands *time)
{
  GobanSearchCommands *self = g_object_new (GOBAN_TYPE_SEARCH_COMMANDS, NULL);

  self->site = *site;
  self->bar = bar;
  self->pictures = pictures;
  self->table = table;
  self->time = time;
  g_signal_connect_object (bar, "notify::matches", G_CALLBACK (matches_changed_cb), self,
                           G_CONNECT_SWAPPED);
  matches_changed_cb (self);
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
