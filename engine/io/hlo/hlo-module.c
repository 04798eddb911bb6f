#include "engine/io/hlo/hlo-module.h"

#include <math.h>
#include <stdlib.h>

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
