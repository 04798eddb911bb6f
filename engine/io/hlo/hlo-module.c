#include "engine/io/hlo/hlo-module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/io/id-table.h"
#include "engine/io/text.h"

void
goban_hlo_module_init (GobanHloModule *self, const char *path)
{
  *self = (GobanHloModule){ .path = path, .name = "", .entry = GOBAN_HLO_NONE };
  self->texts = g_string_chunk_new (4096);
  self->computations = g_array_new (FALSE, FALSE, sizeof (GobanHloComputation));
  self->instructions = g_array_new (FALSE, FALSE, sizeof (GobanHloInstruction));
  self->parts = g_array_new (FALSE, FALSE, sizeof (GobanHloShape));
  self->operands = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->called = g_array_new (FALSE, FALSE, sizeof (guint32));
}

void
goban_hlo_module_clear (GobanHloModule *self)
{
  g_clear_pointer (&self->texts, g_string_chunk_free);
  g_clear_pointer (&self->computations, g_array_unref);
  g_clear_pointer (&self->instructions, g_array_unref);
  g_clear_pointer (&self->parts, g_array_unref);
  g_clear_pointer (&self->operands, g_array_unref);
  g_clear_pointer (&self->called, g_array_unref);
}

GobanHloInstruction
goban_hlo_instruction_empty (void)
{
  return (GobanHloInstruction){
    .name = "", .opcode = "", .scope = "", .kernel_output = -1, .window = 1, .device = -1
  };
}

/* The types' names end in their width, but for some of eight bits. */
static guint
get_bits (const char *dtype)
{
  const char *digits = dtype;

  if (g_str_equal (dtype, "pred") || g_str_has_prefix (dtype, "f8"))
    return 8;
  if (g_str_has_prefix (dtype, "f4"))
    return 4;
  while (g_ascii_isalpha (*digits))
    digits++;
  return (guint) MIN (strtoul (digits, NULL, 10), 128);
}

void
goban_hlo_shape_set (GobanHloShape *self, const char *dtype, const gint64 *dims, gsize n_dims)
{
  *self = (GobanHloShape){ .elements = 1, .bits = get_bits (dtype) };
  g_strlcpy (self->dtype, g_str_equal (dtype, "pred") ? "bool" : dtype, sizeof self->dtype);
  self->has_dims = n_dims <= GOBAN_HLO_MAX_DIMS && self->bits > 0;
  self->n_dims = self->has_dims ? (guint) n_dims : 0;
  for (gsize i = 0; i < n_dims; i++)
    {
      self->elements *= dims[i] >= 0 ? (double) dims[i] : (double) NAN;
      if (self->has_dims)
        self->dims[i] = MAX (dims[i], -1);
    }
  /* Nothing has more; the sizes would lose their meaning. */
  if (!(self->elements < 0x1p53))
    self->elements = NAN;
  self->bytes = self->bits > 0 ? ceil (self->elements * self->bits / 8) : 0;
}

void
goban_hlo_shape_add (GobanHloShape *self, const GobanHloShape *part)
{
  self->has_dims = FALSE;
  self->elements += part->elements;
  self->bytes += part->bytes;
}

/* --- from bytes ----------------------------------------------------------- */

#define MAX_DIMS 64

/* (transfer full): text of the file, fit for messages */
static char *
show (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return goban_text_file_excerpt (valid);
}

/* By the numbers of XLA's element types. */
static const char *
get_dtype (int type)
{
  static const char *const names[]
      = { "",           "pred",       "s8",   "s16",    "s32",      "s64",    "u8", "u16",
          "u32",        "u64",        "f16",  "f32",    "f64",      "",       "",   "c64",
          "bf16",       "",           "c128", "f8e5m2", "f8e4m3fn", "s4",     "u4", "f8e4m3b11fnuz",
          "f8e5m2fnuz", "f8e4m3fnuz", "s2",   "u2",     "f8e4m3",   "f8e3m4", "s1", "u1",
          "f4e2m1fn",   "f8e8m0fnu" };

  return type >= 0 && type < (int) G_N_ELEMENTS (names) ? names[type] : "";
}

/* The check before unpacking bounds the depth. */
static GobanHloShape
convert_shape (const GobanHlo__Shape *from)
{
  GobanHloShape shape = { 0 };

  if (from == NULL)
    return shape;
  if (from->n_tuple_shapes == 0)
    goban_hlo_shape_set (&shape, get_dtype (from->element_type), from->dimensions,
                         MIN (from->n_dimensions, MAX_DIMS));
  for (gsize i = 0; i < from->n_tuple_shapes; i++)
    {
      GobanHloShape part = convert_shape (from->tuple_shapes[i]);

      goban_hlo_shape_add (&shape, &part);
    }
  return shape;
}

static void
convert_attributes (GobanHloInstruction *to, const GobanHlo__Instruction *from)
{
  const GobanHlo__DotDimensions *dot = from->dot_dimension_numbers;

  to->tuple_index = from->tuple_index;
  for (gsize i = 0; dot != NULL && i < dot->n_lhs_contracting_dimensions; i++)
    if (dot->lhs_contracting_dimensions[i] >= 0 && dot->lhs_contracting_dimensions[i] < 32)
      to->contracting |= 1u << dot->lhs_contracting_dimensions[i];
  if (from->convolution_dimension_numbers != NULL)
    to->kernel_output = (int) CLAMP (
        from->convolution_dimension_numbers->kernel_output_feature_dimension, -1, MAX_DIMS);
  for (gsize i = 0; from->window != NULL && i < MIN (from->window->n_dimensions, MAX_DIMS); i++)
    to->window *= (double) MAX (from->window->dimensions[i]->size, 1);
  if (from->sharding != NULL && from->sharding->type == 1
      && from->sharding->n_tile_assignment_devices > 0)
    to->device = MAX (from->sharding->tile_assignment_devices[0], -1);
  else
    to->is_sharded = from->sharding != NULL && from->sharding->type > 1;
}

static void
add_instruction (GobanHloModule *self, const GobanHlo__Instruction *from)
{
  GobanHloInstruction to = goban_hlo_instruction_empty ();
  const GobanHlo__Shape *shape = from->shape;

  to.name = from->name;
  to.opcode = from->opcode;
  to.scope = from->metadata != NULL ? from->metadata->op_name : "";
  to.shape = convert_shape (shape);
  to.first_part = self->parts->len;
  to.n_parts = shape != NULL ? (guint32) shape->n_tuple_shapes : 0;
  for (guint32 i = 0; i < to.n_parts; i++)
    {
      GobanHloShape part = convert_shape (shape->tuple_shapes[i]);

      g_array_append_val (self->parts, part);
    }
  to.n_operands = (guint32) from->n_operand_ids;
  to.n_controls = (guint32) from->n_control_predecessor_ids;
  to.n_called = (guint32) from->n_called_computation_ids;
  convert_attributes (&to, from);
  g_array_append_val (self->instructions, to);
}

/* Older ids count within the module, newer ones within the computation. */
static guint
find_id (GHashTable *ids, gint64 id)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (ids, &id));
  gint64 lower = id & G_MAXUINT32;

  return found > 0 ? found : GPOINTER_TO_UINT (g_hash_table_lookup (ids, &lower));
}

static gboolean
add_operands (GobanHloModule *self, const GobanHlo__Instruction *from, GobanHloInstruction *to,
              GHashTable *ids, GError **error)
{
  to->first_operand = self->operands->len;
  for (guint32 k = 0; k < to->n_operands + to->n_controls; k++)
    {
      gint64 id = k < to->n_operands ? from->operand_ids[k]
                                     : from->control_predecessor_ids[k - to->n_operands];
      guint found = find_id (ids, id);
      guint32 operand = found - 1;
      g_autofree char *shown = NULL;

      if (found == 0)
        {
          g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, id);

          shown = show (to->name);
          return goban_refuse (error, GOBAN_ERROR_PARSE,
                               "%s: “%s” reads instruction %s, which its computation lacks",
                               self->path, shown, number);
        }
      g_array_append_val (self->operands, operand);
    }
  return TRUE;
}

static gboolean
add_calls (GobanHloModule *self, const GobanHlo__Instruction *from, GobanHloInstruction *to,
           GHashTable *ids, GError **error)
{
  to->first_called = self->called->len;
  for (guint32 k = 0; k < to->n_called; k++)
    {
      guint found = find_id (ids, from->called_computation_ids[k]);
      guint32 called = found - 1;
      g_autofree char *shown = NULL;

      if (found == 0)
        {
          g_autofree char *number
              = g_strdup_printf ("%" G_GINT64_FORMAT, from->called_computation_ids[k]);

          shown = show (to->name);
          return goban_refuse (error, GOBAN_ERROR_PARSE,
                               "%s: “%s” calls computation %s, which is not in the file",
                               self->path, shown, number);
        }
      g_array_append_val (self->called, called);
    }
  return TRUE;
}

static gboolean
add_links (GobanHloModule *self, const GobanHlo__Computation *from, guint32 first,
           GHashTable *computations, GError **error)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (goban_id_hash, g_int64_equal);

  for (gsize i = 0; i < from->n_instructions; i++)
    g_hash_table_insert (ids, &from->instructions[i]->id, GUINT_TO_POINTER (first + (guint) i + 1));
  for (gsize i = 0; i < from->n_instructions; i++)
    {
      GobanHloInstruction *to = goban_hlo_instruction (self, first + (guint32) i);

      if (!add_operands (self, from->instructions[i], to, ids, error)
          || !add_calls (self, from->instructions[i], to, computations, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
goban_hlo_read_proto (GobanHloModule *self, const GobanHlo__Module *proto, GError **error)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (goban_id_hash, g_int64_equal);

  self->name = proto->name;
  for (gsize i = 0; i < proto->n_computations; i++)
    {
      const GobanHlo__Computation *from = proto->computations[i];
      GobanHloComputation to
          = { from->name, self->instructions->len, (guint32) from->n_instructions };

      for (gsize k = 0; k < from->n_instructions; k++)
        add_instruction (self, from->instructions[k]);
      g_hash_table_insert (ids, (gpointer) &from->id, GUINT_TO_POINTER (i + 1));
      if (self->entry == GOBAN_HLO_NONE
          && (from->id == proto->entry_computation_id
              || strcmp (from->name, proto->entry_computation_name) == 0))
        self->entry = (guint32) i;
      g_array_append_val (self->computations, to);
    }
  if (self->entry == GOBAN_HLO_NONE)
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the entry computation is not in the file",
                         self->path);
  for (gsize i = 0; i < proto->n_computations; i++)
    if (!add_links (self, proto->computations[i], goban_hlo_computation (self, (guint32) i)->first,
                    ids, error))
      return FALSE;
  return TRUE;
}
