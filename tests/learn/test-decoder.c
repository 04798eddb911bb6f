/* test-decoder.c: the decoder of plans has the gradient that it claims, treats equal devices alike,
 * and each of its parts changes what a network decides once it has learned. */
#include "engine/learn/policy/row-encoding.h"

#include "engine/graph/workloads/workload.h"
#include "engine/learn/policy/plan-builder.h"
#include "tests/support/grad-check.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* More than two segments of attention have. */
#define N_ROWS 40
#define N_PLANS 3

typedef struct
{
  GobanCostModel *costs;
  GobanUnits *units;
  GobanRows *rows;
  GobanPlanBuilder *builder;
  GobanBuilderNet *net;
  guint32 *wanted[N_PLANS]; /* drawn once */
  GobanBuildRecord *records[N_PLANS];
} Case;

static const GobanBuildLesson lessons[N_PLANS]
    = { { .advantage = 20 }, { .advantage = -10, .entropy = 15 }, { .entropy = 20 } };

static Case
begin_on (GobanDecoderParts parts, const char *cluster)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("synthetic:seed=6,nodes=200", &error);
  g_autoptr (GobanCluster) devices = goban_cluster_new_from_spec (cluster, &error);
  Case self = { 0 };
  GobanRng rng;

  g_assert_no_error (error);
  self.costs = goban_cost_model_new (graph, devices, GOBAN_EXECUTION_EVENTS);
  self.units = goban_units_new (self.costs, &error);
  g_assert_no_error (error);
  self.rows = goban_rows_new_connected (self.units, N_ROWS, NULL);
  self.builder = goban_plan_builder_new (self.rows);
  goban_rng_init (&rng, 5);
  self.net = goban_builder_net_new (parts, &rng);
  for (guint k = 0; k < N_PLANS; k++)
    {
      self.wanted[k] = g_new (guint32, self.rows->n_rows);
      self.records[k] = goban_build_record_new ();
      goban_plan_builder_build (self.builder, self.net,
                                &(GobanBuildOptions){ .temperature = 4, .rng = &rng },
                                self.wanted[k]);
    }
  return self;
}

static Case
begin (GobanDecoderParts parts)
{
  return begin_on (parts, "p100x4");
}

static void
clear (Case *self)
{
  for (guint k = 0; k < N_PLANS; k++)
    {
      g_free (self->wanted[k]);
      goban_build_record_free (self->records[k]);
    }
  goban_builder_net_free (self->net);
  goban_plan_builder_free (self->builder);
  goban_rows_free (self->rows);
  goban_units_free (self->units);
  goban_cost_model_unref (self->costs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, clear)

/* Draws all tensors behind the scorer's that are zeros, or no gradient would pass them. */
static void
fill_zeros (Case *self)
{
  GobanParams *params = self->net->params;

  for (guint t = GOBAN_SCORER_NET_N_TENSORS; t < params->tensors->len; t++)
    if (goban_params_value (params, t)[0] == 0)
      grad_fill (goban_params_value (params, t), goban_params_get_size (params, t), 0.4, t);
}

/* --- gradients ------------------------------------------------------------------------------ */

/* Builds the plans once more, and records them. */
static void
follow (Case *self, const GobanRowEncoding *encoding)
{
  g_autofree guint32 *devices = g_new (guint32, self->rows->n_rows);

  for (guint k = 0; k < N_PLANS; k++)
    goban_plan_builder_build (self->builder, self->net,
                              &(GobanBuildOptions){ .wanted = self->wanted[k],
                                                    .encoding = encoding,
                                                    .record = self->records[k] },
                              devices);
}

/* What goban_build_records_learn() goes down. */
static double
find_loss (Case *self)
{
  double loss = 0;

  follow (self, NULL);
  for (guint k = 0; k < N_PLANS; k++)
    {
      const GobanBuildRecord *record = self->records[k];
      double sum = 0;

      for (guint i = 0; i < record->n_decisions; i++)
        for (guint d = 0; d < record->n_devices; d++)
          {
            double p = (double) g_array_index (record->chances, float, i * record->n_devices + d);

            if (d == g_array_index (record->actions, guint32, i))
              sum += lessons[k].advantage * log (p);
            if (p > 0)
              sum -= lessons[k].entropy * p * log (p);
          }
      loss -= sum / record->n_decisions;
    }
  return loss;
}

static void
go_back (Case *self)
{
  g_autoptr (GobanRowEncoding) encoding = goban_row_encoding_new (self->net, self->rows);

  goban_params_zero_grad (self->net->params);
  follow (self, encoding);
  goban_build_records_learn (self->records, lessons, N_PLANS, self->net, encoding);
  if (encoding != NULL)
    goban_row_encoding_backward (encoding, self->net);
}

/* Whether the gradient by x lies among the slopes on both sides of it, because a relu or a maximum
 * may turn between. */
static gboolean
is_right (Case *self, float *x, double gradient, double floor)
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
  GobanParams *params = self->net->params;
  guint n_wrong = 0;

  for (guint t = 0; t < params->tensors->len; t++)
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
        g_test_message ("%s: not its gradient", goban_params_get_tensor (params, t)->name);
      n_wrong += is_wrong;
    }
  return n_wrong;
}

static void
test_gradient (gconstpointer data)
{
  g_auto (Case) self = begin ((GobanDecoderParts) GPOINTER_TO_UINT (data));
  GobanParams *params = self.net->params;
  guint n_tensors = params->tensors->len;

  fill_zeros (&self);
  go_back (&self);
  g_assert_cmpuint (count_wrong (&self), ==, 0);
  /* Flipped signs are found. */
  for (guint t = 0; t < n_tensors; t++)
    for (gsize i = 0; i < goban_params_get_size (params, t); i++)
      goban_params_grad (params, t)[i] *= -1;
  g_assert_cmpuint (count_wrong (&self), >, n_tensors * 3 / 4);
}

/* Gradients have the same bytes each time, and several plans at once nearly those of one after
 * another. */
static void
test_batches (void)
{
  g_auto (Case) self = begin (GOBAN_ALL_PARTS);
  GobanParams *params = self.net->params;
  g_autoptr (GobanRowEncoding) encoding = NULL;
  g_autoptr (GPtrArray) once = g_ptr_array_new_with_free_func (g_free);

  fill_zeros (&self);
  go_back (&self);
  for (guint t = 0; t < params->tensors->len; t++)
    g_ptr_array_add (once, g_memdup2 (goban_params_grad (params, t),
                                      goban_params_get_size (params, t) * sizeof (float)));
  go_back (&self);
  for (guint t = 0; t < params->tensors->len; t++)
    g_assert_cmpmem (goban_params_grad (params, t),
                     goban_params_get_size (params, t) * sizeof (float), once->pdata[t],
                     goban_params_get_size (params, t) * sizeof (float));

  goban_params_zero_grad (params);
  encoding = goban_row_encoding_new (self.net, self.rows);
  for (guint k = 0; k < N_PLANS; k++)
    goban_build_records_learn (&self.records[k], &lessons[k], 1, self.net, encoding);
  goban_row_encoding_backward (encoding, self.net);
  for (guint t = 0; t < params->tensors->len; t++)
    {
      const float *gradient = goban_params_grad (params, t);
      gsize n = goban_params_get_size (params, t);
      float most = fabsf (*grad_largest (once->pdata[t], n));

      for (gsize i = 0; i < n; i++)
        g_assert_cmpfloat (fabsf (gradient[i] - ((float *) once->pdata[t])[i]), <=, 1e-4f * most);
    }
}

/* The recorded decisions have the same probabilities at once as one by one, at any temperature, and
 * devices that were not allowed have none. */
static void
test_chances (gconstpointer data)
{
  g_auto (Case) self = begin ((GobanDecoderParts) GPOINTER_TO_UINT (data));
  g_autoptr (GobanRowEncoding) encoding = NULL;
  g_autofree guint32 *devices = g_new (guint32, self.rows->n_rows);
  static const double temperatures[] = { 1, 2 };

  fill_zeros (&self);
  encoding = goban_row_encoding_new (self.net, self.rows);
  for (gsize i = 0; i < G_N_ELEMENTS (temperatures); i++)
    {
      guint D = self.rows->n_devices;
      g_autofree float *chances = g_new (float, (gsize) N_PLANS *self.rows->n_rows *D);
      const float *next = chances;

      for (guint k = 0; k < N_PLANS; k++)
        goban_plan_builder_build (self.builder, self.net,
                                  &(GobanBuildOptions){ .temperature = temperatures[i],
                                                        .wanted = self.wanted[k],
                                                        .encoding = encoding,
                                                        .record = self.records[k] },
                                  devices);
      for (guint r = 0; i == 1 && r < self.records[0]->n_decisions; r++)
        {
          guint other = (g_array_index (self.records[0]->actions, guint32, r) + 1) % D;

          g_array_index (self.records[0]->can, guint8, r * D + other) = 0;
        }
      goban_build_records_find_chances (self.records, N_PLANS, self.net, encoding, temperatures[i],
                                        chances);
      for (guint k = 0; k < N_PLANS; k++)
        for (guint j = 0; j < self.records[k]->n_decisions * D; j++, next++)
          if (!g_array_index (self.records[k]->can, guint8, j))
            g_assert_cmpfloat (*next, ==, 0);
          else if (i == 0 || k > 0)
            g_assert_cmpfloat_with_epsilon (
                *next, g_array_index (self.records[k]->chances, float, j), 1e-4f);
    }
}

/* --- decisions ------------------------------------------------------------------------------ */

/* A new network decides as one without parts, to the bit; with other weights each part alone
 * changes what is decided. */
static void
test_begins_alike (void)
{
  g_auto (Case) plain = begin (0);

  follow (&plain, NULL);
  for (guint parts = 1; parts <= GOBAN_ALL_PARTS; parts++)
    {
      g_auto (Case) self = begin ((GobanDecoderParts) parts);
      const GobanBuildRecord *wanted = plain.records[0], *record = self.records[0];
      gsize size = (gsize) wanted->n_decisions * wanted->n_devices * sizeof (float);

      memcpy (self.wanted[0], plain.wanted[0], self.rows->n_rows * sizeof (guint32));
      follow (&self, NULL);
      g_assert_cmpmem (record->chances->data, size, wanted->chances->data, size);
      fill_zeros (&self);
      follow (&self, NULL);
      g_assert_cmpint (memcmp (record->chances->data, wanted->chances->data, size), !=, 0);
    }
}

/* Each part is used: without it the same weights decide otherwise. */
static void
test_parts (void)
{
  g_auto (Case) all = begin (GOBAN_ALL_PARTS);

  fill_zeros (&all);
  follow (&all, NULL);
  for (guint part = 0; goban_decoder_part_names[part] != NULL; part++)
    {
      g_auto (Case) self = begin ((GobanDecoderParts) (GOBAN_ALL_PARTS & ~(1U << part)));
      GobanParams *params = self.net->params;
      GobanParams *from = all.net->params;
      gsize size;

      for (guint t = 0; t < params->tensors->len; t++)
        for (guint other = 0; other < from->tensors->len; other++)
          if (g_str_equal (goban_params_get_tensor (params, t)->name,
                           goban_params_get_tensor (from, other)->name))
            memcpy (goban_params_value (params, t), goban_params_value (from, other),
                    goban_params_get_size (params, t) * sizeof (float));
      memcpy (self.wanted[0], all.wanted[0], self.rows->n_rows * sizeof (guint32));
      follow (&self, NULL);
      size = (gsize) self.records[0]->n_decisions * self.records[0]->n_devices * sizeof (float);
      g_assert_cmpint (memcmp (self.records[0]->chances->data, all.records[0]->chances->data, size),
                       !=, 0);
    }
}

/* Exchanging equal devices in all decisions so far exchanges their probabilities, to the bit, for 2
 * to 64 devices. */
static void
test_exchangeable (void)
{
  static const char *const clusters[] = { "p100x2", "equal:3", "p100x8", "equal:64" };

  for (gsize i = 0; i < G_N_ELEMENTS (clusters); i++)
    {
      g_auto (Case) self = begin_on (GOBAN_ALL_PARTS, clusters[i]);
      guint D = self.rows->n_devices;
      g_autofree guint32 *label = g_new (guint32, D);
      GobanRng rng;

      fill_zeros (&self);
      goban_rng_init (&rng, i);
      for (guint d = 0; d < D; d++)
        {
          guint other = goban_rng_below (&rng, d + 1);

          label[d] = label[other];
          label[other] = d;
        }
      for (guint r = 0; r < self.rows->n_rows; r++)
        self.wanted[1][r] = label[self.wanted[0][r]];
      follow (&self, NULL);
      g_assert_cmpuint (self.records[0]->n_decisions, >, N_ROWS / 2);
      for (guint k = 0; k < self.records[0]->n_decisions; k++)
        for (guint d = 0; d < D; d++)
          {
            g_assert_true (g_array_index (self.records[0]->chances, float, k *D + d)
                           == g_array_index (self.records[1]->chances, float, k *D + label[d]));
            g_assert_true (g_array_index (self.records[0]->attention, float, k *D + d)
                           == g_array_index (self.records[1]->attention, float, k *D + label[d]));
          }
    }
}

/* Shares of attention to devices add up to 1, those to other rows to at most 1. */
static void
test_attention (void)
{
  g_auto (Case) self = begin (GOBAN_ALL_PARTS);
  g_autoptr (GobanRowEncoding) encoding = NULL;
  const GobanBuildRecord *record = self.records[0];
  guint n_found = 0;

  fill_zeros (&self);
  encoding = goban_row_encoding_new (self.net, self.rows);
  follow (&self, encoding);
  for (guint i = 0; i < record->n_decisions; i++)
    {
      guint32 rows[8];
      float shares[8];
      guint row = g_array_index (record->rows, guint32, i);
      guint n = goban_row_encoding_find_attended (encoding, row, G_N_ELEMENTS (rows), rows, shares);
      double of_rows = 0, of_devices = 0;

      for (guint k = 0; k < n; k++)
        {
          g_assert_cmpuint (rows[k], <, self.rows->n_rows);
          g_assert_cmpuint (rows[k], !=, row);
          g_assert_true (k == 0 || shares[k] <= shares[k - 1]);
          of_rows += (double) shares[k];
        }
      for (guint d = 0; d < record->n_devices; d++)
        of_devices += (double) g_array_index (record->attention, float, i * record->n_devices + d);
      g_assert_cmpfloat (of_rows, <=, 1.0001);
      g_assert_cmpfloat_with_epsilon (of_devices, 1, 1e-5);
      n_found += n;
    }
  g_assert_cmpuint (n_found, >, record->n_decisions);
}

/* A network that begins with one of fewer parts decides as that one, to the bit. */
static void
test_adopts (void)
{
  g_auto (Case) plain = begin (0);
  g_auto (Case) self = begin (GOBAN_ALL_PARTS);
  const GobanBuildRecord *wanted = plain.records[0], *record = self.records[0];
  gsize size;

  for (guint t = 0; t < GOBAN_SCORER_NET_N_TENSORS; t++)
    grad_fill (goban_params_value (plain.net->params, t),
               goban_params_get_size (plain.net->params, t), 0.4, t);
  memcpy (self.wanted[0], plain.wanted[0], self.rows->n_rows * sizeof (guint32));
  follow (&plain, NULL);
  follow (&self, NULL);
  size = (gsize) wanted->n_decisions * wanted->n_devices * sizeof (float);
  g_assert_cmpint (memcmp (record->chances->data, wanted->chances->data, size), !=, 0);
  goban_builder_net_adopt (self.net, plain.net);
  follow (&self, NULL);
  g_assert_cmpmem (record->chances->data, size, wanted->chances->data, size);
}

/* --- files ---------------------------------------------------------------------------------- */

/* A file says which parts its network has. */
static void
test_file (void)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "goban-decoder-XXXXXX", NULL);
  g_autoptr (GError) error = NULL;

  g_close (g_mkstemp (path), NULL);
  for (guint parts = 0; parts <= GOBAN_ALL_PARTS; parts++)
    {
      g_autoptr (GobanBuilderNet) net = NULL;
      g_autoptr (GobanBuilderNet) read = NULL;
      g_autoptr (GByteArray) a = NULL;
      g_autoptr (GByteArray) b = NULL;
      GobanRng rng;

      goban_rng_init (&rng, parts);
      net = goban_builder_net_new ((GobanDecoderParts) parts, &rng);
      a = goban_params_write (net->params);
      g_assert_true (goban_builder_net_save (net, path, &error));
      read = goban_builder_net_load (path, &error);
      g_assert_no_error (error);
      g_assert_true ((goban_builder_net_get_encoder (read) != NULL) == (parts > 0));
      if (parts > 0)
        g_assert_cmpuint (goban_builder_net_get_encoder (read)->parts, ==, parts);
      b = goban_params_write (read->params);
      g_assert_cmpmem (a->data, a->len, b->data, b->len);
    }
  g_assert_cmpint (g_unlink (path), ==, 0);
}

TEST_PROGRAM (decoder)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/policy/decoder/gradient/all", GUINT_TO_POINTER (GOBAN_ALL_PARTS),
                        test_gradient);
  g_test_add_data_func ("/policy/decoder/gradient/devices", GUINT_TO_POINTER (GOBAN_PART_DEVICES),
                        test_gradient);
  g_test_add_data_func ("/policy/decoder/gradient/actions", GUINT_TO_POINTER (GOBAN_PART_ACTIONS),
                        test_gradient);
  g_test_add_data_func ("/policy/decoder/gradient/none", GUINT_TO_POINTER (0), test_gradient);
  g_test_add_func ("/policy/decoder/batches", test_batches);
  g_test_add_data_func ("/policy/decoder/chances/all", GUINT_TO_POINTER (GOBAN_ALL_PARTS),
                        test_chances);
  g_test_add_data_func ("/policy/decoder/chances/none", GUINT_TO_POINTER (0), test_chances);
  g_test_add_func ("/policy/decoder/begins-as-without-parts", test_begins_alike);
  g_test_add_func ("/policy/decoder/each-part-counts", test_parts);
  g_test_add_func ("/policy/decoder/begins-with-fewer-parts", test_adopts);
  g_test_add_func ("/policy/decoder/equal-devices", test_exchangeable);
  g_test_add_func ("/policy/decoder/attention", test_attention);
  g_test_add_func ("/policy/decoder/file", test_file);
  return g_test_run ();
}
