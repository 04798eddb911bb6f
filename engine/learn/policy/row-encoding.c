#include "engine/learn/policy/row-encoding.h"

#include "engine/core/arrays.h"
#include "engine/learn/nn/linear.h"
#include "engine/learn/nn/vector.h"
#include "engine/learn/policy/pass-private.h"

#define H GOBAN_SCORER_HIDDEN

/* --- order and neighbours ------------------------------------------------------------------- */

/* Rows that each row reads from, once each. */
static GobanNeighbours
list_inputs (const GobanRowEncoding *self, const GobanRows *rows)
{
  guint32 *offsets = g_new0 (guint32, self->R + 1);
  guint32 *ids = g_new (guint32, rows->row_offsets[self->R] + 1);
  g_autofree guint32 *reader = g_new (guint32, self->R + 1);
  guint32 n = 0;

  memset (reader, 0xff, self->R * sizeof *reader);
  for (guint32 i = 0; i < self->R; i++)
    {
      guint32 row = self->row_at[i];

      for (guint32 k = rows->row_offsets[row]; k < rows->row_offsets[row + 1]; k++)
        {
          guint32 from = self->at[rows->row_of[rows->row_inputs[k].producer]];

          if (reader[from] == i)
            continue;
          reader[from] = i;
          ids[n++] = from;
        }
      offsets[i + 1] = n;
    }
  return (GobanNeighbours){ offsets, ids, self->R };
}

/* --- features ------------------------------------------------------------------------------- */

/* Sums by row. */
typedef struct
{
  double *read_bytes;
  double *sent_bytes;
  double *param_bytes;
  double *n_ops;
} Sums;

/* Writes log (1 + value / mean) of all rows to one column. */
static void
fill_column (GobanRowEncoding *self, const double *values, GobanEncodedFeature column)
{
  double sum = 0;

  for (guint r = 0; r < self->R; r++)
    sum += values[r];
  for (guint r = 0; r < self->R; r++)
    self->x[(gsize) self->at[r] * GOBAN_ENCODED_N + column]
        = sum > 0 ? (float) (goban_log (1 + values[r] / sum * self->R) / 2) : 0;
}

static void
fill_features (GobanRowEncoding *self, const GobanRows *rows)
{
  g_autofree double *room = g_new0 (double, (gsize) self->R * 4 + 1);
  Sums sums = { room, room + self->R, room + self->R * 2, room + self->R * 3 };

  for (guint r = 0; r < rows->n_rows; r++)
    for (guint32 k = rows->row_offsets[r]; k < rows->row_offsets[r + 1]; k++)
      {
        GobanRowInput input = rows->row_inputs[k];
        double bytes = goban_graph_get_tensor (rows->units->graph, input.tensor)->size_bytes;

        sums.read_bytes[r] += bytes;
        sums.sent_bytes[rows->row_of[input.producer]] += bytes;
      }
  for (GobanNodeId v = 0; v < rows->n_nodes; v++)
    {
      sums.param_bytes[rows->row_of[v]] += goban_cost_model_param_bytes (rows->units->costs, v);
      sums.n_ops[rows->row_of[v]]++;
    }

  self->x = goban_own (self, float, (gsize) self->R *GOBAN_ENCODED_N + 1);
  for (guint i = 0; i < self->R; i++)
    {
      float *x = self->x + (gsize) i * GOBAN_ENCODED_N;

      memcpy (x, rows->facts + (gsize) self->row_at[i] * GOBAN_ROW_N_STATIC,
              GOBAN_ROW_N_STATIC * sizeof *x);
      for (int k = 0; k < 2; k++)
        x[GOBAN_ENCODED_IN_DEGREE + k]
            = (float) (goban_log (1.0 + self->neighbours[k].offsets[i + 1]
                                  - self->neighbours[k].offsets[i])
                       / 2);
    }
  fill_column (self, sums.read_bytes, GOBAN_ENCODED_READ);
  fill_column (self, sums.sent_bytes, GOBAN_ENCODED_SENT);
  fill_column (self, sums.param_bytes, GOBAN_ENCODED_PARAMS);
  fill_column (self, sums.n_ops, GOBAN_ENCODED_SIZE);
}

/* --- there ---------------------------------------------------------------------------------- */

static guint
get_width (const GobanRowEncoding *self, GobanRowVector vector)
{
  return goban_row_encoder_get_width (self->encoder, vector);
}

void
goban_row_encoding_embed (GobanRowEncoding *self, const GobanBuilderNet *net)
{
  const GobanNet *layers;
  int R = (int) self->R, W;

  self->encoder = goban_builder_net_get_encoder (net);
  layers = &self->encoder->net;
  W = layers->config.width;
  g_clear_pointer (&self->attended, g_free);
  g_clear_pointer (&self->attended_shares, g_free);

  self->top = goban_pass_trunk_forward (self->pass, layers);
  for (gsize i = 0; i < (gsize) R * W; i++)
    self->y[i] = self->pass->c != NULL ? self->pass->c[i] * self->top[i] : self->top[i];
  for (guint k = 0; k < GOBAN_N_ROW_VECTORS; k++)
    {
      guint width = get_width (self, k);

      if (width == 0)
        continue;
      goban_linear_forward (self->ordered, self->y,
                            goban_params_value (layers->params, self->encoder->vectors[k]),
                            k == GOBAN_ROW_HIDDEN ? net->scorer.hidden : NULL, R, W, (int) width);
      for (int i = 0; i < R; i++)
        memcpy (self->vectors[k] + (gsize) self->row_at[i] * width,
                self->ordered + (gsize) i * width, width * sizeof *self->ordered);
    }
}

/* By the first op that needs a decision; rows without one come last. */
static void
order_rows (GobanRowEncoding *self, const GobanRows *rows)
{
  guint n = 0;

  self->row_at = goban_own (self, guint32, self->R + 1);
  self->at = goban_own (self, guint32, self->R + 1);
  memset (self->at, 0xff, self->R * sizeof *self->at);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < rows->n_nodes; i++)
      {
        guint32 row = rows->row_of[rows->order[i]];

        if (self->at[row] != G_MAXUINT32 || (pass == 0 && rows->is_idle[rows->order[i]]))
          continue;
        self->at[row] = n;
        self->row_at[n++] = row;
      }
  g_assert (n == self->R);
}

GobanRowEncoding *
goban_row_encoding_new (const GobanBuilderNet *net, const GobanRows *rows)
{
  const GobanRowEncoder *encoder = goban_builder_net_get_encoder (net);
  GobanRowEncoding *self;
  gsize R = rows->n_rows;
  GobanPassInput input;

  if (encoder == NULL || R == 0)
    return NULL;
  self = g_new0 (GobanRowEncoding, 1);
  self->arrays = goban_arrays_new ();
  self->encoder = encoder;
  self->R = rows->n_rows;
  order_rows (self, rows);
  self->neighbours[0] = list_inputs (self, rows);
  self->neighbours[1] = goban_neighbours_transpose (&self->neighbours[0]);
  fill_features (self, rows);
  input = (GobanPassInput){ .N = (int) R,
                            .n_features = GOBAN_ENCODED_N,
                            .stride = GOBAN_ENCODED_N,
                            .x = self->x,
                            .inputs = goban_neighbours_get_segments (&self->neighbours[0]),
                            .outputs = goban_neighbours_get_segments (&self->neighbours[1]) };
  self->pass = goban_pass_new_trunk (&encoder->net, &input);
  self->y = goban_own (self, float, R * encoder->net.config.width);
  self->ordered = goban_own (self, float, R *GOBAN_ROW_VECTOR_MOST);
  self->shares = goban_own (self, float, R);
  for (gsize r = 0; r < R; r++)
    self->shares[r] = rows->ideal_us > 0 ? (float) (rows->row_work_us[r] / rows->ideal_us) : 0;
  for (guint k = 0; k < GOBAN_N_ROW_VECTORS; k++)
    if (get_width (self, k) > 0)
      {
        self->vectors[k] = goban_own (self, float, R *get_width (self, k));
        self->dvectors[k] = goban_own (self, float, R *get_width (self, k));
      }
  goban_row_encoding_embed (self, net);
  return self;
}

void
goban_row_encoding_free (GobanRowEncoding *self)
{
  goban_pass_free (self->pass);
  for (int k = 0; k < 2; k++)
    goban_neighbours_clear (&self->neighbours[k]);
  g_ptr_array_unref (self->arrays);
  g_free (self->attended);
  g_free (self->attended_shares);
  g_free (self);
}

/* --- as the decoder has it ------------------------------------------------------------------ */

guint
goban_row_encoding_find_attended (GobanRowEncoding *self, guint row, guint n, guint32 *rows,
                                  float *shares)
{
  gsize at = (gsize) self->at[row] * GOBAN_N_ATTENDED;
  guint n_found = 0;

  if (self->encoder->net.config.n_attention == 0)
    return 0;
  if (self->attended == NULL)
    {
      self->attended = g_new (guint32, (gsize) self->R * GOBAN_N_ATTENDED);
      self->attended_shares = g_new (float, (gsize) self->R *GOBAN_N_ATTENDED);
      goban_pass_layer_find_attended (self->pass, 0, &self->pass->layers[0][0], self->attended,
                                      self->attended_shares);
    }
  for (; n_found < MIN (n, GOBAN_N_ATTENDED) && self->attended[at + n_found] != GOBAN_NO_ROW;
       n_found++)
    {
      rows[n_found] = self->row_at[self->attended[at + n_found]];
      shares[n_found] = self->attended_shares[at + n_found];
    }
  return n_found;
}

/* --- and back ------------------------------------------------------------------------------- */

void
goban_row_encoding_backward (GobanRowEncoding *self, GobanBuilderNet *net)
{
  GobanNet layers = self->encoder->net;
  int R = (int) self->R, W = layers.config.width;
  g_autofree float *dy = g_new0 (float, (gsize) R *W);

  for (guint k = 0; k < GOBAN_N_ROW_VECTORS; k++)
    {
      guint width = get_width (self, k);
      guint tensor = self->encoder->vectors[k];

      if (width == 0)
        continue;
      for (int i = 0; i < R; i++)
        memcpy (self->ordered + (gsize) i * width,
                self->dvectors[k] + (gsize) self->row_at[i] * width, width * sizeof *self->ordered);
      goban_linear_backward (dy, goban_params_grad (layers.params, tensor),
                             k == GOBAN_ROW_HIDDEN ? net->gradients.hidden : NULL, self->ordered,
                             self->y, goban_params_value (layers.params, tensor), R, W,
                             (int) width);
      memset (self->dvectors[k], 0, (gsize) R * width * sizeof *self->dvectors[k]);
    }

  /* forward was y = c top; dy becomes the gradient of top. */
  gsize n = (gsize) R * W;

  for (gsize i = 0; i < n && self->pass->c != NULL; i++)
    {
      self->pass->dc[i] += dy[i] * self->top[i];
      dy[i] *= self->pass->c[i];
    }

  goban_pass_trunk_backward (self->pass, &layers, dy);
  goban_pass_sum_gradients (self->pass, &layers);
}
