/* test-network.c: GO's network as a whole: its gradients, its symmetries, its checkpoints. */
#include "engine/base/error.h"
#include "engine/policy/network.h"
#include "tests/policy/tiny-board.h"

#include <glib/gstdio.h>
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

/* Every other tensor is as it is drawn; those that start at nothing would hide what they multiply. */
static void
stir (GobanNet *net)
{
  GobanParams *params = goban_net_get_params (net);

  for (guint t = 0; t < goban_params_get_n_tensors (params); t++)
    {
      gsize n = goban_params_get_size (params, t);
      g_autofree float *noise = g_new (float, n);

      grad_fill (noise, n, 0.15, 100 + t);
      for (gsize i = 0; i < n; i++)
        goban_params_value (params, t)[i] += noise[i];
    }
}

static gsize
get_n_logits (const Case *self, GobanDecision task)
{
  return (gsize) self->board->n_rows * (gsize) goban_pass_get_n_actions (self->pass, task);
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

/* Iterations whose logits the loss looks at: those that are anybody's decisions. */
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
    for (int task = 0; task < GOBAN_N_DECISIONS; task++)
      {
        const float *logits = goban_pass_get_logits (self->pass, t, (GobanDecision) task);

        for (gsize i = 0; logits != NULL && i < get_n_logits (self, (GobanDecision) task); i++)
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
    for (int task = 0; task < GOBAN_N_DECISIONS; task++)
      {
        float *dlogits = goban_pass_get_logits_grad (self->pass, t, (GobanDecision) task);

        for (gsize i = 0; dlogits != NULL && i < get_n_logits (self, (GobanDecision) task); i++)
          dlogits[i] += self->weights[i] * (float) (1 + t + task);
      }
  goban_params_zero_grad (goban_net_get_params (self->net));
  goban_pass_decide_backward (self->pass, self->net, self->choices);
  goban_pass_embed_backward (self->pass, self->net);
}

/* Every seventh number of large tensors: their rows and columns are all met. */
#define STRIDE 7

static GradReport
check (Case *self)
{
  GobanParams *params = goban_net_get_params (self->net);
  g_autoptr (GArray) arrays = g_array_new (FALSE, FALSE, sizeof (GradArray));

  go_back (self);
  for (guint t = 0; t < goban_params_get_n_tensors (params); t++)
    {
      gsize n = goban_params_get_size (params, t);
      GradArray array = { goban_params_get_name (params, t), goban_params_value (params, t),
                          goban_params_grad (params, t), n };

      g_array_append_val (arrays, array);
    }
  return grad_check (loss, self, (GradArray *) (gpointer) arrays->data, arrays->len, 4e-3, 0.03);
}

static void
check_config (const GobanNetConfig *config, const TinyBoard *shape)
{
  Case self;
  GradReport report;

  begin (&self, config, shape);
  report = check (&self);
  g_test_message ("%u gradients, %u wrong, %u of wrong sign; worst %s[%" G_GSIZE_FORMAT "]: %g",
                  report.n_checked, report.n_wrong, report.n_wrong_signs, report.worst_name,
                  report.worst_index, report.worst);
  g_assert_cmpuint (report.n_wrong * 50, <=, report.n_checked);
  end (&self);
}

static const TinyBoard shape = { 11, 3, FALSE, 1 };

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

static void
test_goban (void)
{
  GobanNetConfig config = make_small (goban_net_config_goban ());

  check_config (&config, &shape);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/network/gradient/goban", test_goban);
  return g_test_run ();
}
