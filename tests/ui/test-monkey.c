/* A monkey over the real window: random keys, clicks, drags, commands, dialogs opened and closed,
 * over samples, with seeds. What it finds is a critical, a warning, a crash, memory that grows, or
 * a main loop that is blocked.
 *
 * One short round a sample, unless GOBAN_MONKEY_SECONDS=N: rounds of new seeds for so many seconds
 * a sample, in which memory and main loop are watched too. GOBAN_MONKEY_SEED=N is the first seed,
 * and GOBAN_MONKEY_BLOCKED_MS=N another bound of a turn of the main loop. */
#include "tests/support/folder.h"
#include "tests/support/shared-data.h"
#include "tests/ui/gui-window.h"
#include "tests/ui/monkey-input.h"
#include "tests/ui/monkey-watch.h"

#include "app/lua/lua-console.h"
#include "engine/core/jobs/malloc-tuning.h"
#include "engine/session/session-log.h"
#include "tests/support/test-program.h"
#include "ui/widgets/actions.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHORT_ACTIONS 60
#define LONG_ACTIONS 500
#define FIRST_SEED 1000
#define MAX_BLOCKED_MS 300
#define MAX_GROWTH_BYTES (20 * 1000 * 1000)
#define N_LAST_ROUNDS 3
#define WARM_UP_ROUNDS 3
#define SCREEN_WIDTH 1600
#define SCREEN_HEIGHT 1000
#define SPIN_MS 30

typedef struct
{
  GobanWindow *window; /* NULL: it was closed */
  GobanSession *session;
  GRand *rand;
  gboolean only_files; /* plays with file dialogs alone */
  char *folder;        /* with the sample's copy, where the monkey may write */
  char *path;
} Monkey;

static guint n_seconds; /* a sample; 0: short */
static guint32 first_seed = FIRST_SEED;

static guint
draw (Monkey *self, guint n)
{
  return (guint) g_rand_int_range (self->rand, 0, (gint32) n);
}

static gboolean
spun_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Some turns of the main loop, or as many as there are for a moment. */
static void
spin (Monkey *self)
{
  gboolean has_spun = FALSE;

  if (draw (self, 3) > 0)
    {
      for (guint i = 1 << draw (self, 6); i > 0; i--)
        g_main_context_iteration (NULL, FALSE);
      return;
    }
  g_timeout_add (SPIN_MS, spun_cb, &has_spun);
  while (!has_spun)
    g_main_context_iteration (NULL, TRUE);
}

/* --- windows --------------------------------------------------------------------------------- */

/* The one that was opened last, other than the main window, or NULL. Borrowed. */
static GtkWindow *
find_dialog (Monkey *self)
{
  GListModel *all = gtk_window_get_toplevels ();
  GtkWindow *found = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (all, i);

      if (window != (gpointer) self->window && gtk_widget_get_mapped (GTK_WIDGET (window)))
        found = window;
    }
  return found;
}

static void
collect (GtkWidget *widget, GPtrArray *shown)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_mapped (child))
      {
        g_ptr_array_add (shown, child);
        collect (child, shown);
      }
}

/* Its main button, which would write a file anywhere. */
static gboolean
is_saving (GtkWindow *dialog)
{
  return GTK_IS_FILE_CHOOSER (dialog)
         && gtk_file_chooser_get_action (GTK_FILE_CHOOSER (dialog)) != GTK_FILE_CHOOSER_ACTION_OPEN;
}

static gboolean
is_forbidden (Monkey *self, GtkWidget *widget)
{
  GtkWidget *button = gtk_widget_get_ancestor (widget, GTK_TYPE_BUTTON);

  return button != NULL && GTK_IS_WINDOW (gtk_widget_get_root (button))
         && is_saving (GTK_WINDOW (gtk_widget_get_root (button)))
         && gtk_widget_has_css_class (button, "suggested-action");
}

/* A widget of the window on top, or any place of the screen. */
static void
choose_place (Monkey *self, int *x, int *y)
{
  GtkWindow *dialog = find_dialog (self);
  GtkWidget *window = GTK_WIDGET (dialog != NULL ? dialog : GTK_WINDOW (self->window));
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();
  GtkWidget *widget;

  *x = (int) draw (self, SCREEN_WIDTH);
  *y = (int) draw (self, SCREEN_HEIGHT);
  if (draw (self, 3) == 0 && !is_saving (dialog))
    return;
  collect (window, shown);
  if (shown->len == 0)
    return;
  widget = g_ptr_array_index (shown, draw (self, shown->len));
  if (!is_forbidden (self, widget) && monkey_locate (widget, x, y))
    monkey_watch_note ("at %s", G_OBJECT_TYPE_NAME (widget));
}

/* --- actions --------------------------------------------------------------------------------- */

static const GdkModifierType modifiers[]
    = { 0,           0, 0, 0, GDK_SHIFT_MASK, GDK_CONTROL_MASK, GDK_CONTROL_MASK | GDK_SHIFT_MASK,
        GDK_ALT_MASK };

/* GTK's inspector, whose own warnings are none of the program's. */
static gboolean
opens_inspector (guint keyval, GdkModifierType modifier)
{
  return modifier == (GDK_CONTROL_MASK | GDK_SHIFT_MASK)
         && (keyval == GDK_KEY_i || keyval == GDK_KEY_d);
}

static void
type_key (Monkey *self)
{
  static const guint special[]
      = { GDK_KEY_Return,    GDK_KEY_Escape,  GDK_KEY_Tab,    GDK_KEY_Left,      GDK_KEY_Right,
          GDK_KEY_Up,        GDK_KEY_Down,    GDK_KEY_Home,   GDK_KEY_End,       GDK_KEY_space,
          GDK_KEY_F1,        GDK_KEY_F2,      GDK_KEY_F5,     GDK_KEY_F9,        GDK_KEY_F10,
          GDK_KEY_F11,       GDK_KEY_F12,     GDK_KEY_Menu,   GDK_KEY_plus,      GDK_KEY_minus,
          GDK_KEY_comma,     GDK_KEY_slash,   GDK_KEY_period, GDK_KEY_BackSpace, GDK_KEY_Page_Up,
          GDK_KEY_Page_Down, GDK_KEY_question };
  GdkModifierType modifier = modifiers[draw (self, G_N_ELEMENTS (modifiers))];
  guint keyval = draw (self, 2) == 0   ? GDK_KEY_a + draw (self, 26)
                 : draw (self, 4) == 0 ? GDK_KEY_0 + draw (self, 10)
                                       : special[draw (self, G_N_ELEMENTS (special))];

  /* A dialog that saves would write anywhere. */
  if (opens_inspector (keyval, modifier)
      || (is_saving (find_dialog (self)) && (keyval == GDK_KEY_Return || keyval == GDK_KEY_space)))
    return;
  monkey_watch_note ("key %s%s%s%s", (modifier & GDK_SHIFT_MASK) != 0 ? "Shift+" : "",
                     (modifier & GDK_CONTROL_MASK) != 0 ? "Ctrl+" : "",
                     (modifier & GDK_ALT_MASK) != 0 ? "Alt+" : "", gdk_keyval_name (keyval));
  monkey_press_key (keyval, modifier);
}

static void
click (Monkey *self)
{
  guint button = draw (self, 5) == 0 && !is_saving (find_dialog (self)) ? 1 + draw (self, 3) : 1;
  int x, y;

  choose_place (self, &x, &y);
  monkey_watch_note ("button %u at %d, %d", button, x, y);
  monkey_move_pointer (x, y);
  for (guint i = 0; i < (draw (self, 4) == 0 ? 2 : 1); i++)
    {
      monkey_press_button (button, TRUE);
      monkey_press_button (button, FALSE);
    }
}

static void
drag (Monkey *self)
{
  int x, y, to_x, to_y;

  choose_place (self, &x, &y);
  choose_place (self, &to_x, &to_y);
  monkey_watch_note ("drag from %d, %d to %d, %d", x, y, to_x, to_y);
  monkey_move_pointer (x, y);
  monkey_press_button (1, TRUE);
  for (int i = 1; i <= 4; i++)
    {
      monkey_move_pointer (x + (to_x - x) * i / 4, y + (to_y - y) * i / 4);
      spin (self);
    }
  if (draw (self, 4) == 0)
    monkey_press_key (GDK_KEY_Escape, 0);
  monkey_press_button (1, FALSE);
}

static void
turn_wheel (Monkey *self)
{
  int x, y;

  choose_place (self, &x, &y);
  monkey_watch_note ("wheel at %d, %d", x, y);
  monkey_move_pointer (x, y);
  for (guint n = draw (self, 6), button = 4 + draw (self, 2); n > 0; n--)
    {
      monkey_press_button (button, TRUE);
      monkey_press_button (button, FALSE);
    }
}

static GVariant *
new_parameter (Monkey *self, const GobanActionInfo *info)
{
  static const char *const policies[] = { "heft", "single", "etf", "random", "anneal" };
  static const char *const clusters[] = { "p100x2", "p100x4", "p100x8" };

  if (info->target != NULL)
    return g_variant_parse (G_VARIANT_TYPE (info->parameter), info->target, NULL, NULL, NULL);
  if (g_str_equal (info->parameter, "i"))
    return g_variant_new_int32 ((gint32) draw (self, 10));
  if (g_str_equal (info->parameter, "b"))
    return g_variant_new_boolean (draw (self, 2) == 0);
  if (g_str_equal (info->name, "place"))
    return g_variant_new_string (policies[draw (self, G_N_ELEMENTS (policies))]);
  if (g_str_equal (info->name, "cluster"))
    return g_variant_new_string (clusters[draw (self, G_N_ELEMENTS (clusters))]);
  if (g_str_equal (info->name, "open-path"))
    return g_variant_new_string (self->path);
  return NULL;
}

static void
run_command (Monkey *self)
{
  gsize n;
  const GobanActionInfo *infos = goban_actions (&n);
  const GobanActionInfo *info = &infos[draw (self, (guint) n)];
  g_autoptr (GVariant) parameter = NULL;

  /* One window is enough to close. */
  if (g_str_equal (info->name, "quit")
      || (g_str_equal (info->name, "close") && draw (self, 10) > 0))
    return;
  if (info->parameter != NULL)
    {
      parameter = new_parameter (self, info);
      if (parameter == NULL)
        return;
      g_variant_ref_sink (parameter);
    }
  monkey_watch_note ("command %s", info->name);
  gui_act (&(GuiWindow){ self->session, self->window }, info->name, parameter);
}

/* A file in the folder that dialogs show comes, or goes. */
static void
write_file (Monkey *self)
{
  g_autofree char *name = g_strdup_printf ("%u.json", draw (self, 5));
  g_autofree char *path = g_build_filename (self->folder, name, NULL);

  monkey_watch_note ("file %s", name);
  if (draw (self, 3) == 0)
    g_unlink (path);
  else
    g_file_set_contents (path, "{}", -1, NULL);
}

static void
use_file_dialog (Monkey *self)
{
  static const char *const names[]
      = { "open", "save-as", "cluster-file", "follow-training", "save-plan", "export-table" };
  const char *name = names[draw (self, G_N_ELEMENTS (names))];

  monkey_watch_note ("command %s", name);
  gui_act (&(GuiWindow){ self->session, self->window }, name, NULL);
}

/* Closes the dialog as a user, a program or a display server does. */
static void
close_dialog (Monkey *self)
{
  static const int responses[]
      = { GTK_RESPONSE_CANCEL, GTK_RESPONSE_DELETE_EVENT, GTK_RESPONSE_ACCEPT };
  GtkWindow *dialog = find_dialog (self);
  int response = responses[draw (self, G_N_ELEMENTS (responses))];

  if (dialog == NULL)
    return;
  monkey_watch_note ("close %s", G_OBJECT_TYPE_NAME (dialog));
  if (draw (self, 2) == 0)
    monkey_press_key (GDK_KEY_Escape, 0);
  else if (GTK_IS_FILE_CHOOSER (dialog) && (response != GTK_RESPONSE_ACCEPT || !is_saving (dialog)))
    gtk_dialog_response (GTK_DIALOG (dialog), response);
  else
    gtk_window_close (dialog);
}

static void
type_line (Monkey *self)
{
  static const char *const lines[] = {
    "plot{ 1, 4, 9 }",
    "g:nodes():select()",
    "view.show(sim.run(plan.heft(g)))",
    "for i = 1, 1000 do print(i) end",
    "return string.rep('x', 100000)",
    "return g:nodes()",
    "error(string.rep('long ', 10000))",
    "view.notes(string.rep('note ', 1000))",
  };
  const char *line = lines[draw (self, G_N_ELEMENTS (lines))];

  monkey_watch_note ("line %s", line);
  g_action_group_change_action_state (G_ACTION_GROUP (self->window), "console-pane",
                                      g_variant_new_boolean (TRUE));
  spin (self);
  for (const char *p = line; *p != '\0' && self->window != NULL; p++)
    monkey_press_key (gdk_unicode_to_keyval ((guint32) *p),
                      g_ascii_isupper (*p) ? GDK_SHIFT_MASK : 0);
  monkey_press_key (GDK_KEY_Return, 0);
}

static void
change_window (Monkey *self)
{
  GtkWindow *window = GTK_WINDOW (self->window);
  int width = 400 + (int) draw (self, 1200), height = 300 + (int) draw (self, 700);

  switch (draw (self, 5))
    {
    case 0:
      monkey_watch_note ("size %d x %d", width, height);
      gtk_window_set_default_size (window, width, height);
      break;
    case 1:
      monkey_watch_note ("maximise");
      gtk_window_maximize (window);
      break;
    case 2:
      monkey_watch_note ("unmaximise");
      gtk_window_unmaximize (window);
      break;
    case 3:
      monkey_watch_note ("hide and show");
      gtk_widget_set_visible (GTK_WIDGET (window), FALSE);
      spin (self);
      if (self->window != NULL)
        gtk_widget_set_visible (GTK_WIDGET (window), TRUE);
      break;
    default:
      monkey_watch_note ("message");
      goban_session_say (self->session, draw (self, 2) == 0, "%s",
                         draw (self, 2) == 0 ? "a short message" : self->path);
      break;
    }
}

static void
act (Monkey *self)
{
  static void (*const actions[]) (Monkey * self)
      = { type_key,     type_key,        type_key,    click,         click,
          click,        click,           drag,        turn_wheel,    run_command,
          run_command,  run_command,     run_command, run_command,   close_dialog,
          close_dialog, use_file_dialog, write_file,  change_window, type_line };
  static void (*const file_actions[]) (Monkey * self)
      = { use_file_dialog, use_file_dialog, write_file, close_dialog, type_key, click };
  guint n = draw (self, 100);

  if (self->only_files)
    {
      file_actions[n % G_N_ELEMENTS (file_actions)](self);
      return;
    }
  /* Those that take longest are rare. */
  actions[n < 3 ? G_N_ELEMENTS (actions) - 1 : n % (G_N_ELEMENTS (actions) - 1)](self);
}

/* --- rounds ---------------------------------------------------------------------------------- */

static GobanConsoleEvaluator *
new_evaluator (GobanSession *session)
{
  return GOBAN_CONSOLE_EVALUATOR (goban_lua_console_new (session));
}

static void
open_window (Monkey *self)
{
  g_autoptr (GobanConsoleEvaluator) console = NULL;

  self->session = goban_session_new ();
  self->window = gui_window_new (self->session);
  g_object_add_weak_pointer (G_OBJECT (self->window), (gpointer *) &self->window);
  console = new_evaluator (self->session);
  goban_window_set_evaluator (self->window, console);
  goban_window_set_lesson_evaluator (self->window, new_evaluator);
  goban_window_set_samples (self->window, self->folder);
  gtk_window_present (GTK_WINDOW (self->window));
  gui_wait (gui_is_mapped, self->window, "the window is mapped");
  gui_open_path (&(GuiWindow){ self->session, self->window }, self->path);
  if (draw (self, 4) > 0)
    gui_wait (gui_has_settled, &(GuiWindow){ self->session, self->window }, "the sample is open");
}

static void
close_windows (Monkey *self)
{
  GtkWindow *dialog;

  monkey_release_all ();
  /* A file chooser is its owner's, who shows it again. */
  while ((dialog = find_dialog (self)) != NULL)
    if (GTK_IS_FILE_CHOOSER (dialog))
      gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
    else
      gtk_window_destroy (dialog);
  if (self->window != NULL)
    gtk_window_destroy (GTK_WINDOW (self->window));
  gui_rest ();
  gui_wait_finalized (self->session);
}

static void
play_round (Monkey *self, const char *sample, guint32 seed)
{
  guint n = n_seconds > 0 ? LONG_ACTIONS : SHORT_ACTIONS;

  self->rand = g_rand_new_with_seed (seed);
  monkey_watch_set_round (sample, seed);
  open_window (self);
  for (guint i = 0; i < n && self->window != NULL; i++)
    {
      act (self);
      if (self->window != NULL)
        spin (self);
    }
  monkey_watch_note ("the end of the round");
  close_windows (self);
  g_rand_free (self->rand);
}

static void
play_rounds (Monkey *self, const char *sample)
{
  gint64 end_us = g_get_monotonic_time () + n_seconds * G_USEC_PER_SEC;
  gsize warm_bytes = 0, last_bytes[N_LAST_ROUNDS] = { 0 };
  guint32 n = 0;

  do
    {
      gsize bytes;

      play_round (self, sample, first_seed + n++);
      if (n_seconds == 0)
        return;
      /* What is resident besides are holes of the heap. */
      bytes = monkey_watch_get_used_bytes ();
      g_test_message ("%s, seed %u: %.1f MB in use, %.1f resident", sample, first_seed + n - 1,
                      (double) bytes * 1e-6, (double) monkey_watch_get_rss_bytes () * 1e-6);
      if (n <= WARM_UP_ROUNDS)
        warm_bytes = MAX (warm_bytes, bytes);
      last_bytes[n % N_LAST_ROUNDS] = bytes;
    }
  while (g_get_monotonic_time () < end_us);
  /* What has grown stays; what a round's last work still holds goes in the next. */
  for (guint i = 1; i < N_LAST_ROUNDS; i++)
    last_bytes[0] = MIN (last_bytes[0], last_bytes[i]);
  if (last_bytes[0] > warm_bytes + MAX_GROWTH_BYTES)
    monkey_watch_report ("%s: memory grew by %.1f MB in %u rounds", sample,
                         (double) (last_bytes[0] - warm_bytes) * 1e-6, n - WARM_UP_ROUNDS);
}

static void
play_sample (const char *sample, gboolean only_files)
{
  g_autofree char *in_samples = g_build_filename ("samples", sample, NULL);
  g_autofree char *source = project_path (in_samples);
  g_autofree char *contents = NULL;
  gsize n_bytes;
  guint n_findings = monkey_watch_get_n_findings ();
  Monkey self = { .only_files = only_files };

  self.folder = g_dir_make_tmp ("goban-monkey-XXXXXX", NULL);
  self.path = g_build_filename (self.folder, sample, NULL);
  g_assert_true (g_file_get_contents (source, &contents, &n_bytes, NULL));
  g_assert_true (g_file_set_contents (self.path, contents, (gssize) n_bytes, NULL));
  g_assert_cmpint (chdir (self.folder), ==, 0);
  play_rounds (&self, sample);
  g_assert_cmpint (chdir ("/"), ==, 0);
  remove_folder (self.folder);
  g_free (self.folder);
  g_free (self.path);
  if (monkey_watch_get_n_findings () > n_findings)
    g_test_fail ();
}

static void
test_sample (gconstpointer data)
{
  play_sample (data, FALSE);
}

/* GTK 4.8 crashes if one is closed while its folder changes. */
static void
test_file_dialogs (void)
{
  play_sample ("toy.dot", TRUE);
}

static guint
get_number (const char *name, guint otherwise)
{
  const char *text = g_getenv (name);

  return text != NULL ? (guint) g_ascii_strtoull (text, NULL, 10) : otherwise;
}

TEST_PROGRAM (monkey)
{
  static const char *const samples[]
      = { "toy.dot", "resnet-50.onnx", "gnmt-coarse.json", "wavenet-coarse.json" };
  g_autofree char *home = g_dir_make_tmp ("goban-monkey-XXXXXX", NULL);
  int status;

  /* As the program itself. */
  goban_malloc_tuning_begin ();
  /* The user's home is no place for it to play. */
  g_setenv ("HOME", home, TRUE);
  gtk_test_init (&argc, &argv, NULL);
  if (!monkey_input_begin ())
    {
      g_print ("1..0 # SKIP there is no libXtst or no X server\n");
      return 77;
    }
  n_seconds = get_number ("GOBAN_MONKEY_SECONDS", 0);
  first_seed = get_number ("GOBAN_MONKEY_SEED", FIRST_SEED);
  gui_window_begin ();
  monkey_watch_begin (n_seconds > 0,
                      n_seconds > 0 ? get_number ("GOBAN_MONKEY_BLOCKED_MS", MAX_BLOCKED_MS) : 0);
  for (gsize i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *path = g_strdup_printf ("/ui/monkey/%s", samples[i]);

      g_test_add_data_func (path, samples[i], test_sample);
    }
  g_test_add_func ("/ui/monkey/file-dialogs", test_file_dialogs);
  status = g_test_run ();
  monkey_watch_end ();
  gui_window_end ();
  remove_folder (home);
  return status;
}
