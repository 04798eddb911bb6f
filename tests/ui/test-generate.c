/* The dialog of generated graphs: its knobs and its spec are one thing, and what it makes is open.
 * Needs a display: run by gui-run.sh. */
#include "tests/ui/gui-window.h"

#include "engine/graph/workloads/workload.h"
#include "engine/session/session-log.h"
#include "tests/support/test-program.h"
#include "ui/dialogs/generate-dialog.h"

#include <string.h>

/* The dialog that the command has opened, or NULL. */
static GobanGenerateDialog *
find_dialog (GuiWindow *f)
{
  return GOBAN_GENERATE_DIALOG (gui_dialog (f, GOBAN_TYPE_GENERATE_DIALOG));
}

static gboolean
has_dialog (gpointer data)
{
  return find_dialog (data) != NULL;
}

static GobanGenerateDialog *
open_dialog (GuiWindow *f)
{
  gui_act (f, "generate", NULL);
  gui_wait (has_dialog, f, "the dialog is open");
  gui_draw (GTK_WIDGET (find_dialog (f)));
  return find_dialog (f);
}

static void
pick_family (GobanGenerateDialog *dialog, const char *name)
{
  GtkListBox *list = GTK_LIST_BOX (gui_find (GTK_WIDGET (dialog), GTK_TYPE_LIST_BOX));
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal (families[i]->name, name))
      gtk_list_box_select_row (list, gtk_list_box_get_row_at_index (list, (int) i));
}

static void
set_knob (GobanGenerateDialog *dialog, const char *knob, guint value)
{
  GtkWidget *control = goban_generate_dialog_get_control (dialog, knob);

  if (GTK_IS_DROP_DOWN (control))
    gtk_drop_down_set_selected (GTK_DROP_DOWN (control), value);
  else
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (control), value);
}

static int
get_knob (GobanGenerateDialog *dialog, const char *knob)
{
  GtkWidget *control = goban_generate_dialog_get_control (dialog, knob);

  if (GTK_IS_DROP_DOWN (control))
    return (int) gtk_drop_down_get_selected (GTK_DROP_DOWN (control));
  return gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (control));
}

static void
test_generate (GuiWindow *f, gconstpointer data)
{
  GobanGenerateDialog *dialog = open_dialog (f);

  pick_family (dialog, "gnmt");
  g_assert_cmpstr (gui_child_text (dialog, "entry"), ==, "gnmt");
  set_knob (dialog, "layers", 3);
  set_knob (dialog, "steps", 2);
  set_knob (dialog, "granularity", 1);
  g_assert_cmpstr (gui_child_text (dialog, "entry"), ==,
                   "gnmt:layers=3,steps=2,granularity=coarse");
  g_assert_true (g_str_has_prefix (gui_child_text (dialog, "verdict"), "Fewer than "));

  g_signal_emit_by_name (gui_child (dialog, "generate"), "clicked");
  gui_wait (gui_has_settled, f, "the graph is generated and placed");
  g_assert_null (find_dialog (f));
  g_assert_cmpstr (goban_graph_get_name (goban_session_get_graph (f->session)), ==,
                   "gnmt:layers=3,steps=2,granularity=coarse");
  g_assert_nonnull (strstr (g_ptr_array_index (goban_session_get_log (f->session), 0),
                            "app.open \"gnmt:layers=3,steps=2,granularity=coarse\""));

  /* Who comes back finds what is open. */
  g_assert_cmpint (get_knob (open_dialog (f), "layers"), ==, 3);
}

static void
test_typed_spec_sets_the_knobs (GuiWindow *f, gconstpointer data)
{
  GobanGenerateDialog *dialog = open_dialog (f);

  gtk_editable_set_text (gui_child (dialog, "entry"), "wavenet:mode=inference,stacks=2,steps=100");
  g_assert_cmpint (get_knob (dialog, "stacks"), ==, 2);
  g_assert_cmpint (get_knob (dialog, "steps"), ==, 100);
  g_assert_cmpint (get_knob (dialog, "mode"), ==, 1);
  /* What was typed stays as it was typed. */
  g_assert_cmpstr (gui_child_text (dialog, "entry"), ==,
                   "wavenet:mode=inference,stacks=2,steps=100");
  gtk_editable_set_text (gui_child (dialog, "entry"), "wavenet:mode=inference");
  g_assert_cmpint (get_knob (dialog, "steps"), !=, 100);
}

/* A size sets the knobs that it is about, which may then be changed. */
static void
test_size_sets_the_knobs (GuiWindow *f, gconstpointer data)
{
  GobanGenerateDialog *dialog = open_dialog (f);

  pick_family (dialog, "gpt");
  set_knob (dialog, "size", 3);
  g_assert_cmpint (get_knob (dialog, "layers"), ==, 48);
  g_assert_cmpint (get_knob (dialog, "width"), ==, 1600);
  g_assert_cmpstr (gui_child_text (dialog, "entry"), ==, "gpt:size=gpt2-xl");
  set_knob (dialog, "layers", 2);
  gtk_check_button_set_active (
      GTK_CHECK_BUTTON (goban_generate_dialog_get_control (dialog, "flash")), FALSE);
  g_assert_cmpstr (gui_child_text (dialog, "entry"), ==, "gpt:size=gpt2-xl,layers=2,flash=0");
  set_knob (dialog, "tp", 3);
  g_assert_cmpstr (gui_child_text (dialog, "verdict"), ==,
                   "Tp=3 does not divide the 25 heads; say 1, 5 or 25");
}

static void
test_mistake_is_told (GuiWindow *f, gconstpointer data)
{
  GobanGenerateDialog *dialog = open_dialog (f);

  gtk_editable_set_text (gui_child (dialog, "entry"), "rnnlm:layers=3");
  gtk_editable_set_text (gui_child (dialog, "entry"), "rnnlm:layers=3,stepz=2");
  g_assert_nonnull (strstr (gui_child_text (dialog, "verdict"), "“stepz”"));
  g_assert_cmpint (get_knob (dialog, "layers"), ==, 3);
  g_signal_emit_by_name (gui_child (dialog, "generate"), "clicked");
  gui_draw (GTK_WIDGET (dialog));
  g_assert_true (find_dialog (f) == dialog);
  g_assert_null (goban_session_get_job (f->session));

  /* Knobs may each be right and be too much together; a knob mends it. */
  gtk_editable_set_text (gui_child (dialog, "entry"), "rnnlm:layers=1000,steps=1");
  set_knob (dialog, "steps", 4000);
  g_assert_nonnull (strstr (gui_child_text (dialog, "verdict"), "at most"));
  set_knob (dialog, "steps", 2);
  g_assert_cmpstr (gui_child_text (dialog, "entry"), ==, "rnnlm:layers=1000,steps=2");
  g_assert_true (g_str_has_prefix (gui_child_text (dialog, "verdict"), "About "));
}

/* Every family's every default is a spec, and its knobs leave its name. */
static void
test_all_families (GuiWindow *f, gconstpointer data)
{
  GobanGenerateDialog *dialog = open_dialog (f);
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  for (gsize i = 0; i < n; i++)
    {
      pick_family (dialog, families[i]->name);
      g_assert_cmpstr (gui_child_text (dialog, "entry"), ==, families[i]->name);
      g_assert_true (g_str_has_prefix (gui_child_text (dialog, "verdict"), "About "));
      set_knob (dialog, "batch", 2);
      set_knob (dialog, "batch", (guint) families[i]->knobs[0].minimum + 2);
      gui_draw (GTK_WIDGET (dialog));
    }
}

static void
test_stopped_graph_is_not_opened (GuiWindow *f, gconstpointer data)
{
  GobanGenerateDialog *dialog = open_dialog (f);

  gtk_editable_set_text (gui_child (dialog, "entry"), "rnnlm:layers=8,steps=200");
  g_signal_emit_by_name (gui_child (dialog, "generate"), "clicked");
  gui_act (f, "stop", NULL);
  gui_wait (gui_has_no_job, f, "the work has stopped");
  g_assert_null (goban_session_get_graph (f->session));
  g_assert_true (gui_has_notice (f, "Stopped on request"));
}

TEST_PROGRAM (generate)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  gui_window_begin ();
  gui_window_add ("/generate/open", test_generate);
  gui_window_add ("/generate/typed-spec-sets-the-knobs", test_typed_spec_sets_the_knobs);
  gui_window_add ("/generate/size-sets-the-knobs", test_size_sets_the_knobs);
  gui_window_add ("/generate/mistake-is-told", test_mistake_is_told);
  gui_window_add ("/generate/all-families", test_all_families);
  gui_window_add ("/generate/stopped-graph-is-not-opened", test_stopped_graph_is_not_opened);
  status = g_test_run ();
  gui_window_end ();
  return status;
}
