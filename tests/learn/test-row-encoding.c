/* test-row-encoding.c: embeddings of rows have the gradient that they claim, and change nothing
 * before anything is learned. */
#include "engine/learn/policy/row-encoding.h"

#include "engine/graph/workloads/workload.h"
#include "engine/learn/policy/plan-builder.h"
#include "engine/learn/policy/row-encoder-private.h"
#include "tests/support/grad-check.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define H GOBAN_SCORER_HIDDEN
/* More than a segment of attention has. */
#define N_ROWS 80

typedef struct
{
  GobanCostModel *costs;
  GobanUnits *units;
  GobanRows *rows;
  GobanBuilderNet *net;
  float *weights; /* (R,H) of the loss */
} Case;

static Case
begin (GobanEncoder encoder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("synthetic:seed=6,nodes=200", &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x4", &error);
  Case self = { 0 };
  GobanRng rng;

  g_assert_no_error (error);
  self.costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  self.units = goban_units_new (self.costs, &error);
  g_assert_no_error (error);
  self.rows = goban_rows_new_connected (self.units, N_ROWS, NULL);
  goban_rng_init (&rng, 5);
  self.net = goban_builder_net_new_with (encoder, &rng);
  self.weights = g_new (float, (gsize) self.rows->n_rows *H);
  grad_fill (self.weights, (gsize) self.rows->n_rows * H, 0.1, 3);
  return self;
}

static void
clear (Case *self)
{
  goban_builder_net_free (self->net);
  goban_rows_free (self->rows);
  goban_units_free (self->units);
  goban_cost_model_unref (self->costs);
  g_free (self->weights);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, clear)

/* Draws all tensors behind the scorer's that are zeros, or no gradient would pass them. */
static void
fill_zeros (Case *self)
{
  GobanParams *params = goban_builder_net_get_params (self->net);

  for (guint t = GOBAN_SCORER_NET_N_TENSORS; t < goban_params_get_n_tensors (params); t++)
    if (goban_params_value (params, t)[0] == 0)
      grad_fill (goban_params_value (params, t), goban_params_get_size (params, t), 0.5, t);
}

/* --- gradients ------------------------------------------------------------------------------ */

static double
find_loss (const Case *self)
{
  g_autoptr (GobanRowEncoding) encoding = goban_row_encoding_new (self->net, self->rows);

  return grad_dot (goban_row_encoding_get_hidden (encoding), self->weights,
                   (gsize) self->rows->n_rows * H);
}

static void
go_back (Case *self)
{
  g_autoptr (GobanRowEncoding) encoding = goban_row_encoding_new (self->net, self->rows);

  goban_params_zero_grad (goban_builder_net_get_params (self->net));
  memcpy (goban_row_encoding_get_gradients (encoding), self->weights,
          (gsize) self->rows->n_rows * H * sizeof (float));
  goban_row_encoding_backward (encoding, self->net);
}

/* Whether the gradient by x lies among the slopes on both sides of it, because a relu or a maximum
 * may turn between. */
static gboolean
is_right (const Case *self, float *x, double gradient, double floor)
{
  const float middle = *x;
  const double step = 2e-3;
  double values[3], slopes[2];

  for (int i = 0; i < 3; i++)
    {
      *x = middle + (float) ((i - 1) * step);
      values[i] = find_loss (self);
    }
  *x = middle;
  for (int i = 0; i < 2; i++)
    slopes[i] = (values[i + 1] - values[i]) / step;
  floor = 0.03 * MAX (floor, fabs (gradient));
  return gradient >= MIN (slopes[0], slopes[1]) - floor
         && gradient <= MAX (slopes[0], slopes[1]) + floor;
}

/* Tensors that are wrong in their largest number or in one of some others. */
static guint
count_wrong (Case *self)
{
  GobanParams *params = goban_builder_net_get_params (self->net);
  guint n_wrong = 0;

  for (guint t = GOBAN_SCORER_NET_N_TENSORS; t < goban_params_get_n_tensors (params); t++)
    {
      float *gradient = goban_params_grad (params, t);
      gsize n = goban_params_get_size (params, t);
      gsize largest = (gsize) (grad_largest (gradient, n) - gradient);
      double floor = 0.3 * fabs ((double) gradient[largest]) + 0.02;
      gboolean is_wrong = FALSE;

      for (gsize i = 0; i < 6; i++)
        {
          gsize at = i == 0 ? largest : i * (n - 1) / 5;

          is_wrong |= !is_right (self, goban_params_value (params, t) + at, (double) gradient[at],
                                 floor);
        }
      if (is_wrong)
        g_test_message ("%s: not its gradient", goban_params_get_name (params, t));
      n_wrong += is_wrong;
    }
  return n_wrong;
}

static void
test_gradient (gconstpointer data)
{
  g_auto (Case) self = begin ((GobanEncoder) GPOINTER_TO_UINT (data));
  GobanParams *params = goban_builder_net_get_params (self.net);
  guint n_tensors = goban_params_get_n_tensors (params);

  fill_zeros (&self);
  go_back (&self);
  g_assert_cmpuint (count_wrong (&self), ==, 0);
  /* Flipped signs are found. */
  for (guint t = GOBAN_SCORER_NET_N_TENSORS; t < n_tensors; t++)
    for (gsize i = 0; i < goban_params_get_size (params, t); i++)
      goban_params_grad (params, t)[i] *= -1;
  g_assert_cmpuint (count_wrong (&self), >, (n_tensors - GOBAN_SCORER_NET_N_TENSORS) * 3 / 4);
}

/* Gradients and embeddings have the same bytes each time. */
static void
test_same_bytes (void)
{
  g_auto (Case) self = begin (GOBAN_ENCODER_FULL);
  GByteArray *written[2];
  double loss[2];

  fill_zeros (&self);
  for (int i = 0; i < 2; i++)
    {
      GobanParams *params = goban_builder_net_get_params (self.net);

      loss[i] = find_loss (&self);
      go_back (&self);
      written[i] = g_byte_array_new ();
      for (guint t = 0; t < goban_params_get_n_tensors (params); t++)
        g_byte_array_append (written[i], (const guint8 *) goban_params_grad (params, t),
                             goban_params_get_size (params, t) * sizeof (float));
    }
  g_assert_true (loss[0] == loss[1]);
  g_assert_cmpmem (written[0]->data, written[0]->len, written[1]->data, written[1]->len);
  for (int i = 0; i < 2; i++)
    g_byte_array_unref (written[i]);
}

/* --- decisions ------------------------------------------------------------------------------ */

/* One plan, drawn, with its record. */
static void
build (const Case *self, GobanBuildRecord *record)
{
  g_autoptr (GobanPlanBuilder) builder = goban_plan_builder_new (self->rows);
  g_autofree guint32 *devices = g_new (guint32, self->rows->n_rows);
  GobanRng rng;
  GobanBuildOptions options = { .temperature = 1, .rng = &rng, .record = record };

  goban_rng_init (&rng, 9);
  goban_plan_builder_build (builder, self->net, &options, devices);
}

/* A new network with an encoder decides as one without, to the bit; with other weights it does
 * not. */
static void
test_begins_alike (void)
{
  g_auto (Case) plain = begin (GOBAN_ENCODER_NONE);
  g_autoptr (GobanBuildRecord) wanted = goban_build_record_new ();

  build (&plain, wanted);
  for (guint encoder = GOBAN_ENCODER_SAGE; encoder < GOBAN_N_ENCODERS; encoder++)
    {
      g_auto (Case) self = begin ((GobanEncoder) encoder);
      g_autoptr (GobanBuildRecord) record = goban_build_record_new ();
      gsize size = (gsize) wanted->n_decisions * wanted->n_devices * sizeof (float);

      build (&self, record);
      g_assert_cmpmem (record->chances->data, size, wanted->chances->data, size);
      fill_zeros (&self);
      build (&self, record);
      g_assert_cmpint (memcmp (record->chances->data, wanted->chances->data, size), !=, 0);
    }
}

/* The gradients by row of one decision are those of the row that was decided, and in all they are
 * what the hidden layer of a network without an encoder gets. */
static void
test_sums_by_row (void)
{
  g_auto (Case) plain = begin (GOBAN_ENCODER_NONE);
  g_auto (Case) self = begin (GOBAN_ENCODER_FULL);
  g_autoptr (GobanRowEncoding) encoding = goban_row_encoding_new (self.net, self.rows);
  const float *dhidden = goban_row_encoding_get_gradients (encoding);
  const float *wanted = goban_builder_net_get_gradients (plain.net)->hidden;
  g_autoptr (GobanBuildRecord) record = goban_build_record_new ();
  GobanBuildLesson lesson = { .advantage = 1 };
  guint32 row;

  build (&self, record);
  goban_build_record_learn (record, plain.net, &lesson, NULL);
  lesson.encoding = encoding;
  goban_build_record_learn (record, self.net, &lesson, NULL);
  for (int j = 0; j < H; j++)
    {
      double sum = 0;

      for (guint r = 0; r < self.rows->n_rows; r++)
        sum += (double) dhidden[(gsize) r * H + j];
      g_assert_cmpfloat_with_epsilon (sum, (double) wanted[j], 1e-5);
    }

  goban_row_encoding_backward (encoding, self.net);
  record->n_decisions = 1;
  row = g_array_index (record->rows, guint32, 0);
  goban_build_record_learn (record, self.net, &lesson, NULL);
  for (guint r = 0; r < self.rows->n_rows; r++)
    g_assert_true ((grad_dot (dhidden + (gsize) r * H, dhidden + (gsize) r * H, H) > 0)
                   == (r == row));
}

/* --- files ---------------------------------------------------------------------------------- */

/* A file says which encoder its network has. */
static void
test_file (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "goban-encoder-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;

  g_close (g_mkstemp (path), NULL);
  for (guint encoder = 0; encoder < GOBAN_N_ENCODERS; encoder++)
    {
      g_auto (Case) self = begin ((GobanEncoder) encoder);
      g_autoptr (GobanBuilderNet) read = NULL;
      g_autoptr (GByteArray) a = goban_params_write (goban_builder_net_get_params (self.net));
      g_autoptr (GByteArray) b = NULL;

      g_assert_true (goban_builder_net_save (self.net, path, &error));
      g_assert_true (goban_builder_net_is_file (path));
      read = goban_builder_net_load (path, &error);
      g_assert_no_error (error);
      g_assert_true ((goban_builder_net_get_encoder (read) != NULL) == (encoder > 0));
      b = goban_params_write (goban_builder_net_get_params (read));
      g_assert_cmpmem (a->data, a->len, b->data, b->len);
    }
  g_assert_cmpint (g_unlink (path), ==, 0);
}

TEST_PROGRAM (row_encoding)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/policy/row-encoding/gradient/sage", GUINT_TO_POINTER (GOBAN_ENCODER_SAGE),
                        test_gradient);
  g_test_add_data_func ("/policy/row-encoding/gradient/full", GUINT_TO_POINTER (GOBAN_ENCODER_FULL),
                        test_gradient);
  g_test_add_func ("/policy/row-encoding/same-bytes", test_same_bytes);
  g_test_add_func ("/policy/row-encoding/begins-as-without-encoder", test_begins_alike);
  g_test_add_func ("/policy/row-encoding/sums-by-row", test_sums_by_row);
  g_test_add_func ("/policy/row-encoding/file", test_file);
  return g_test_run ();
}
