/* bench-training.c: processor time of trainings with their pane open and closed: "name value unit".
 *
 * bench-training [KIND...]. Each kind, a network or a policy that learns on the open graph, does
 * the same work several times, its pane open and closed by turns:
 *
 *   KIND-ratio  processor time of all threads with the pane over that without, of the least of each
 *   KIND-pane   share of one processor that the pane takes: the main thread's time with it, less
 *               that without it, over the seconds that the training takes; the median
 *   KIND-extra  the same over the processor time of the training without the pane: the ratio's part
 *               that is the main thread's, which other programs do not disturb
 *   KIND-first  seconds until the first curve
 *
 * At most 1.02 is wanted of the ratio and 2 % of the pane, which other programs disturb less, and
 * 2 s of the first curve. Needs a display: run by gui-run.sh.
 */
#include "tests/bench/bench-clock.h"
#include "tests/support/folder.h"
#include "tests/ui/gui-window.h"

#include "engine/study/training/training-list.h"
#include "ui/training/training-view.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>

#define N_TIMES 5
#define GRAPH "samples/inception-v3.onnx"

typedef struct
{
  const char *name;
  const char *settings;  /* of a network */
  gint64 n_steps;        /* of a network */
  guint64 n_evaluations; /* of a policy on the graph; 0: a network */
} Kind;

/* Of some seconds each. */
static const Kind kinds[] = {
  { "builder", NULL, 12, 0 }, { "moves", NULL, 20, 0 },        { "go", NULL, 40, 0 },
  { "regal", NULL, 8, 0 },    { "hdp", NULL, 0, 240 },         { "placeto", NULL, 0, 4000 },
  { "post", NULL, 0, 8000 },  { "go-finetune", NULL, 0, 800 }, { "go-on-the-graph", NULL, 0, 8000 },
};

typedef struct
{
  double process_ms;
  double main_ms;
  double wall_ms;
  double first_ms; /* NAN: no curve */
} Sample;

static GobanTrainingView *
get_view (GuiWindow *f)
{
  return GOBAN_TRAINING_VIEW (gui_part (f, GOBAN_TYPE_TRAINING_VIEW));
}

static void
show_pane (GuiWindow *f, gboolean is_open)
{
  g_autoptr (GVariant) state
      = g_action_group_get_action_state (G_ACTION_GROUP (f->window), "training-pane");

  if (g_variant_get_boolean (state) != is_open)
    gui_act (f, "training-pane", NULL);
}

static GobanTrainingJob *
start_network (GuiWindow *f, const Kind *kind, const char *output)
{
  GobanTrainingOptions options = goban_training_options_new (kind->name);
  g_autoptr (GError) error = NULL;
  GobanTrainingJob *training;

  options.output = output;
  options.settings = kind->settings;
  options.n_steps = kind->n_steps;
  options.seed = 1;
  training = goban_training_job_start (&options, &error);
  g_assert_no_error (error);
  goban_training_list_add (G_OBJECT (f->session), training);
  return training;
}

/* The work is over: of a network when its training is, on the graph when the policy has placed. */
static gboolean
is_over (GuiWindow *f, GobanTrainingJob *training)
{
  return training != NULL ? goban_training_job_get_state (training) >= GOBAN_TRAINING_FINISHED
                          : gui_has_no_job (f);
}

static Sample
run_once (GuiWindow *f, const Kind *kind, gboolean is_open)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-bench-XXXXXX", NULL);
  g_autofree char *output = g_build_filename (folder, "a.net", NULL);
  const char *policy = g_str_equal (kind->name, "go-on-the-graph") ? "go" : kind->name;
  g_autoptr (GobanTrainingJob) training = NULL;
  Sample sample = { process_ms (), cpu_ms (), wall_ms (), NAN };

  if (kind->n_evaluations > 0)
    gui_act (f, "place-with",
             g_variant_new ("(sttds)", policy, (guint64) 1, kind->n_evaluations, 0.0, ""));
  else
    training = start_network (f, kind, output);
  while (!is_over (f, training))
    {
      if (!is_open)
        show_pane (f, FALSE);
      else if (isnan (sample.first_ms) && gtk_widget_get_mapped (GTK_WIDGET (get_view (f)))
               && goban_training_charts_get_n_charts (goban_training_view_get_charts (get_view (f)))
                      > 0)
        sample.first_ms = wall_ms () - sample.wall_ms;
      g_main_context_iteration (NULL, TRUE);
    }
  sample.process_ms = process_ms () - sample.process_ms;
  sample.main_ms = cpu_ms () - sample.main_ms;
  sample.wall_ms = wall_ms () - sample.wall_ms;
  gui_wait (gui_has_settled, f, "the end");
  show_pane (f, FALSE);
  g_list_store_remove_all (G_LIST_STORE (goban_training_list_of (G_OBJECT (f->session))));
  remove_folder (folder);
  return sample;
}

static double
get_share (const Sample *open, const Sample *closed)
{
  return 100 * (open->main_ms / open->wall_ms - closed->main_ms / closed->wall_ms);
}

static void
bench_kind (GuiWindow *f, const Kind *kind)
{
  double closed_ms = INFINITY, open_ms = INFINITY, first_ms = INFINITY;
  double shares[N_TIMES], extras[N_TIMES];

  for (guint i = 0; i < N_TIMES; i++)
    {
      Sample closed = run_once (f, kind, FALSE), open = run_once (f, kind, TRUE);

      closed_ms = MIN (closed_ms, closed.process_ms);
      open_ms = MIN (open_ms, open.process_ms);
      first_ms = fmin (first_ms, open.first_ms);
      shares[i] = get_share (&open, &closed);
      extras[i] = 100 * (open.main_ms - closed.main_ms) / closed.process_ms;
    }
  printf ("training-%s-closed %.0f ms\n", kind->name, closed_ms);
  printf ("training-%s-open %.0f ms\n", kind->name, open_ms);
  printf ("training-%s-ratio %.4f ratio\n", kind->name, open_ms / closed_ms);
  printf ("training-%s-pane %.2f %%\n", kind->name, median_ms (shares, N_TIMES));
  printf ("training-%s-extra %.2f %%\n", kind->name, median_ms (extras, N_TIMES));
  printf ("training-%s-first %.2f s\n", kind->name, first_ms / 1e3);
}

int
main (int argc, char **argv)
{
  GuiWindow f = { 0 };
  GObject *widget;

  setvbuf (stdout, NULL, _IOLBF, 0);
  gtk_init ();
  gui_window_begin ();
  f.session = goban_session_new ();
  f.window = gui_window_new (f.session);
  gtk_window_set_default_size (GTK_WINDOW (f.window), 1600, 1000);
  gtk_window_present (GTK_WINDOW (f.window));
  gui_open_path (&f, GRAPH);
  gui_wait (gui_has_settled, &f, "the graph is placed");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (argc == 1 || g_strv_contains ((const char *const *) argv + 1, kinds[i].name))
      bench_kind (&f, &kinds[i]);
  widget = g_object_ref (G_OBJECT (f.window));
  gtk_window_destroy (GTK_WINDOW (f.window));
  gui_wait_finalized (widget);
  g_object_unref (f.session);
  gui_window_end ();
  return 0;
}
