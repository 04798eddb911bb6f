/* test-network.c: GO's network as a whole: its gradients and its symmetries. */
#include "engine/core/parallel.h"
#include "engine/learn/policy/network.h"
#include "engine/learn/policy/pass.h"
#include "tests/learn/tiny-board.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

/* A network, a board, and a loss: random weights times all finite logits. */
typedef struct
{
  GobanNetConfig config;
  GobanNet *net;
  GobanBoard *board;
  GobanPass *pass;
  GobanChoices *choices; /* fixed, where the configuration is sampled */
  float *weights;        /* (widest logits) */
} Case;

/* Every other tensor is as it is drawn; those that start at nothing would hide what they
 * multiply. */
static void
stir (GobanNet *net)
{
  GobanParams *params = net->params;

  for (guint t = 0; t < params->tensors->len; t++)
    {
      gsize n = goban_params_get_size (params, t);
      g_autofree float *noise = g_new (float, n);

      grad_fill (noise, n, 0.15, 100 + t);
      for (gsize i = 0; i < n; i++)
        goban_params_value (params, t)[i] += noise[i];
    }
}

static gsize
get_n_logits (const Case *self, GobanTask task)
{
  return (gsize) self->board->n_rows * (gsize) goban_board_get_n_actions (self->board, task);
}

static void
begin (Case *self, const GobanNetConfig *config, const TinyBoard *shape)
{
  GobanRng rng;

  goban_rng_init (&rng, 5);
  self->config = *config;
  self->net = goban_net_new (config, &rng);
  stir (self->net);
  self->board = tiny_board_new (shape);
  self->pass = goban_pass_new (config, self->board);
  self->choices = NULL;
  if (config->is_sampled)
    {
      self->choices = goban_choices_new (config, shape->n_rows);
      goban_pass_embed (self->pass, self->net);
      goban_pass_decide (self->pass, self->net, self->choices, &rng);
    }
  self->weights = g_new (float, 64 * 64);
  grad_fill (self->weights, 64 * 64, 1, 9);
}

static void
end (Case *self)
{
  goban_pass_free (self->pass);
  goban_net_free (self->net);
  tiny_board_free (self->board);
  g_clear_pointer (&self->choices, goban_choices_free);
  g_free (self->weights);
}

/* The first iteration whose logits are in the loss: the first with decisions. */
static int
get_first_iteration (const Case *self)
{
  return self->config.is_sampled ? 0 : self->config.n_iterations - 1;
}

static double
loss (gpointer data)
{
  Case *self = data;
  double total = 0;

  goban_pass_embed (self->pass, self->net);
  goban_pass_decide (self->pass, self->net, self->choices, NULL);
  for (int t = get_first_iteration (self); t < self->config.n_iterations; t++)
    for (int task = 0; task < GOBAN_N_TASKS; task++)
      {
        const float *logits = goban_pass_get_logits (self->pass, t, (GobanTask) task);

        for (gsize i = 0; logits != NULL && i < get_n_logits (self, (GobanTask) task); i++)
          if (isfinite (logits[i]))
            total += (double) logits[i] * (double) self->weights[i] * (1 + t + task);
      }
  return total;
}

static void
go_back (Case *self)
{
  loss (self);
  for (int t = get_first_iteration (self); t < self->config.n_iterations; t++)
    for (int task = 0; task < GOBAN_N_TASKS; task++)
      {
        float *dlogits = goban_pass_get_logits_grad (self->pass, t, (GobanTask) task);

        for (gsize i = 0; dlogits != NULL && i < get_n_logits (self, (GobanTask) task); i++)
          dlogits[i] += self->weights[i] * (float) (1 + t + task);
      }
  goban_params_zero_grad (self->net->params);
  goban_pass_decide_backward (self->pass, self->net, self->choices);
  goban_pass_embed_backward (self->pass, self->net);
}

/* --- the checker ---------------------------------------------------------------------------- */

/* Within this share of the larger, or of a tenth of what gradients are in the root mean square, of
 * the tensor and of all. */
#define TOLERANCE 0.03
#define FLOOR_SHARE 0.1
/* In larger tensors every fifth number is checked; under sanitizers every seventh of these. */
#define LARGE 40
#define STRIDE 5
#define THIN (TEST_IS_SANITIZED ? 7 : 1)

typedef struct
{
  double middle;          /* difference of the outer four points */
  double lowest, highest; /* slopes between neighbouring points, if the middle one is known */
} Slopes;

static Slopes
differentiate (Case *self, float *x, double step, gboolean has_middle)
{
  double values[5], middle = (double) *x;
  Slopes slopes;

  for (int i = 0; i < 5; i += i == 1 && !has_middle ? 2 : 1)
    {
      *x = (float) (middle + (i - 2) * step);
      values[i] = loss (self);
    }
  *x = (float) middle;
  slopes.middle = (8 * (values[3] - values[1]) - (values[4] - values[0])) / (12 * step);
  slopes.lowest = slopes.highest = (values[1] - values[0]) / step;
  for (int i = 1; has_middle && i < 4; i++)
    {
      slopes.lowest = MIN (slopes.lowest, (values[i + 1] - values[i]) / step);
      slopes.highest = MAX (slopes.highest, (values[i + 1] - values[i]) / step);
    }
  return slopes;
}

/* A relu or a maximum may turn between the points; then the gradient must lie among the slopes on
 * both sides. */
static gboolean
is_right (Case *self, float *x, double gradient, double floor)
{
  Slopes slopes = differentiate (self, x, 4e-3, FALSE);
  double scale = MAX (MAX (fabs (slopes.middle), fabs (gradient)), floor);

  if (fabs (slopes.middle - gradient) <= TOLERANCE * scale)
    return TRUE;
  slopes = differentiate (self, x, 1e-3, TRUE);
  return gradient >= slopes.lowest - TOLERANCE * scale
         && gradient <= slopes.highest + TOLERANCE * scale;
}

/* Counts the wrong gradients of the network among every @thin-th checked number. */
static guint
count_wrong (Case *self, gsize thin)
{
  GobanParams *params = self->net->params;
  double all = 0;
  guint n_wrong = 0;

  for (guint t = 0; t < params->tensors->len; t++)
    all += grad_dot (goban_params_grad (params, t), goban_params_grad (params, t),
                     goban_params_get_size (params, t));
  all = sqrt (all / (double) goban_params_get_total (params));
  for (guint t = 0; t < params->tensors->len; t++)
    {
      const float *gradient = goban_params_grad (params, t);
      gsize n = goban_params_get_size (params, t);
      double rms = sqrt (grad_dot (gradient, gradient, n) / (double) n);

      for (gsize i = 0; i < n; i += n >= LARGE ? STRIDE * thin : thin)
        if (!is_right (self, goban_params_value (params, t) + i, (double) gradient[i],
                       FLOOR_SHARE * (rms + all)))
          {
            g_test_message ("%s[%" G_GSIZE_FORMAT "]: not %g",
                            goban_params_get_tensor (params, t)->name, i, (double) gradient[i]);
            n_wrong++;
          }
    }
  return n_wrong;
}

static void
check_config (const GobanNetConfig *config, const TinyBoard *shape)
{
  Case self;

  begin (&self, config, shape);
  go_back (&self);
  g_assert_cmpuint (count_wrong (&self, THIN), ==, 0);
  end (&self);
}

static const TinyBoard shape = { 9, 3, FALSE, 1 };

static GobanNetConfig
make_small (GobanNetConfig config)
{
  config.width = 6;
  config.n_heads = 2;
  config.ffn = 7;
  config.segment = 4;
  config.n_sage = 2;
  return config;
}

/* --- gradients ------------------------------------------------------------------------------ */

static void
test_goban (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());

  check_config (&config, &shape);
}

/* No row is remembered here; tests/learn/test-pass-attention.c has the gradients that stop. */
static void
test_paper (void)
{
  GobanNetConfig config = make_small (goban_net_config_paper ());

  config.segment = 16;
  check_config (&config, &shape);
}

static void
test_paper_remembers (void)
{
  GobanNetConfig config = make_small (goban_net_config_paper ());

  config.stops_gradient = FALSE;
  check_config (&config, &shape);
}

static void
test_no_attention (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());

  config.n_attention = 0;
  check_config (&config, &shape);
}

static void
test_no_modulation (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());

  config.modulation = FALSE;
  check_config (&config, &shape);
}

static void
test_no_graph_embedding (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());

  config.graph_embedding = FALSE;
  check_config (&config, &shape);
}

static void
test_not_standardized (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());

  config.standardized = FALSE;
  config.decisions = GOBAN_TASKS_ALL;
  check_config (&config, &shape);
}

static void
test_numbered (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());

  config.is_numbered = TRUE;
  check_config (&config, &shape);
}

static void
test_free_levels (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());

  config.is_ordinal = FALSE;
  config.decisions = 1u << GOBAN_TASK_SCHEDULING;
  check_config (&config, &shape);
}

static void
test_tasks_expected (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());

  config.decisions = GOBAN_TASKS_ALL;
  check_config (&config, &shape);
}

static void
test_tasks_sampled (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());

  config.decisions = GOBAN_TASKS_ALL;
  config.is_sampled = TRUE;
  check_config (&config, &shape);
}

static void
test_iterations_expected (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());

  config.decisions = (1u << GOBAN_TASK_PLACEMENT) | (1u << GOBAN_TASK_SCHEDULING);
  config.n_iterations = 2;
  check_config (&config, &shape);
}

static void
test_iterations_sampled (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());

  config.decisions = (1u << GOBAN_TASK_FUSION) | (1u << GOBAN_TASK_PLACEMENT);
  config.n_iterations = 2;
  config.is_sampled = TRUE;
  check_config (&config, &shape);
}

static void
test_masks (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());
  TinyBoard masked = { 11, 4, TRUE, 3 };

  config.decisions = (1u << GOBAN_TASK_PLACEMENT) | (1u << GOBAN_TASK_SCHEDULING);
  check_config (&config, &masked);
}

/* The checker itself: a sign, a factor and a number that is missing. */
static void
test_planted (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());
  GobanParams *params;
  guint tensor = 0;
  float *gradient;
  Case self;

  begin (&self, &config, &shape);
  go_back (&self);
  params = self.net->params;
  while (strcmp (goban_params_get_tensor (params, tensor)->name, "tasks.k") != 0)
    tensor++;
  gradient = goban_params_grad (params, tensor);
  gradient[1] = -gradient[1];
  gradient[8] *= 1.1f;
  gradient[20] = 0;
  g_assert_cmpuint (count_wrong (&self, 1), ==, 3);
  end (&self);
}

/* Gradients of two decides of one embed are those of each, added. */
static void
test_adds (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());
  GobanParams *params;
  g_autofree float *once = NULL;
  gsize n;
  Case self;

  config.decisions = GOBAN_TASKS_ALL;
  config.is_sampled = TRUE;
  begin (&self, &config, &shape);
  params = self.net->params;
  go_back (&self);
  n = goban_params_get_size (params, 0);
  once = g_memdup2 (goban_params_grad (params, 0), n * sizeof *once);

  goban_params_zero_grad (params);
  goban_pass_embed (self.pass, self.net);
  for (int i = 0; i < 2; i++)
    {
      goban_pass_decide (self.pass, self.net, self.choices, NULL);
      for (int task = 0; task < GOBAN_N_TASKS; task++)
        for (gsize j = 0; j < get_n_logits (&self, (GobanTask) task); j++)
          goban_pass_get_logits_grad (self.pass, 0, (GobanTask) task)[j]
              += self.weights[j] * (float) (1 + task);
      goban_pass_decide_backward (self.pass, self.net, self.choices);
    }
  goban_pass_embed_backward (self.pass, self.net);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (goban_params_grad (params, 0)[i], 2 * once[i],
                                    1e-4f + 1e-4f * fabsf (once[i]));
  end (&self);
}

/* --- symmetries and promises ---------------------------------------------------------------- */

static void
move_device (GobanBoard *board, guint from, guint to, const GobanBoard *original)
{
  guint D = board->n_devices;

  memcpy (board->devices + to * GOBAN_DEVICE_N_FEATURES,
          original->devices + from * GOBAN_DEVICE_N_FEATURES,
          GOBAN_DEVICE_N_FEATURES * sizeof (float));
  for (guint n = 0; n < board->n_rows; n++)
    board->allowed[n * D + to] = original->allowed[n * D + from];
}

/* A device is its features: in another order they get the same logits, in that order. */
static void
test_devices (void)
{
  static const guint order[] = { 2, 0, 3, 1 };
  GobanNetConfig config = make_small (goban_net_config_goban ());
  TinyBoard masked = { 11, 4, TRUE, 3 };
  GobanBoard *moved = tiny_board_new (&masked);
  g_autoptr (GobanPass) pass = NULL;
  Case self;

  config.decisions = GOBAN_TASKS_ALL;
  config.n_iterations = 2;
  begin (&self, &config, &masked);
  for (guint d = 0; d < masked.n_devices; d++)
    move_device (moved, order[d], d, self.board);
  pass = goban_pass_new (&config, moved);
  loss (&self);
  goban_pass_embed (pass, self.net);
  goban_pass_decide (pass, self.net, NULL, NULL);
  for (guint n = 0; n < masked.n_rows; n++)
    for (guint d = 0; d < masked.n_devices; d++)
      {
        float here = goban_pass_get_logits (self.pass, 1, GOBAN_TASK_PLACEMENT)[n * 4 + order[d]];
        float there = goban_pass_get_logits (pass, 1, GOBAN_TASK_PLACEMENT)[n * 4 + d];

        g_assert_cmpint (isfinite (here) != 0, ==, moved->allowed[n * 4 + d]);
        if (isfinite (here))
          g_assert_cmpfloat_with_epsilon (here, there, 1e-4f);
        else
          g_assert_cmpfloat (here, ==, there);
      }
  tiny_board_free (moved);
  end (&self);
}

/* What a pass decides for the first row. */
static const float *
look (GobanPass *pass, const GobanNet *net)
{
  goban_pass_embed (pass, net);
  goban_pass_decide (pass, net, NULL, NULL);
  return goban_pass_get_logits (pass, 0, GOBAN_TASK_PLACEMENT);
}

/* Two devices with the same properties exchange their labels, and with them their logits; numbers
 * do not matter. */
static void
check_exchange (gboolean is_numbered)
{
  static const guint32 exchanged[] = { 0, 2, 1, 3 };
  GobanNetConfig config = make_small (goban_net_config_goban ());
  TinyBoard wide = shape;
  g_autofree float *before = NULL;
  const float *after;
  gboolean is_same = TRUE;
  Case self;

  wide.n_devices = 4;
  config.is_numbered = is_numbered;
  begin (&self, &config, &wide);
  memcpy (self.board->devices + 2 * GOBAN_DEVICE_N_FEATURES,
          self.board->devices + 1 * GOBAN_DEVICE_N_FEATURES,
          GOBAN_DEVICE_N_PROPERTIES * sizeof (float));
  goban_pass_set_labels (self.pass, NULL);
  before = g_memdup2 (look (self.pass, self.net), get_n_logits (&self, 1) * sizeof *before);
  goban_pass_set_labels (self.pass, exchanged);
  after = look (self.pass, self.net);
  for (guint n = 0; n < wide.n_rows; n++)
    for (guint d = 0; d < 4; d++)
      {
        guint as = is_numbered ? d : exchanged[d];

        g_assert_cmpfloat_with_epsilon (after[n * 4 + d], before[n * 4 + as], 1e-5f);
        is_same = is_same && fabsf (before[n * 4 + 1] - before[n * 4 + 2]) < 1e-3f;
      }
  g_assert_false (is_same);
  end (&self);
}

static void
test_labels (void)
{
  check_exchange (FALSE);
  check_exchange (TRUE);
}

/* At the start no device and no level is preferred by all rows. */
static void
test_start (void)
{
  GobanNetConfig config = goban_net_config_goban ();
  TinyBoard plain = { 40, 4, FALSE, 6 };
  GobanBoard *board = tiny_board_new (&plain);
  g_autoptr (GobanPass) pass = goban_pass_new (&config, board);
  g_autoptr (GobanNet) net = NULL;
  const float *logits;
  GobanRng rng;

  goban_rng_init (&rng, 1);
  net = goban_net_new (&config, &rng);
  goban_pass_embed (pass, net);
  goban_pass_decide (pass, net, NULL, NULL);
  logits = goban_pass_get_logits (pass, 0, GOBAN_TASK_PLACEMENT);
  for (guint d = 0; d < 4; d++)
    {
      double mean = 0, square = 0;

      for (guint n = 0; n < 40; n++)
        {
          double weight = 0.5 * ((double) board->weights[n] + 1 / 40.0);

          mean += weight * (double) logits[n * 4 + d];
          square += weight * (double) (logits[n * 4 + d] * logits[n * 4 + d]);
        }
      g_assert_cmpfloat_with_epsilon (mean, 0, 1e-4);
      g_assert_cmpfloat_with_epsilon (square, 4, 1e-2);
    }
  tiny_board_free (board);
}

/* Later tasks depend on a decision; earlier ones do not. */
static void
test_hears (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());
  g_autofree float *before[GOBAN_N_TASKS] = { NULL };
  Case self;

  config.decisions = GOBAN_TASKS_ALL;
  config.is_sampled = TRUE;
  begin (&self, &config, &shape);
  loss (&self);
  for (int task = 0; task < GOBAN_N_TASKS; task++)
    before[task] = g_memdup2 (goban_pass_get_logits (self.pass, 0, (GobanTask) task),
                              get_n_logits (&self, (GobanTask) task) * sizeof (float));
  self.choices->chosen[0][GOBAN_TASK_PLACEMENT][4]
      = (self.choices->chosen[0][GOBAN_TASK_PLACEMENT][4] + 1) % shape.n_devices;
  loss (&self);
  for (int task = 0; task < GOBAN_N_TASKS; task++)
    {
      gboolean is_same
          = memcmp (before[task], goban_pass_get_logits (self.pass, 0, (GobanTask) task),
                    get_n_logits (&self, (GobanTask) task) * sizeof (float))
            == 0;

      g_assert_cmpint (is_same, ==, task != GOBAN_TASK_SCHEDULING);
      g_free (before[task]);
      before[task] = NULL;
    }
  end (&self);
}

static void
go_back_part (guint part, gpointer data)
{
  go_back (data);
}

/* The same bytes from one thread as from all. */
static void
test_threads (void)
{
  GobanNetConfig config = goban_net_config_goban ();
  TinyBoard large = { 64, 4, TRUE, 8 };
  GobanParams *params;
  g_autoptr (GPtrArray) grads = g_ptr_array_new_with_free_func (g_free);
  Case self;

  config.segment = 5;
  config.decisions = GOBAN_TASKS_ALL;
  begin (&self, &config, &large);
  params = self.net->params;
  go_back (&self);
  for (guint t = 0; t < params->tensors->len; t++)
    g_ptr_array_add (grads, g_memdup2 (goban_params_grad (params, t),
                                       goban_params_get_size (params, t) * sizeof (float)));
  /* Inside of a part all loops are plain ones. */
  goban_parallel_for (1, go_back_part, &self);
  for (guint t = 0; t < params->tensors->len; t++)
    g_assert_cmpmem (
        goban_params_grad (params, t), goban_params_get_size (params, t) * sizeof (float),
        g_ptr_array_index (grads, t), goban_params_get_size (params, t) * sizeof (float));
  end (&self);
}

/* Boards at the edges of what there is: one row, one device, no neighbours, no layers. */
static void
test_edges (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());
  TinyBoard one = { 1, 1, FALSE, 4 };
  Case self;

  config.n_sage = 0;
  config.n_attention = 0;
  config.decisions = GOBAN_TASKS_ALL;
  begin (&self, &config, &one);
  go_back (&self);
  g_assert_true (isfinite (loss (&self)));
  end (&self);
}

TEST_PROGRAM (network)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/network/gradient/goban", test_goban);
  g_test_add_func ("/network/gradient/paper", test_paper);
  g_test_add_func ("/network/gradient/paper-remembers", test_paper_remembers);
  g_test_add_func ("/network/gradient/no-attention", test_no_attention);
  g_test_add_func ("/network/gradient/no-modulation", test_no_modulation);
  g_test_add_func ("/network/gradient/no-graph-embedding", test_no_graph_embedding);
  g_test_add_func ("/network/gradient/not-standardized", test_not_standardized);
  g_test_add_func ("/network/gradient/free-levels", test_free_levels);
  g_test_add_func ("/network/gradient/numbered", test_numbered);
  g_test_add_func ("/network/gradient/tasks-expected", test_tasks_expected);
  g_test_add_func ("/network/gradient/tasks-sampled", test_tasks_sampled);
  g_test_add_func ("/network/gradient/iterations-expected", test_iterations_expected);
  g_test_add_func ("/network/gradient/iterations-sampled", test_iterations_sampled);
  g_test_add_func ("/network/gradient/masks", test_masks);
  g_test_add_func ("/network/gradient/planted", test_planted);
  g_test_add_func ("/network/gradient/adds", test_adds);
  g_test_add_func ("/network/devices/order", test_devices);
  g_test_add_func ("/network/devices/labels", test_labels);
  g_test_add_func ("/network/start", test_start);
  g_test_add_func ("/network/tasks/hear", test_hears);
  g_test_add_func ("/network/threads", test_threads);
  g_test_add_func ("/network/edges", test_edges);
  return g_test_run ();
}
