#include "engine/learn/policy/plan-builder.h"

#include "engine/learn/nn/softmax.h"
#include "engine/learn/nn/vector.h"

#include <math.h>

struct _GobanPlanBuilder
{
  const GobanRows *rows;
  GobanPartialSchedule *schedule;
  float *features; /* (D, GOBAN_CHOICE_N) */
  float *context;  /* (GOBAN_CONTEXT_N) */
  float *scores;   /* (D) */
  float *chances;  /* (D) */
  float *sorted;   /* (D) */
  guint8 *can;     /* (D) */
  GobanDecoderState state;

  /* For the plan being built: */
  GobanDecoder decoder;
  const GobanRowEncoding *encoding; /* (nullable) */
};

GobanPlanBuilder *
goban_plan_builder_new (const GobanRows *rows)
{
  GobanPlanBuilder *self = g_new0 (GobanPlanBuilder, 1);
  guint D = rows->n_devices;

  self->rows = rows;
  self->schedule = goban_partial_schedule_new (rows);
  self->features = g_new0 (float, (gsize) D *GOBAN_CHOICE_N);
  self->context = g_new0 (float, GOBAN_CONTEXT_N);
  self->scores = g_new0 (float, D);
  self->chances = g_new0 (float, D);
  self->sorted = g_new0 (float, D);
  self->can = g_new0 (guint8, D);
  goban_decoder_state_init (&self->state, D);
  return self;
}

void
goban_plan_builder_free (GobanPlanBuilder *self)
{
  goban_partial_schedule_free (self->schedule);
  g_free (self->features);
  g_free (self->context);
  g_free (self->scores);
  g_free (self->chances);
  g_free (self->sorted);
  g_free (self->can);
  goban_decoder_state_clear (&self->state);
  g_free (self);
}

/* --- records -------------------------------------------------------------------------------- */

GobanBuildRecord *
goban_build_record_new (void)
{
  GobanBuildRecord *self = g_new0 (GobanBuildRecord, 1);

  self->rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->actions = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->features = g_array_new (FALSE, FALSE, sizeof (float));
  self->contexts = g_array_new (FALSE, FALSE, sizeof (float));
  self->chances = g_array_new (FALSE, FALSE, sizeof (float));
  self->can = g_array_new (FALSE, FALSE, 1);
  self->attention = g_array_new (FALSE, TRUE, sizeof (float));
  self->nodes = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  self->ends_us = g_array_new (FALSE, FALSE, sizeof (double));
  self->devices = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

GobanBuildRecord *
goban_build_record_copy (const GobanBuildRecord *self)
{
  GobanBuildRecord *copy = g_memdup2 (self, sizeof *self);

  copy->rows = g_array_copy (self->rows);
  copy->actions = g_array_copy (self->actions);
  copy->features = g_array_copy (self->features);
  copy->contexts = g_array_copy (self->contexts);
  copy->chances = g_array_copy (self->chances);
  copy->can = g_array_copy (self->can);
  copy->attention = g_array_copy (self->attention);
  copy->nodes = g_array_copy (self->nodes);
  copy->ends_us = g_array_copy (self->ends_us);
  copy->devices = g_array_copy (self->devices);
  return copy;
}

void
goban_build_record_free (GobanBuildRecord *self)
{
  g_array_unref (self->rows);
  g_array_unref (self->actions);
  g_array_unref (self->features);
  g_array_unref (self->contexts);
  g_array_unref (self->chances);
  g_array_unref (self->can);
  g_array_unref (self->attention);
  g_array_unref (self->nodes);
  g_array_unref (self->ends_us);
  g_array_unref (self->devices);
  g_free (self);
}

static void
clear_record (GobanBuildRecord *self, const GobanRows *rows)
{
  self->n_decisions = 0;
  self->n_devices = rows->n_devices;
  g_array_set_size (self->features, 0);
  g_array_set_size (self->contexts, 0);
  g_array_set_size (self->rows, rows->n_rows);
  g_array_set_size (self->actions, rows->n_rows);
  g_array_set_size (self->chances, rows->n_rows * rows->n_devices);
  g_array_set_size (self->can, rows->n_rows * rows->n_devices);
  g_array_set_size (self->attention, rows->n_rows * rows->n_devices);
  g_array_set_size (self->nodes, rows->n_rows);
  g_array_set_size (self->ends_us, rows->n_rows);
}

static void
note (GobanBuildRecord *self, const GobanPlanBuilder *builder, GobanNodeId node, guint32 action)
{
  guint D = self->n_devices;
  guint i = self->n_decisions++;

  g_array_index (self->rows, guint32, i) = builder->rows->row_of[node];
  g_array_index (self->actions, guint32, i) = action;
  g_array_index (self->nodes, GobanNodeId, i) = node;
  g_array_index (self->ends_us, double, i) = goban_partial_schedule_get_end_us (builder->schedule);
  memcpy (&g_array_index (self->chances, float, (gsize) i *D), builder->chances,
          D * sizeof (float));
  memcpy (&g_array_index (self->can, guint8, (gsize) i * D), builder->can, D);
  for (guint d = 0; d < D; d++)
    {
      float share = 0;

      for (guint h = 0; h < GOBAN_DECODER_HEADS; h++)
        share += builder->state.attention[(gsize) h * D + d] / GOBAN_DECODER_HEADS;
      g_array_index (self->attention, float, (gsize) i *D + d)
          = builder->decoder.attended != NULL ? share : 0;
    }
  if (self->skips_features)
    return;
  g_array_append_vals (self->features, builder->features, D * GOBAN_CHOICE_N);
  g_array_append_vals (self->contexts, builder->context, GOBAN_CONTEXT_N);
}

/* Entropy of one decision. Equal unused devices count as one choice, because choosing among them
 * makes no difference. */
static double
find_entropy (const float *p, const float *x, guint n)
{
  double entropy = 0;

  for (guint d = 0; d < n; d++)
    {
      gboolean is_unused = x[(gsize) d * GOBAN_CHOICE_N + GOBAN_CHOICE_UNUSED] > 0;
      guint n_alike = 1;
      guint n_before = 0;

      for (guint e = 0; is_unused && e < n; e++)
        if (e != d && x[(gsize) e * GOBAN_CHOICE_N + GOBAN_CHOICE_UNUSED] > 0 && p[e] == p[d])
          {
            n_alike++;
            n_before += e < d;
          }
      if (p[d] > 0 && n_before == 0)
        entropy -= n_alike * (double) p[d] * goban_log (n_alike * (double) p[d]);
    }
  return entropy;
}

double
goban_build_record_get_entropy (const GobanBuildRecord *self)
{
  const float *chances = (const float *) (const void *) self->chances->data;
  const float *features = (const float *) (const void *) self->features->data;
  guint D = self->n_devices;
  double sum = 0;

  for (guint i = 0; i < self->n_decisions; i++)
    sum += find_entropy (chances + (gsize) i * D, features + (gsize) i * D * GOBAN_CHOICE_N, D);
  return self->n_decisions > 0 ? sum / self->n_decisions : 0;
}

/* --- decisions ------------------------------------------------------------------------------ */

static guint32
find_likeliest (const GobanPlanBuilder *self)
{
  guint32 best = GOBAN_NOT_PLACED;

  for (guint32 d = 0; d < self->rows->n_devices; d++)
    if (self->can[d] && (best == GOBAN_NOT_PLACED || self->scores[d] > self->scores[best]))
      best = d;
  return best;
}

/* chances (D) = softmax (scores / temperature), summed in ascending order, so that the bits do not
 * depend on the order of devices. */
static void
find_chances (GobanPlanBuilder *self, double temperature)
{
  guint D = self->rows->n_devices;
  float most = self->scores[find_likeliest (self)];
  float sum = 0;

  for (guint d = 0; d < D; d++)
    {
      guint j = d;

      self->chances[d]
          = self->can[d] ? goban_exp_below ((self->scores[d] - most) / (float) temperature) : 0;
      for (; j > 0 && self->sorted[j - 1] > self->chances[d]; j--)
        self->sorted[j] = self->sorted[j - 1];
      self->sorted[j] = self->chances[d];
    }
  for (guint d = 0; d < D; d++)
    sum += self->sorted[d];
  for (guint d = 0; d < D; d++)
    self->chances[d] /= sum;
}

/* The device of the row of @node, the first op of it. */
static guint32
decide (GobanPlanBuilder *self, const GobanBuildOptions *options, GobanNodeId node)
{
  guint row = self->rows->row_of[node];
  GobanDecoderRow vectors = self->encoding != NULL
                                ? goban_row_encoding_get_row (self->encoding, row)
                                : (GobanDecoderRow){ { self->decoder.scorer.hidden }, 0 };
  gboolean is_drawn = options->wanted == NULL && options->temperature > 0;
  guint32 action;

  goban_partial_schedule_look (self->schedule, row, self->features, self->context, self->can);
  goban_decoder_score (&self->decoder, &self->state, &vectors, self->features, self->context,
                       self->scores);
  if (options->wanted != NULL)
    action = options->wanted[row];
  else if (is_drawn)
    {
      find_chances (self, options->temperature);

      GobanRng *rng = options->rng;
      double left = goban_rng_uniform (rng);
      guint32 drawn = GOBAN_NOT_PLACED;

      for (guint32 d = 0; d < self->rows->n_devices; d++)
        {
          if (self->chances[d] <= 0)
            continue;
          drawn = d;
          left -= (double) self->chances[d];
          if (left < 0)
            break;
        }
      action = drawn;
    }
  else
    action = find_likeliest (self);
  if (options->forced != NULL && options->forced->row == row)
    action = options->forced->device;
  if (options->record != NULL)
    {
      /* A wanted device without room is allowed all the same. */
      if (!is_drawn || !self->can[action])
        {
          self->can[action] = 1;
          find_chances (self, options->temperature > 0 ? options->temperature : 1);
        }
      note (options->record, self, node, action);
    }
  goban_decoder_take (&self->decoder, &self->state, &vectors, action);
  return action;
}

void
goban_plan_builder_build (GobanPlanBuilder *self, const GobanBuilderNet *net,
                          const GobanBuildOptions *options, guint32 *devices)
{
  const GobanRows *rows = self->rows;
  const guint32 *placed = goban_partial_schedule_get_devices (self->schedule);
  g_autoptr (GobanRowEncoding) own
      = options->encoding == NULL ? goban_row_encoding_new (net, rows) : NULL;

  self->encoding = own != NULL ? own : options->encoding;
  self->decoder = goban_builder_net_get_decoder (net);
  goban_decoder_state_reset (&self->state);
  if (options->record != NULL)
    clear_record (options->record, rows);
  goban_partial_schedule_reset (self->schedule, options->caution > 0 ? options->caution : 1);
  for (guint i = 0; i < rows->n_nodes; i++)
    {
      GobanNodeId v = rows->order[i];
      guint row = rows->row_of[v];

      if (placed[row] == GOBAN_NOT_PLACED)
        {
          if (rows->is_idle[v])
            {
              goban_partial_schedule_skip (self->schedule, v);
              continue;
            }
          goban_partial_schedule_place (self->schedule, row, decide (self, options, v));
        }
      goban_partial_schedule_append (self->schedule, v, options->wanted);
    }
  goban_partial_schedule_finish (self->schedule, options->wanted);
  if (options->record != NULL)
    {
      options->record->end_us = goban_partial_schedule_get_end_us (self->schedule);
      g_array_set_size (options->record->devices, 0);
      g_array_append_vals (options->record->devices, placed, rows->n_rows);
    }
  memcpy (devices, placed, rows->n_rows * sizeof *devices);
  self->encoding = NULL;
}

/* --- all decisions of some plans ------------------------------------------------------------ */

/* Decisions of several plans, one after another. */
typedef struct
{
  guint n;
  guint *ends;
  float *x, *c;
  guint32 *rows, *actions;
} Decisions;

static Decisions
join (GobanBuildRecord *const *records, guint n_plans)
{
  guint D = n_plans > 0 ? records[0]->n_devices : 0;
  Decisions self = { .ends = g_new (guint, n_plans + 1) };

  for (guint k = 0; k < n_plans; k++)
    self.ends[k] = self.n += records[k]->n_decisions;
  self.x = g_new (float, (gsize) self.n *D *GOBAN_CHOICE_N + 1);
  self.c = g_new (float, (gsize) self.n *GOBAN_CONTEXT_N + 1);
  self.rows = g_new (guint32, self.n + 1);
  self.actions = g_new (guint32, self.n + 1);
  for (guint k = 0; k < n_plans; k++)
    {
      const GobanBuildRecord *record = records[k];
      gsize size = record->n_decisions, first = self.ends[k] - size;

      if (size == 0)
        continue;
      memcpy (self.x + first * D * GOBAN_CHOICE_N, record->features->data,
              size * D * GOBAN_CHOICE_N * sizeof *self.x);
      memcpy (self.c + first * GOBAN_CONTEXT_N, record->contexts->data,
              size * GOBAN_CONTEXT_N * sizeof *self.c);
      memcpy (self.rows + first, record->rows->data, size * sizeof *self.rows);
      memcpy (self.actions + first, record->actions->data, size * sizeof *self.actions);
    }
  return self;
}

static void
decisions_clear (Decisions *self)
{
  g_free (self->ends);
  g_free (self->x);
  g_free (self->c);
  g_free (self->rows);
  g_free (self->actions);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Decisions, decisions_clear)

/* The decisions for the decoder, forward. encoding: (nullable) */
static GobanDecoderBatch
make_batch (const Decisions *self, guint n_plans, guint n_devices, const GobanDecoder *decoder,
            const GobanRowEncoding *encoding)
{
  GobanDecoderBatch batch = { .n_plans = n_plans,
                              .ends = self->ends,
                              .n_devices = (int) n_devices,
                              .x = self->x,
                              .c = self->c,
                              .rows = self->rows,
                              .actions = self->actions,
                              .vectors = { decoder->scorer.hidden } };

  if (encoding == NULL)
    return batch;
  batch.shares = goban_row_encoding_get_shares (encoding);
  for (guint k = 0; k < GOBAN_N_ROW_VECTORS; k++)
    batch.vectors[k] = goban_row_encoding_get_vectors (encoding, k);
  return batch;
}

void
goban_build_records_find_chances (GobanBuildRecord *const *records, guint n,
                                  const GobanBuilderNet *net, const GobanRowEncoding *encoding,
                                  double temperature, float *chances)
{
  guint D = n > 0 ? records[0]->n_devices : 0;
  GobanDecoder decoder = goban_builder_net_get_decoder (net);
  g_auto (Decisions) all = join (records, n);
  GobanDecoderBatch batch = make_batch (&all, n, D, &decoder, encoding);
  float *next = chances;

  goban_decoder_score_all (&decoder, &batch, chances);
  for (guint k = 0; k < n; k++)
    for (guint i = 0; i < records[k]->n_decisions * D; i++, next++)
      *next = g_array_index (records[k]->can, guint8, i) ? *next / (float) temperature : -INFINITY;
  goban_softmax_forward (chances, chances, (int) all.n, (int) D);
}

/* --- learning ------------------------------------------------------------------------------- */

/* Target distribution (D): the chosen device; or all equal unused devices, in proportion to their
 * present probabilities. classes: (nullable) */
static void
set_target (const GobanBuildRecord *self, guint i, const guint *classes, float *target)
{
  guint D = self->n_devices;
  guint32 action = g_array_index (self->actions, guint32, i);
  const float *x
      = (const float *) (const void *) self->features->data + (gsize) i * D * GOBAN_CHOICE_N;
  const float *p = (const float *) (const void *) self->chances->data + (gsize) i * D;
  gboolean pools = classes != NULL && x[action * GOBAN_CHOICE_N + GOBAN_CHOICE_UNUSED] > 0;
  float sum = 0;

  memset (target, 0, D * sizeof *target);
  target[action] = 1;
  if (!pools)
    return;
  for (guint d = 0; d < D; d++)
    if (classes[d] == classes[action] && x[d * GOBAN_CHOICE_N + GOBAN_CHOICE_UNUSED] > 0)
      sum += p[d];
  for (guint d = 0; d < D; d++)
    if (sum > 0)
      target[d] = classes[d] == classes[action] && x[d * GOBAN_CHOICE_N + GOBAN_CHOICE_UNUSED] > 0
                      ? p[d] / sum
                      : 0;
}

/* forward: L = -(w sum_d t_d log p_d + e H), p = softmax (z). So dL/dz_d = -w (t_d - p_d) + e p_d
 * (log p_d + H). */
static void
differentiate (const float *p, const float *target, const GobanBuildLesson *lesson, guint D,
               float *dscores)
{
  /* In nats, of p (n). */
  double entropy = 0;

  for (guint i = 0; i < D; i++)
    if (p[i] > 0)
      entropy -= (double) p[i] * goban_log ((double) p[i]);

  for (guint d = 0; d < D; d++)
    {
      double log_p = p[d] > 0 ? goban_log ((double) p[d]) : 0;

      dscores[d] = (float) (-lesson->advantage * (double) (target[d] - p[d])
                            + lesson->entropy * (double) p[d] * (log_p + entropy));
    }
}

/* Writes the gradient by the scores of all decisions of a plan (n,D). */
static void
differentiate_plan (const GobanBuildRecord *self, const GobanBuildLesson *lesson, float *dscores)
{
  guint D = self->n_devices;
  g_autofree float *target = g_new (float, D + 1);
  GobanBuildLesson share = *lesson;

  share.advantage /= MAX (self->n_decisions, 1);
  share.entropy /= MAX (self->n_decisions, 1);
  for (guint i = 0; i < self->n_decisions; i++)
    {
      set_target (self, i, lesson->classes, target);
      differentiate ((const float *) (const void *) self->chances->data + (gsize) i * D, target,
                     &share, D, dscores + (gsize) i * D);
    }
}

void
goban_build_records_learn (GobanBuildRecord *const *records, const GobanBuildLesson *lessons,
                           guint n, GobanBuilderNet *net, GobanRowEncoding *encoding)
{
  guint D = n > 0 ? records[0]->n_devices : 0;
  GobanDecoder decoder = goban_builder_net_get_decoder (net);
  GobanDecoder gradients = goban_builder_net_get_gradients (net);
  g_auto (Decisions) all = join (records, n);
  g_autofree float *dscores = g_new (float, (gsize) all.n *D + 1);
  GobanDecoderBatch batch = make_batch (&all, n, D, &decoder, encoding);

  g_assert ((encoding != NULL) == (goban_builder_net_get_encoder (net) != NULL));
  for (guint k = 0; k < n; k++)
    differentiate_plan (records[k], &lessons[k],
                        dscores + (gsize) (all.ends[k] - records[k]->n_decisions) * D);
  batch.dscores = dscores;
  batch.dvectors[GOBAN_ROW_HIDDEN] = gradients.scorer.hidden;
  for (guint k = 0; k < GOBAN_N_ROW_VECTORS && encoding != NULL; k++)
    batch.dvectors[k] = goban_row_encoding_get_gradients (encoding, k);
  goban_decoder_backward (&decoder, &gradients, &batch);
}
