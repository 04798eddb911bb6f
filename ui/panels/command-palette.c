#include "ui/panels/command-palette.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/session-log.h"
#include "engine/session/session-marks.h"
#include "engine/study/analysis/node-field.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/run.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/recent-files.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/text.h"

#include <string.h>

/* Each letter found. */
#define LETTER 16
/* In front of a word, "h" of "place-heft" and "T" of "NodeTable"; the first of the text more. */
#define WORD_START 12
#define TEXT_START 4
/* Right behind the letter before. */
#define ADJACENT 16
/* Letters skipped between two that are found, or before the first, cost 1 each, up to this. */
#define MOST_GAP 8
#define NO_MATCH (-1000000)

static gboolean
is_letter (char c)
{
  return g_ascii_isalnum (c) || (c & 0x80) != 0;
}

static gboolean
is_same (char typed, char c)
{
  return g_ascii_tolower (typed) == g_ascii_tolower (c);
}

static int
score_place (const char *text, gsize at)
{
  char c = text[at];
  gboolean is_start;

  if (at == 0)
    return LETTER + WORD_START + TEXT_START;

  is_start
      = is_letter (c)
        && (!is_letter (text[at - 1]) || (g_ascii_isupper (c) && g_ascii_islower (text[at - 1]))
            || (g_ascii_isdigit (c) && !g_ascii_isdigit (text[at - 1])));
  return is_start ? LETTER + WORD_START : LETTER;
}

/* Whether the letters come in their order at all: most texts are refused here. */
static gboolean
is_subsequence (const char *word, gsize n_word, const char *text, gsize n_text)
{
  gsize found = 0;

  for (gsize i = 0; found < n_word && i < n_text; i++)
    found += is_same (word[found], text[i]);
  return found == n_word;
}

/* best[j] becomes the best score of the letters so far whose last is at j, from before[], the same
 * of one letter less: the best within a gap's reach, or the best of all that are further. */
static void
add_letter (int *best, const int *before, char letter, const char *text, gsize n_text)
{
  int furthest = NO_MATCH;

  for (gsize j = 0; j < n_text; j++)
    {
      int from = NO_MATCH;

      if (j > MOST_GAP + 1)
        furthest = MAX (furthest, before[j - MOST_GAP - 2] - MOST_GAP);
      best[j] = NO_MATCH;
      if (!is_same (letter, text[j]))
        continue;
      for (gsize gap = 0; gap <= MOST_GAP && gap < j; gap++)
        from = MAX (from, before[j - 1 - gap] + (gap == 0 ? ADJACENT : -(int) gap));
      from = MAX (from, furthest);
      if (from > NO_MATCH / 2)
        best[j] = from + score_place (text, j);
    }
}

/* The best of all ways to find the letters, by dynamic programming: O(letters x text x gap). */
static int
score_word (const char *word, gsize n_word, const char *text, gsize n_text)
{
  int rows[2][GOBAN_FUZZY_MOST_TEXT];
  int best = 0;

  if (!is_subsequence (word, n_word, text, n_text))
    return 0;

  for (gsize j = 0; j < n_text; j++)
    rows[0][j]
        = is_same (word[0], text[j]) ? score_place (text, j) - (int) MIN (j, MOST_GAP) : NO_MATCH;
  for (gsize i = 1; i < n_word; i++)
    add_letter (rows[i % 2], rows[(i + 1) % 2], word[i], text, n_text);
  for (gsize j = 0; j < n_text; j++)
    best = MAX (best, rows[(n_word + 1) % 2][j]);
  return best;
}

int
goban_fuzzy_score (const char *typed, const char *text)
{
  gsize n_text = MIN (strlen (text), GOBAN_FUZZY_MOST_TEXT);
  int sum = 1;

  for (typed += strspn (typed, " "); *typed != '\0'; typed += strspn (typed, " "))
    {
      gsize n_word = strcspn (typed, " ");
      int score = score_word (typed, MIN (n_word, GOBAN_FUZZY_MOST_TYPED), text, n_text);

      if (score == 0)
        return 0;
      sum += score;
      typed += n_word;
    }

  return sum;
}

#define MAX_RECENT 12
/* Matches of the label come before matches of the keywords alone. */
#define LABEL_SCORE 100

G_DEFINE_FINAL_TYPE (GobanPaletteEntry, goban_palette_entry, G_TYPE_OBJECT)

static void
goban_palette_entry_finalize (GObject *object)
{
  GobanPaletteEntry *self = GOBAN_PALETTE_ENTRY (object);

  g_free (self->label);
  g_free (self->note);
  g_free (self->keys);
  g_free (self->lua);
  g_free (self->action);

  G_OBJECT_CLASS (goban_palette_entry_parent_class)->finalize (object);
}

static void
goban_palette_entry_class_init (GobanPaletteEntryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = goban_palette_entry_finalize;
}

static void
goban_palette_entry_init (GobanPaletteEntry *self)
{
  self->node = GOBAN_NO_NODE;
}

/* Takes @label, @note and @action. */
static GobanPaletteEntry *
add (GPtrArray *list, char *label, char *note, char *action)
{
  GobanPaletteEntry *self = g_object_new (GOBAN_TYPE_PALETTE_ENTRY, NULL);

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
take_lua (GobanPaletteEntry *self, char *lua)
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
      GobanPaletteEntry *command;

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
      GobanPaletteEntry *command
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
          const char *lua = ((GobanPaletteEntry *) g_ptr_array_index (list, k))->lua;
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
      GobanPaletteEntry *command
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

/* Adds a command to go to each mark of the timeline. */
static void
command_list_add_marks (GPtrArray *list, GobanView *view)
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

/* A command that selects and shows a node. (transfer full) */
static GobanPaletteEntry *
palette_entry_new_for_node (GobanGraph *graph, GobanRun *run, GobanNodeId node)
{
  const GobanNode *data = goban_graph_get_node (graph, node);
  GobanPaletteEntry *self = g_object_new (GOBAN_TYPE_PALETTE_ENTRY, NULL);
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
static int
palette_entry_score (GobanPaletteEntry *self, const char *typed)
{
  int score = goban_fuzzy_score (typed, self->label);
  g_autofree char *all = NULL;

  if (score > 0)
    return score + LABEL_SCORE;

  all = g_strjoin (" ", self->label, self->note, self->lua, NULL);
  return has_words (all, typed) ? 1 : 0;
}

/* More rows would not be read, and every row takes time to make. */
#define MOST_RESULTS 30
#define MOST_RECENT 20
/* Nodes are looked through so long at a time, and the clock is read once for so many. */
#define SLICE_US 2000
#define NODES_A_STEP 256

/* A node that fits. */
typedef struct
{
  GobanNodeId node;
  int score;
} Found;

struct _GobanCommandPalette
{
  GtkWidget parent;

  GobanSession *session;
  GActionGroup *actions; /* borrowed */
  GPtrArray *commands;   /* of when it was opened */
  GPtrArray *recent;     /* char *, actions that were run, the last one first */
  GListStore *results;
  GtkSingleSelection *model;
  GtkWidget *entry;
  GtkWidget *list;
  GtkWidget *nothing;

  GArray *found; /* Found, the best first, while nodes are looked through */
  GobanNodeId next;
  guint slice_id;
};

G_DEFINE_FINAL_TYPE (GobanCommandPalette, goban_command_palette, GTK_TYPE_WIDGET)

static void
close_palette (GobanCommandPalette *self)
{
  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  g_clear_handle_id (&self->slice_id, g_source_remove);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit_by_name (self, "closed");
}
static void run_marked (GobanCommandPalette *self);

/* --- rows ------------------------------------------------------------------------------------- */

static GtkWidget *
new_cell (float xalign, const char *css_class, GobanKeep keep)
{
  GtkWidget *label = goban_short_label_new (keep, xalign);

  gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
set_cell (GtkGrid *row, int column, int line, const char *text)
{
  goban_short_label_set_text (GOBAN_SHORT_LABEL (gtk_grid_get_child_at (row, column, line)), text);
}

/* A list that is activated by one click also selects the row that comes to lie under a pointer at
 * rest. */
static void
clicked_cb (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  GtkListItem *item = user_data;
  GtkWidget *row = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  GtkWidget *palette = gtk_widget_get_ancestor (row, GOBAN_TYPE_COMMAND_PALETTE);
  GobanCommandPalette *self = GOBAN_COMMAND_PALETTE (palette);

  gtk_single_selection_set_selected (self->model, gtk_list_item_get_position (item));
  run_marked (self);
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *row = gtk_grid_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  GtkWidget *label = new_cell (0.0, "label", GOBAN_KEEP_END);
  GtkWidget *keys = gtk_label_new ("");
  GtkWidget *lua = new_cell (1.0, "lua", GOBAN_KEEP_START);

  gtk_widget_set_hexpand (label, TRUE);
  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (lua), 40);
  gtk_label_set_xalign (GTK_LABEL (keys), 1.0);
  gtk_widget_add_css_class (keys, "keys");
  gtk_grid_set_column_spacing (GTK_GRID (row), 12);
  gtk_grid_attach (GTK_GRID (row), label, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (row), new_cell (0.0, "note", GOBAN_KEEP_START), 0, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (row), keys, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (row), lua, 1, 1, 1, 1);
  g_signal_connect (click, "released", G_CALLBACK (clicked_cb), item);
  gtk_widget_add_controller (row, GTK_EVENT_CONTROLLER (click));
  gtk_list_item_set_child (item, row);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkGrid *row = GTK_GRID (gtk_list_item_get_child (item));
  GobanPaletteEntry *command = gtk_list_item_get_item (item);

  set_cell (row, 0, 0, command->label);
  set_cell (row, 0, 1, command->note);
  goban_set_label_text (gtk_grid_get_child_at (row, 1, 0), command->keys);
  set_cell (row, 1, 1, command->lua);
}

/* --- results ---------------------------------------------------------------------------------- */

static void
show_results (GobanCommandPalette *self, GPtrArray *commands)
{
  guint n = MIN (commands->len, MOST_RESULTS);

  g_list_store_splice (self->results, 0, g_list_model_get_n_items (G_LIST_MODEL (self->results)),
                       commands->pdata, n);
  gtk_widget_set_visible (self->nothing, n == 0);
  if (n > 0)
    {
      gtk_single_selection_set_selected (self->model, 0);
      gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", 0);
    }
}

/* Age of the last use; never used counts as oldest. */
static guint
get_age (GobanCommandPalette *self, const GobanPaletteEntry *command)
{
  for (guint i = 0; i < self->recent->len; i++)
    if (g_str_equal (g_ptr_array_index (self->recent, i), command->action))
      return i;
  return MOST_RECENT;
}

static int
compare_commands (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GobanPaletteEntry *left = *(GobanPaletteEntry *const *) a;
  const GobanPaletteEntry *right = *(GobanPaletteEntry *const *) b;
  guint left_age, right_age;

  if (left->score != right->score)
    return left->score > right->score ? -1 : 1;

  left_age = get_age (user_data, left);
  right_age = get_age (user_data, right);
  if (left_age != right_age)
    return left_age < right_age ? -1 : 1;
  return left->order < right->order ? -1 : 1;
}

static void
search_commands (GobanCommandPalette *self, const char *typed)
{
  g_autoptr (GPtrArray) fitting = g_ptr_array_new ();

  for (guint i = 0; i < self->commands->len; i++)
    {
      GobanPaletteEntry *command = g_ptr_array_index (self->commands, i);

      command->score = palette_entry_score (command, typed);
      if (command->score > 0)
        g_ptr_array_add (fitting, command);
    }
  g_ptr_array_sort_with_data (fitting, compare_commands, self);
  show_results (self, fitting);
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* Keeps the best, the first of those that fit alike. */
static void
keep_found (GArray *found, GobanNodeId node, int score)
{
  Found entry = { node, score };
  guint at = found->len;

  if (at == MOST_RESULTS && g_array_index (found, Found, at - 1).score >= score)
    return;
  while (at > 0 && g_array_index (found, Found, at - 1).score < score)
    at--;
  g_array_insert_val (found, at, entry);
  if (found->len > MOST_RESULTS)
    g_array_set_size (found, MOST_RESULTS);
}

static void
show_found (GobanCommandPalette *self)
{
  g_autoptr (GPtrArray) commands = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->found->len; i++)
    g_ptr_array_add (commands,
                     palette_entry_new_for_node (goban_session_get_graph (self->session),
                                                 goban_session_get_current_run (self->session),
                                                 g_array_index (self->found, Found, i).node));
  show_results (self, commands);
}

static gboolean
slice_cb (gpointer user_data)
{
  GobanCommandPalette *self = user_data;
  GobanGraph *graph = goban_session_get_graph (self->session);
  guint n = graph != NULL ? goban_graph_get_n_nodes (graph) : 0;
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (self->entry)) + 1;
  gint64 end_us = g_get_monotonic_time () + SLICE_US;

  do
    {
      for (guint end = MIN (self->next + NODES_A_STEP, n); self->next < end; self->next++)
        {
          int score = goban_fuzzy_score (typed, goban_graph_get_node (graph, self->next)->name);

          if (score > 0)
            keep_found (self->found, self->next, score);
        }
    }
  while (self->next < n && g_get_monotonic_time () < end_us);

  if (self->next < n)
    return G_SOURCE_CONTINUE;
  self->slice_id = 0;
  show_found (self);
  return G_SOURCE_REMOVE;
}

static void
search (GobanCommandPalette *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  g_clear_handle_id (&self->slice_id, g_source_remove);
  if (self->commands == NULL)
    return;
  if (*text != '@')
    {
      search_commands (self, text);
      return;
    }

  g_array_set_size (self->found, 0);
  self->next = 0;
  self->slice_id = g_idle_add (slice_cb, self);
}

/* The list being searched is gone. */
static void
graph_changed_cb (GobanCommandPalette *self)
{
  if (self->slice_id != 0)
    search (self);
}

/* --- running ---------------------------------------------------------------------------------- */

static void
remember (GobanCommandPalette *self, const char *action)
{
  guint at;

  if (g_ptr_array_find_with_equal_func (self->recent, action, g_str_equal, &at))
    g_ptr_array_remove_index (self->recent, at);
  g_ptr_array_insert (self->recent, 0, g_strdup (action));
  if (self->recent->len > MOST_RECENT)
    g_ptr_array_set_size (self->recent, MOST_RECENT);
}

static void
activate (GobanCommandPalette *self, GobanPaletteEntry *command)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  if (command->node != GOBAN_NO_NODE)
    {
      g_autoptr (GobanSelection) one = goban_selection_new (&command->node, 1);

      goban_session_set_selection (self->session, one);
      goban_session_zoom (self->session, "selection");
      return;
    }

  /* Names of the table of actions and of ourselves. */
  if (!g_action_parse_detailed_name (command->action, &name, &target, NULL))
    g_return_if_reached ();
  remember (self, command->action);
  g_action_group_activate_action (self->actions, name + strlen ("win."), target);
}

static void
run_marked (GobanCommandPalette *self)
{
  g_autoptr (GobanPaletteEntry) command = gtk_single_selection_get_selected_item (self->model);

  if (command == NULL)
    return;
  g_object_ref (command);
  /* Closes first, because the command may grab the focus. */
  close_palette (self);
  activate (self, command);
}

/* --- keys and clicks -------------------------------------------------------------------------- */

static void
move_mark (GobanCommandPalette *self, int steps)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->results));
  guint at = gtk_single_selection_get_selected (self->model);
  gint64 next;

  if (n == 0)
    return;
  /* One step goes round the ends, more stop there. */
  next = (gint64) at + steps;
  if (ABS (steps) == 1)
    next = (next + n) % n;
  next = CLAMP (next, 0, (gint64) n - 1);
  gtk_single_selection_set_selected (self->model, (guint) next);
  gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", (guint) next);
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state,
        GobanCommandPalette *self)
{
  switch (keyval)
    {
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
    case GDK_KEY_Tab:
      move_mark (self, 1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
    case GDK_KEY_ISO_Left_Tab:
      move_mark (self, -1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Page_Down:
      move_mark (self, 8);
      return GDK_EVENT_STOP;
    case GDK_KEY_Page_Up:
      move_mark (self, -8);
      return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
      close_palette (self);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static void
goban_command_palette_dispose (GObject *object)
{
  GobanCommandPalette *self = GOBAN_COMMAND_PALETTE (object);

  g_clear_handle_id (&self->slice_id, g_source_remove);
  goban_remove_children (GTK_WIDGET (self));
  g_clear_object (&self->results);
  g_clear_pointer (&self->commands, g_ptr_array_unref);
  g_clear_pointer (&self->recent, g_ptr_array_unref);
  g_clear_pointer (&self->found, g_array_unref);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_command_palette_parent_class)->dispose (object);
}

static void
goban_command_palette_class_init (GobanCommandPaletteClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_command_palette_dispose;
  gtk_widget_class_set_css_name (widget_class, "commandpalette");
  goban_signal_add (klass, "closed", 0);
  goban_template_set (widget_class, "panels/command-palette.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanCommandPalette, entry, nothing, list, model);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, search, key_cb, setup_cb, bind_cb, run_marked,
                            close_palette);
}

static void
goban_command_palette_init (GobanCommandPalette *self)
{
  self->recent = g_ptr_array_new_with_free_func (g_free);
  self->found = g_array_new (FALSE, FALSE, sizeof (Found));
  self->results = g_list_store_new (GOBAN_TYPE_PALETTE_ENTRY);
  goban_template_init (GTK_WIDGET (self));
  gtk_single_selection_set_model (self->model, G_LIST_MODEL (self->results));
}

GtkWidget *
goban_command_palette_new (GobanSession *session, GActionGroup *actions)
{
  GobanCommandPalette *self = g_object_new (GOBAN_TYPE_COMMAND_PALETTE, NULL);

  self->session = g_object_ref (session);
  self->actions = actions;
  GOBAN_CONNECT (session, "notify::graph", graph_changed_cb, self);
  return GTK_WIDGET (self);
}

void
goban_command_palette_open (GobanCommandPalette *self, const char *text)
{
  g_return_if_fail (GOBAN_IS_COMMAND_PALETTE (self));

  g_clear_pointer (&self->commands, g_ptr_array_unref);
  self->commands = goban_command_list_new (self->actions);
  command_list_add_marks (self->commands, goban_session_get_view (self->session));
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  search (self);
  gtk_widget_grab_focus (self->entry);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
}
