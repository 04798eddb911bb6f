#include "ui/panels/command-list.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/node-field.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/run.h"
#include "ui/panels/fuzzy.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/recent-files.h"

#include <string.h>

#define MAX_RECENT 12
/* Matches of the label come before matches of the keywords alone. */
#define LABEL_SCORE 100

G_DEFINE_FINAL_TYPE (GobanCommand, goban_command, G_TYPE_OBJECT)

static void
goban_command_finalize (GObject *object)
{
  GobanCommand *self = GOBAN_COMMAND (object);

  g_free (self->label);
  g_free (self->note);
  g_free (self->keys);
  g_free (self->lua);
  g_free (self->action);

  G_OBJECT_CLASS (goban_command_parent_class)->finalize (object);
}

static void
goban_command_class_init (GobanCommandClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = goban_command_finalize;
}

static void
goban_command_init (GobanCommand *self)
{
  self->node = GOBAN_NO_NODE;
}

/* Takes @label, @note and @action. */
static GobanCommand *
add (GPtrArray *list, char *label, char *note, char *action)
{
  GobanCommand *self = g_object_new (GOBAN_TYPE_COMMAND, NULL);

  self->label = label;
  self->note = note;
  self->action = action;
  self->keys = g_strdup ("");
  self->lua = g_strdup ("");
  self->order = list->len;
  g_ptr_array_add (list, self);
  return self;
}

static void
take_lua (GobanCommand *self, char *lua)
{
  g_free (self->lua);
  self->lua = lua;
}

/* --- the table of actions --------------------------------------------------------------------- */

static void
add_actions (GPtrArray *list, GActionGroup *actions)
{
  gsize n;
  const GobanActionInfo *table = goban_actions (&n);

  for (gsize i = 0; i < n; i++)
    {
      const GobanActionInfo *info = &table[i];
      GobanCommand *command;

      if ((info->parameter != NULL && info->target == NULL)
          || !g_action_group_get_action_enabled (actions, info->name))
        continue;
      command = add (list, goban_action_dup_label (info), g_strdup (_ (info->help)),
                     goban_action_detailed_name (info));
      g_free (command->keys);
      command->keys = goban_action_dup_keys (info);
      take_lua (command, g_strdup (info->lua != NULL ? info->lua : ""));
    }
}

/* --- policies, clusters, files ---------------------------------------------------------------- */

/* "win.place('heft')", whatever is in the text. */
static char *
detailed_name (const char *action, const char *target)
{
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_string (target));

  return g_action_print_detailed_name (action, value);
}

static void
add_policies (GPtrArray *list, GActionGroup *actions)
{
  gsize n;
  g_autofree GobanPolicyInfo *policies = goban_policies (&n);

  if (!g_action_group_get_action_enabled (actions, "place"))
    return;
  for (gsize i = 0; i < n; i++)
    {
      GobanRunOptions none = { 0 };
      g_autofree char *plan = goban_log_policy (policies[i].name, &none);
      GobanCommand *command
          = add (list, g_strdup_printf (_ ("Place with %s"), policies[i].name),
                 g_strdup (_ (policies[i].blurb)), detailed_name ("win.place", policies[i].name));

      take_lua (command, g_strdup_printf ("view.show(sim.run(%s))", plan));
    }
}

/* Any field that is a number; those with a row of their own in the table are there already. */
static void
add_colours (GPtrArray *list)
{
  gsize n;
  const GobanNodeField *fields = goban_node_field_table (&n);

  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *action = detailed_name ("win.color", fields[i].name);
      gboolean is_known = fields[i].kind == GOBAN_FIELD_TEXT;

      for (guint k = 0; !is_known && k < list->len; k++)
        {
          const char *lua = ((GobanCommand *) g_ptr_array_index (list, k))->lua;
          g_autofree char *same = g_strdup_printf ("view.color \"%s\"", fields[i].name);

          is_known = g_str_equal (lua, same);
        }
      if (!is_known)
        take_lua (add (list, g_strdup_printf (_ ("Colour by %s"), fields[i].name),
                       g_strdup (_ (fields[i].blurb)), g_steal_pointer (&action)),
                  g_strdup_printf ("view.color \"%s\"", fields[i].name));
    }
}

static void
add_clusters (GPtrArray *list)
{
  const char *const *presets = goban_cluster_presets ();

  for (guint i = 0; presets[i] != NULL; i += 2)
    {
      const char *spec = g_str_has_prefix (presets[i], "equal:") ? "equal:2" : presets[i];
      GobanCommand *command
          = add (list, g_strdup_printf (_ ("Cluster %s"), spec), g_strdup (_ (presets[i + 1])),
                 detailed_name ("win.cluster", spec));

      take_lua (command, g_strdup_printf ("app.cluster \"%s\"", spec));
    }
}

static void
add_recent_files (GPtrArray *list)
{
  g_auto (GStrv) paths = goban_recent_files_list (MAX_RECENT);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *name = g_filename_display_basename (paths[i]);
      g_autofree char *quoted = goban_lua_text_quote (paths[i]);
      g_autofree char *target = goban_recent_files_dup_target (paths[i]);

      take_lua (add (list, g_strdup_printf (_ ("Open %s"), name),
                     g_filename_display_name (paths[i]), detailed_name ("win.open-path", target)),
                g_strdup_printf ("app.open %s", quoted));
    }
}

GPtrArray *
goban_command_list_new (GActionGroup *actions)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);

  add_actions (list, actions);
  add_policies (list, actions);
  add_clusters (list);
  add_colours (list);
  add_recent_files (list);
  return list;
}

void
goban_command_list_add_marks (GPtrArray *list, GobanView *view)
{
  guint n;
  const GobanTimeMark *marks = goban_time_marks_list (goban_view_get_marks (view), &n);

  for (guint i = 0; i < n; i++)
    {
      char time[GOBAN_QUANTITY_LEN];
      g_autofree char *quoted = goban_lua_text_quote (marks[i].name);

      take_lua (add (list, g_strdup_printf (_ ("Go to mark %s"), marks[i].name),
                     g_strdup (goban_format_time (time, marks[i].time_us)),
                     detailed_name ("win.show-mark", marks[i].name)),
                g_strdup_printf ("view.time %s", quoted));
    }
}

/* --- nodes ------------------------------------------------------------------------------------ */

GobanCommand *
goban_command_new_for_node (GobanGraph *graph, GobanRun *run, GobanNodeId node)
{
  const GobanNode *data = goban_graph_get_node (graph, node);
  GobanCommand *self = g_object_new (GOBAN_TYPE_COMMAND, NULL);
  g_autofree char *quoted = goban_lua_text_quote (data->name);
  const char *device = NULL;

  if (run != NULL)
    device = goban_cluster_get_device (goban_run_get_cluster (run),
                                       goban_plan_get_device (goban_run_get_plan (run), node))
                 ->name;
  self->node = node;
  self->label = g_strdup (data->name);
  self->note
      = g_strdup_printf ("%s%s%s", data->op, device != NULL && *data->op != '\0' ? "  ·  " : "",
                         device != NULL ? device : "");
  self->lua = g_strdup_printf ("view.select %s", quoted);
  self->keys = g_strdup ("");
  self->action = g_strdup ("");
  return self;
}

/* Whether each word between the spaces of @typed is in the text as it stands, whatever its case. */
static gboolean
has_words (const char *text, const char *typed)
{
  g_autofree char *folded = g_utf8_strdown (text, -1);
  g_autofree char *wanted = g_utf8_strdown (typed, -1);
  g_auto (GStrv) words = g_strsplit (wanted, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (folded, words[i]) == NULL)
      return FALSE;
  return TRUE;
}

/* Any sentence contains scattered letters, so the texts beside the label are matched by whole
 * words. */
int
goban_command_score (GobanCommand *self, const char *typed)
{
  int score = goban_fuzzy_score (typed, self->label);
  g_autofree char *all = NULL;

  if (score > 0)
    return score + LABEL_SCORE;

  all = g_strjoin (" ", self->label, self->note, self->lua, NULL);
  return has_words (all, typed) ? 1 : 0;
}
