#include "engine/graph/workloads/synthetic-blocks.h"

#include "engine/graph/workloads/tape-conv.h"
#include "engine/graph/workloads/tape-ops.h"

#define MAX_BRANCHES 6
#define MAX_CLASSES_OF_MAPS 1000
#define N_CHANNELS 3

GobanRng
synthetic_rng (const Synthetic *self, const char *scope)
{
  GobanRng rng;

  goban_rng_init (&rng, self->seed * 0x9e3779b97f4a7c15u + g_str_hash (scope));
  return rng;
}

guint
synthetic_draw (GobanRng *rng, guint least, guint most)
{
  return least + goban_rng_below (rng, most - least + 1);
}

void
synthetic_push (const Synthetic *self, const char *scope)
{
  if (self->step > 0)
    tape_push (self->tape, "%s/step_%u", scope, self->step);
  else
    tape_push (self->tape, "%s", scope);
}

void
synthetic_pop (const Synthetic *self)
{
  tape_pop (self->tape);
}

/* --- layers --------------------------------------------------------------------------------- */

static Value
get_kernel (Synthetic *self, const char *scope, Shape shape)
{
  gpointer found = g_hash_table_lookup (self->weights, scope);
  Value kernel;

  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  tape_push (self->tape, "%s", scope);
  kernel = tape_read (self->tape, tape_variable (self->tape, "kernel", shape));
  tape_pop (self->tape);
  g_hash_table_insert (self->weights, g_strdup (scope), GUINT_TO_POINTER (kernel + 1));
  return kernel;
}

Value
synthetic_project (Synthetic *self, const char *scope, Value x, gint64 n_out)
{
  GobanRng rng = synthetic_rng (self, scope);
  gint64 window = synthetic_draw (&rng, 0, 2) == 0 ? 3 : 1;
  gint64 n_in = tape_dim (self->tape, x, self->has_maps ? 3 : 1);
  Value kernel = get_kernel (
      self, scope, self->has_maps ? SHAPE (window, window, n_in, n_out) : SHAPE (n_in, n_out));

  synthetic_push (self, scope);
  x = self->has_maps ? tape_conv_2d (self->tape, x, kernel, 1, TAPE_SAME)
                     : tape_matmul (self->tape, x, kernel);
  synthetic_pop (self);
  return x;
}

Value
synthetic_activate (Synthetic *self, const char *scope, Value x)
{
  GobanRng rng = synthetic_rng (self, scope);
  guint drawn = synthetic_draw (&rng, 0, 3);

  synthetic_push (self, scope);
  switch (drawn)
    {
    case 0:
      x = tape_tanh (self->tape, x);
      break;
    case 1:
      x = tape_sigmoid (self->tape, tape_offset (self->tape, x));
      break;
    case 2:
      x = tape_mul (self->tape, x, tape_sigmoid (self->tape, x));
      break;
    default:
      x = tape_relu (self->tape, x);
    }
  synthetic_pop (self);
  return x;
}

static Value
add (Synthetic *self, const char *scope, Value a, Value b)
{
  Value sum;

  synthetic_push (self, scope);
  sum = tape_add (self->tape, a, b);
  synthetic_pop (self);
  return sum;
}

static char *
nest (const char *scope, const char *name, guint i)
{
  return g_strdup_printf ("%s/%s_%u", scope, name, i + 1);
}

/* --- blocks --------------------------------------------------------------------------------- */

static Value
build_chain (Synthetic *self, const char *scope, Value x, gint64 n_out)
{
  GobanRng rng = synthetic_rng (self, scope);
  guint length = synthetic_draw (&rng, 1, 4);

  for (guint i = 0; i < length; i++)
    {
      g_autofree char *link = nest (scope, "link", i);

      if (i == 0 || synthetic_draw (&rng, 0, 1) == 0)
        x = synthetic_project (self, link, x, n_out);
      x = synthetic_activate (self, link, x);
    }
  return x;
}

static Value
build_branches (Synthetic *self, const char *scope, Value x)
{
  GobanRng rng = synthetic_rng (self, scope);
  guint n = synthetic_draw (&rng, 2, MAX_BRANCHES);
  Value ends[MAX_BRANCHES];
  Value sum;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *branch = nest (scope, "branch", i);
      g_autofree char *end = nest (scope, "end", i);
      gint64 width = self->width * synthetic_draw (&rng, 1, 4) / 2;

      ends[i] = synthetic_project (self, end, build_chain (self, branch, x, width), self->width);
    }
  synthetic_push (self, scope);
  sum = tape_add_n (self->tape, ends, n);
  synthetic_pop (self);
  return sum;
}

static Value
build_skip (Synthetic *self, const char *scope, Value x)
{
  g_autofree char *filter = g_strconcat (scope, "/filter", NULL);
  g_autofree char *gate = g_strconcat (scope, "/gate", NULL);
  g_autofree char *skip = g_strconcat (scope, "/skip", NULL);
  g_autofree char *dense = g_strconcat (scope, "/dense", NULL);
  Value a = synthetic_project (self, filter, x, self->width);
  Value b = synthetic_project (self, gate, x, self->width);
  Value gated;
  Value aside;

  synthetic_push (self, scope);
  gated = tape_mul (self->tape, tape_tanh (self->tape, a), tape_sigmoid (self->tape, b));
  synthetic_pop (self);
  aside = synthetic_project (self, skip, gated, self->width);
  if (self->gathers_skips)
    g_array_append_val (self->skips, aside);
  else
    x = add (self, scope, x, aside);
  return add (self, scope, x, synthetic_project (self, dense, gated, self->width));
}

/* Rows attend to the rows of their own group. */
static Value
attend (Synthetic *self, const char *scope, const Value operands[3])
{
  GobanRng rng = synthetic_rng (self, scope);
  gint64 n_groups = 1 << synthetic_draw (&rng, 0, 4);
  Shape grouped;
  Value parts[3];
  Value y;

  while (self->rows % n_groups != 0)
    n_groups /= 2;
  grouped = SHAPE (n_groups, self->rows / n_groups, self->width);
  synthetic_push (self, scope);
  for (guint i = 0; i < 3; i++)
    parts[i] = tape_reshape (self->tape, operands[i], grouped);
  y = tape_batch_matmul (self->tape, parts[0], parts[1], TAPE_TRANSPOSE_B);
  y = tape_softmax (self->tape, tape_scale (self->tape, y));
  y = tape_batch_matmul (self->tape, y, parts[2], TAPE_PLAIN);
  y = tape_reshape (self->tape, y, SHAPE (self->rows, self->width));
  synthetic_pop (self);
  return y;
}

static Value
build_attention (Synthetic *self, const char *scope, Value x)
{
  static const char *const names[] = { "query", "key", "value" };
  g_autofree char *output = g_strconcat (scope, "/output", NULL);
  g_autofree char *inner = g_strconcat (scope, "/inner", NULL);
  g_autofree char *outer = g_strconcat (scope, "/outer", NULL);
  GobanRng rng = synthetic_rng (self, output);
  Value operands[G_N_ELEMENTS (names)];
  Value y;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *part = g_strdup_printf ("%s/%s", scope, names[i]);

      operands[i] = synthetic_project (self, part, x, self->width);
    }
  y = synthetic_project (self, output, attend (self, scope, operands), self->width);
  x = add (self, scope, x, y);
  y = synthetic_project (self, inner, x, self->width * synthetic_draw (&rng, 1, 4));
  y = synthetic_project (self, outer, synthetic_activate (self, inner, y), self->width);
  return add (self, scope, x, y);
}

Value
synthetic_block (Synthetic *self, const char *scope, Value x)
{
  GobanRng rng = synthetic_rng (self, scope);

  switch (self->kinds[synthetic_draw (&rng, 0, G_N_ELEMENTS (self->kinds) - 1)])
    {
    case SYNTHETIC_BRANCHES:
      return build_branches (self, scope, x);
    case SYNTHETIC_SKIP:
      return build_skip (self, scope, x);
    case SYNTHETIC_ATTENTION:
      return build_attention (self, scope, x);
    case SYNTHETIC_CHAIN:
    case SYNTHETIC_N_BLOCKS:
      break;
    }
  return build_chain (self, scope, x, self->width);
}

/* --- both ends ------------------------------------------------------------------------------ */

static Value
gather (Synthetic *self, const char *scope)
{
  g_autofree char *key = g_strconcat (scope, "/table", NULL);
  gpointer found = g_hash_table_lookup (self->weights, key);
  Variable table = found != NULL ? GPOINTER_TO_UINT (found) - 1 : 0;
  Value x;

  if (found == NULL)
    {
      tape_push (self->tape, "%s", scope);
      table = tape_variable (self->tape, "table", SHAPE (self->vocabulary, self->width));
      tape_pop (self->tape);
      g_hash_table_insert (self->weights, g_steal_pointer (&key), GUINT_TO_POINTER (table + 1));
    }
  synthetic_push (self, scope);
  x = tape_gather (self->tape, table, tape_input (self->tape, "ids", SHAPE (self->rows), "s32"));
  synthetic_pop (self);
  return x;
}

Value
synthetic_embed (Synthetic *self, const char *scope)
{
  Value x;

  if (!self->has_maps)
    return gather (self, scope);
  synthetic_push (self, scope);
  x = tape_input (self->tape, "images", SHAPE (self->rows, self->side, self->side, N_CHANNELS),
                  "f32");
  synthetic_pop (self);
  return synthetic_project (self, scope, x, self->width);
}

void
synthetic_lose (Synthetic *self, const char *scope, Value x)
{
  gint64 n_classes
      = self->has_maps ? MIN (self->vocabulary, MAX_CLASSES_OF_MAPS) : self->vocabulary;
  Value kernel = get_kernel (self, scope, SHAPE (self->width, n_classes));
  Value loss;

  synthetic_push (self, scope);
  if (self->has_maps)
    x = tape_mean (self->tape, x, 1 << 1 | 1 << 2, FALSE);
  x = tape_matmul (self->tape, x, kernel);
  x = tape_cross_entropy (self->tape, x,
                          tape_input (self->tape, "labels", SHAPE (self->rows), "s32"));
  loss = tape_sum (self->tape, x, 1, FALSE);
  synthetic_pop (self);
  g_array_append_val (self->losses, loss);
}
