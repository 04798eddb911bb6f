#include "engine/io/hlo/hlo-costs.h"

#include "engine/core/error.h"
#include "engine/core/find-word.h"

#include <math.h>
#include <string.h>

/* Moves no data: a parameter, a tuple, another view of the same bytes. */
static gboolean
is_view (const char *opcode)
{
  static const char *const views[]
      = { "add-dependency", "after-all",         "bitcast",     "constant",
          "domain",         "get-tuple-element", "opt-barrier", "parameter",
          "partition-id",   "replica-id",        "reshape",     "tuple" };

  return goban_find_word (views, G_N_ELEMENTS (views), opcode) >= 0;
}

/* Moves data or makes it up, without arithmetic. */
static gboolean
is_movement (const char *opcode)
{
  static const char *const moves[] = { "all-gather",
                                       "all-to-all",
                                       "bitcast-convert",
                                       "broadcast",
                                       "collective-permute",
                                       "concatenate",
                                       "copy",
                                       "custom-call",
                                       "dynamic-reshape",
                                       "dynamic-slice",
                                       "dynamic-update-slice",
                                       "gather",
                                       "infeed",
                                       "iota",
                                       "outfeed",
                                       "pad",
                                       "recv",
                                       "reverse",
                                       "send",
                                       "slice",
                                       "sort",
                                       "transpose" };
  gsize n = strlen (opcode);

  return goban_find_word (moves, G_N_ELEMENTS (moves), opcode) >= 0
         || (n > 6 && strcmp (opcode + n - 6, "-start") == 0)
         || (n > 5 && strcmp (opcode + n - 5, "-done") == 0);
}

/* An operand's shape; NULL if there are fewer. */
static const GobanHloShape *
get_operand (const GobanHloModule *module, const GobanHloInstruction *from, guint32 i)
{
  if (i >= from->n_operands)
    return NULL;
  return &goban_hlo_instruction (module, goban_hlo_operand (module, from, i))->shape;
}

static double
count_dot (const GobanHloModule *module, const GobanHloInstruction *from)
{
  const GobanHloShape *left = get_operand (module, from, 0);
  double product = from->shape.elements;

  for (guint i = 0; left != NULL && i < left->n_dims; i++)
    if (from->contracting & 1u << i)
      product *= left->dims[i] >= 0 ? (double) left->dims[i] : (double) NAN;
  return product;
}

/* Every element of the output is a sum over the weights of one output feature. */
static double
count_convolution (const GobanHloModule *module, const GobanHloInstruction *from)
{
  const GobanHloShape *weights = get_operand (module, from, 1);
  int d = from->kernel_output;

  if (weights == NULL || d < 0 || (guint) d >= weights->n_dims || weights->dims[d] <= 0)
    return NAN;
  return from->shape.elements * (weights->elements / (double) weights->dims[d]);
}

static double
known_or_zero (double value)
{
  return isfinite (value) && value > 0 ? MIN (value, 1e30) : 0;
}

/* The work of the called computations, by how often they run. */
static void
add_called (const GobanHloModule *module, const GobanHloInstruction *from,
            const GobanHloCost *computations, GobanHloCost *cost)
{
  gboolean is_choice = strcmp (from->opcode, "conditional") == 0;
  const GobanHloShape *first = get_operand (module, from, 0);
  double times = 1;

  if (g_str_has_prefix (from->opcode, "reduce-window")
      || strcmp (from->opcode, "select-and-scatter") == 0)
    times = from->shape.elements * from->window;
  else if (strcmp (from->opcode, "map") == 0)
    times = from->shape.elements;
  else if (g_str_has_prefix (from->opcode, "reduce")
           || g_str_has_prefix (from->opcode, "all-reduce")
           || strcmp (from->opcode, "scatter") == 0)
    times = first != NULL ? first->elements : 0;
  else if (strcmp (from->opcode, "sort") == 0)
    times = 0;
  times = known_or_zero (times);
  for (guint32 i = 0; i < from->n_called; i++)
    {
      const GobanHloCost *called
          = &computations[g_array_index (module->called, guint32, from->first_called + i)];

      cost->flops
          = is_choice ? MAX (cost->flops, called->flops) : cost->flops + times * called->flops;
      cost->macs = is_choice ? MAX (cost->macs, called->macs) : cost->macs + times * called->macs;
    }
}

static void
add_bytes (const GobanHloModule *module, const GobanHloInstruction *from, GobanHloCost *cost)
{
  static const char *const parts[] = { "slice", "dynamic-slice", "gather" };

  if (is_view (from->opcode))
    return;
  cost->written_bytes = known_or_zero (from->shape.bytes);
  if (goban_find_word (parts, G_N_ELEMENTS (parts), from->opcode) >= 0)
    {
      cost->read_bytes = cost->written_bytes; /* of a large operand, only the part that is read */
      return;
    }
  for (guint32 i = 0; i < from->n_operands; i++)
    cost->read_bytes += known_or_zero (get_operand (module, from, i)->bytes);
}

static GobanHloCost
get_cost (const GobanHloModule *module, const GobanHloInstruction *from,
          const GobanHloCost *computations)
{
  GobanHloCost cost = { 0 };

  if (strcmp (from->opcode, "dot") == 0)
    cost.macs = known_or_zero (count_dot (module, from));
  else if (strcmp (from->opcode, "convolution") == 0)
    cost.macs = known_or_zero (count_convolution (module, from));
  if (cost.macs > 0)
    cost.flops = 2 * cost.macs;
  else if (from->n_called > 0)
    add_called (module, from, computations, &cost);
  else if (strcmp (from->opcode, "dot") != 0 && strcmp (from->opcode, "convolution") != 0
           && !is_view (from->opcode) && !is_movement (from->opcode))
    cost.flops = known_or_zero (from->shape.elements);
  add_bytes (module, from, &cost);
  cost.flops = known_or_zero (cost.flops);
  cost.macs = known_or_zero (cost.macs);
  cost.read_bytes = known_or_zero (cost.read_bytes);
  return cost;
}

/* Adds up the costs of a computation, whose calls are all counted. */
static void
add_up (const GobanHloModule *module, guint32 computation, GobanHloCost *costs,
        GobanHloCost *computations)
{
  const GobanHloComputation *from = goban_hlo_computation (module, computation);

  for (guint32 i = from->first; i < from->first + from->n; i++)
    {
      costs[i] = get_cost (module, goban_hlo_instruction (module, i), computations);
      computations[computation].flops += costs[i].flops;
      computations[computation].macs += costs[i].macs;
    }
}

/* The computation of an instruction, for all of them. */
static guint32 *
dup_owners (const GobanHloModule *module)
{
  guint32 *owners = g_new (guint32, module->instructions->len + 1);

  for (guint32 c = 0; c < module->computations->len; c++)
    for (guint32 i = 0; i < goban_hlo_computation (module, c)->n; i++)
      owners[goban_hlo_computation (module, c)->first + i] = c;
  return owners;
}

/* Callees first. Returns: how many are in @order; the others call themselves. */
static guint
order_computations (const GobanHloModule *module, guint32 *order, guint32 *n_waits)
{
  guint n = module->computations->len;
  g_autofree guint32 *owners = dup_owners (module);
  g_autofree guint32 *first = g_new0 (guint32, n + 2);
  g_autofree guint32 *callers = g_new (guint32, module->called->len + 1);
  guint n_order = 0;

  for (guint32 k = 0; k < module->called->len; k++)
    first[g_array_index (module->called, guint32, k) + 2]++;
  for (guint32 c = 0; c < n; c++)
    first[c + 2] += first[c + 1];
  for (guint32 i = 0; i < module->instructions->len; i++)
    {
      const GobanHloInstruction *from = goban_hlo_instruction (module, i);

      for (guint32 k = 0; k < from->n_called; k++)
        {
          guint32 called = g_array_index (module->called, guint32, from->first_called + k);

          callers[first[called + 1]++] = owners[i];
          n_waits[owners[i]]++;
        }
    }
  for (guint32 c = 0; c < n; c++)
    if (n_waits[c] == 0)
      order[n_order++] = c;
  for (guint at = 0; at < n_order; at++)
    for (guint32 k = first[order[at]]; k < first[order[at] + 1]; k++)
      if (--n_waits[callers[k]] == 0)
        order[n_order++] = callers[k];
  return n_order;
}

GobanHloCost *
goban_hlo_costs_new (const GobanHloModule *module, GError **error)
{
  guint n = module->computations->len;
  g_autofree GobanHloCost *costs = g_new0 (GobanHloCost, module->instructions->len + 1);
  g_autofree GobanHloCost *computations = g_new0 (GobanHloCost, n + 1);
  g_autofree guint32 *order = g_new (guint32, n + 1);
  g_autofree guint32 *n_waits = g_new0 (guint32, n + 1);
  guint n_order = order_computations (module, order, n_waits);

  for (guint i = 0; i < n_order; i++)
    add_up (module, order[i], costs, computations);
  for (guint32 c = 0; c < n; c++)
    if (n_waits[c] > 0)
      {
        g_autofree char *name = g_utf8_make_valid (goban_hlo_computation (module, c)->name, -1);

        goban_refuse (error, GOBAN_ERROR_PARSE,
                      "%s: computation “%s” calls itself, by way of others or not", module->path,
                      name);
        return NULL;
      }
  return g_steal_pointer (&costs);
}
