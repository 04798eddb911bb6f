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

/* An instruction with nothing known. */
static GobanHloInstruction
hlo_instruction_empty (void)
{
  return (GobanHloInstruction){ .name = "",
                                .opcode = "",
                                .scope = "",
                                .target = "",
                                .kernel_output = -1,
                                .window = 1,
                                .device = -1 };
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

/* Sets `elements` and `bytes` from type and extents; @n_dims may be more than fit. */
static void
hlo_shape_set (GobanHloShape *self, const char *dtype, const gint64 *dims, gsize n_dims)
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

/* Adds a part of a tuple to the tuple's own shape. */
static void
hlo_shape_add (GobanHloShape *self, const GobanHloShape *part)
{
  self->has_dims = FALSE;
  self->elements += part->elements;
  self->bytes += part->bytes;
}

/* --- attributes of both ---------------------------------------------------- */

static guint32
get_set (const char *text)
{
  guint32 set = 0;

  for (const char *p = text; *p != '\0';)
    {
      char *end;
      guint64 number = g_ascii_isdigit (*p) ? g_ascii_strtoull (p, &end, 10) : 0;

      if (g_ascii_isdigit (*p))
        set |= number < 32 ? 1u << number : 0;
      p = g_ascii_isdigit (*p) ? end : p + 1;
    }
  return set;
}

/* A loop says how often it runs; a call of cuBLAS, over which dimensions it sums. */
static void
take_backend_config (GobanHloInstruction *to, const char *text)
{
  static const char trips[] = "\"known_trip_count\":", sums[] = "\"lhs_contracting_dimensions\":[";
  const char *found = strstr (text, trips);

  if (found != NULL)
    {
      found = strpbrk (found + sizeof trips - 1, "0123456789}");
      to->n_trips = found != NULL ? g_ascii_strtod (found, NULL) : 0;
    }
  found = strstr (text, sums);
  if (found != NULL)
    {
      g_autofree char *set
          = g_strndup (found + sizeof sums - 1, strcspn (found + sizeof sums - 1, "]"));

      to->contracting = get_set (set);
    }
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
    hlo_shape_set (&shape, get_dtype (from->element_type), from->dimensions,
                   MIN (from->n_dimensions, MAX_DIMS));
  for (gsize i = 0; i < from->n_tuple_shapes; i++)
    {
      GobanHloShape part = convert_shape (from->tuple_shapes[i]);

      hlo_shape_add (&shape, &part);
    }
  return shape;
}

static void
convert_attributes (GobanHloInstruction *to, const GobanHlo__Instruction *from)
{
  const GobanHlo__DotDimensions *dot = from->dot_dimension_numbers;

  to->tuple_index = from->tuple_index;
  to->target = from->custom_call_target;
  if (from->backend_config.len > 0)
    {
      g_autofree char *config
          = g_strndup ((const char *) from->backend_config.data, from->backend_config.len);

      take_backend_config (to, config);
    }
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
  GobanHloInstruction to = hlo_instruction_empty ();
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

/* --- from a text ---------------------------------------------------------- */

#define MAX_DEPTH 96

/* A name to be resolved when all are known. */
typedef struct
{
  const char *name;
  const char *at;
  guint32 nested; /* the computation, if its text stands in the place of a name; or HLO_NONE */
} Mention;

typedef struct
{
  GobanHloModule *module;
  const char *begin;
  const char *at;
  const char *end;
  GArray *mentions; /* Mention: of operands, as many as the module's operands */
  GArray *calls;    /* Mention: as many as the module's called computations */
  /* Stacks: of what is open, as a computation may stand inside an instruction. */
  GArray *open_instructions; /* GobanHloInstruction */
  GArray *open_operands;     /* Mention: with the control predecessors behind them */
  GArray *open_calls;        /* Mention */
  guint depth;               /* of computations */
  GError **error;
} Reader;

G_GNUC_PRINTF (3, 4)
static gboolean
fail_at (const Reader *self, const char *at, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  return goban_refuse (self->error, GOBAN_ERROR_PARSE, "%s:%u: %s", self->module->path,
                       goban_text_file_line_at (self->begin, (gsize) (self->end - self->begin),
                                                (gsize) (at - self->begin)),
                       message);
}

/* --- words ----------------------------------------------------------------------------------- */

static gboolean
starts (const Reader *self, const char *text)
{
  gsize n = strlen (text);

  return (gsize) (self->end - self->at) >= n && memcmp (self->at, text, n) == 0;
}

static void
skip_past (Reader *self, const char *text)
{
  const char *found = g_strstr_len (self->at, self->end - self->at, text);

  self->at = found != NULL ? found + strlen (text) : self->end;
}

/* Comments, too: those in tuples count the elements. */
static void
skip_blanks (Reader *self)
{
  while (self->at < self->end)
    {
      if (g_ascii_isspace (*self->at))
        self->at++;
      else if (starts (self, "/*"))
        skip_past (self, "*/");
      else if (starts (self, "//"))
        skip_past (self, "\n");
      else
        return;
    }
}

/* Tables of source lines, between computations: a title on a line of its own, and rows that begin
 * with a number. Metadata refers to them; nothing of that is shown. */
static void
skip_tables (Reader *self)
{
  static const char *const titles[]
      = { "FileNames", "FunctionNames", "FileLocations", "StackFrames" };

  skip_blanks (self);
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      const char *title = self->at;

      if (!starts (self, titles[i]))
        continue;
      self->at += strlen (titles[i]);
      while (self->at < self->end && (*self->at == ' ' || *self->at == '\t' || *self->at == '\r'))
        self->at++;
      if (self->at < self->end && *self->at != '\n')
        {
          self->at = title; /* a computation of that name */
          return;
        }
      skip_blanks (self);
      while (self->at < self->end && g_ascii_isdigit (*self->at))
        {
          skip_past (self, "\n");
          skip_blanks (self);
        }
      i = G_MAXUINT; /* the next table, of any title */
    }
}

/* To the module's own line; FALSE if the text begins otherwise, as with a computation. */
static gboolean
skip_to_module (Reader *self)
{
  static const char head[] = "HloModule";

  if (starts (self, "\xef\xbb\xbf"))
    self->at += 3;
  skip_tables (self);
  return starts (self, head) && self->end - self->at > (gssize) sizeof head
         && g_ascii_isspace (self->at[sizeof head - 1]);
}

static gboolean
take (Reader *self, const char *text)
{
  skip_blanks (self);
  if (!starts (self, text))
    return FALSE;
  self->at += strlen (text);
  return TRUE;
}

static gsize
word_length (const Reader *self)
{
  const char *p = self->at;

  while (p < self->end && !g_ascii_isspace (*p) && strchr (",(){}[]=:\"", *p) == NULL)
    p++;
  return (gsize) (p - self->at);
}

/* "" if there is no word. Lives as long as the module. */
static const char *
take_word (Reader *self)
{
  gsize n;
  const char *word;

  skip_blanks (self);
  n = word_length (self);
  word = g_string_chunk_insert_len (self->module->texts, self->at, (gssize) n);
  self->at += n;
  return word;
}

static const char *
take_name (Reader *self)
{
  const char *name = take_word (self);

  return *name == '%' ? name + 1 : name;
}

/* At an opening bracket: past the closing one; strings inside may hold any. */
static gboolean
skip_brackets (Reader *self)
{
  const char *start = self->at;
  gsize depth = 0;

  for (; self->at < self->end; self->at++)
    {
      if (*self->at == '"')
        {
          for (self->at++; self->at < self->end && *self->at != '"'; self->at++)
            self->at += *self->at == '\\' && self->at + 1 < self->end ? 1 : 0;
          if (self->at == self->end)
            break;
        }
      else if (strchr ("([{", *self->at) != NULL)
        depth++;
      else if (strchr (")]}", *self->at) != NULL && --depth == 0)
        {
          self->at++;
          return TRUE;
        }
    }
  return fail_at (self, start, "the bracket is not closed");
}

/* --- shapes ---------------------------------------------------------------------------------- */

/* Reads dimensions after the "[". */
static gboolean
take_dims (Reader *self, const char *dtype, GobanHloShape *shape)
{
  gint64 dims[64];
  gsize n = 0;
  char *end;

  while (!take (self, "]"))
    {
      const char *word;

      take (self, "<="); /* at most so many: the size that is reserved */
      word = take_word (self);
      dims[n] = strcmp (word, "?") == 0 ? -1 : g_ascii_strtoll (word, &end, 10);
      if (strcmp (word, "?") != 0 && (*word == '\0' || *end != '\0' || dims[n] < 0))
        return fail_at (self, self->at, "“%s” is not the extent of a shape", word);
      n++;
      if (n == G_N_ELEMENTS (dims))
        return fail_at (self, self->at, "a shape has more than %zu dimensions", n - 1);
      take (self, ",");
    }
  hlo_shape_set (shape, dtype, dims, n);
  /* Its layout follows at once; a brace behind a blank opens a computation. */
  return self->at == self->end || *self->at != '{' || skip_brackets (self);
}

/* @parts: (nullable): gets the elements of a tuple */
static gboolean
take_shape (Reader *self, GobanHloShape *shape, GArray *parts, guint depth)
{
  const char *dtype;

  if (depth > MAX_DEPTH)
    return fail_at (self, self->at, "tuples nest more than %d deep", MAX_DEPTH);
  if (!take (self, "("))
    {
      dtype = take_word (self);
      if (strcmp (dtype, "b") == 0 && take (self, "(")) /* a buffer: b(f32[2]) */
        return take_shape (self, shape, NULL, depth + 1)
               && (take (self, ")") || fail_at (self, self->at, "a “)” is missing"));
      if (*dtype == '\0' || !take (self, "["))
        return fail_at (self, self->at, "a shape such as “f32[2,3]” is missing");
      return take_dims (self, dtype, shape);
    }
  *shape = (GobanHloShape){ 0 };
  while (!take (self, ")"))
    {
      GobanHloShape part;

      if (!take_shape (self, &part, NULL, depth + 1))
        return FALSE;
      hlo_shape_add (shape, &part);
      if (parts != NULL)
        g_array_append_val (parts, part);
      take (self, ",");
    }
  return TRUE;
}

/* --- attributes ------------------------------------------------------------------------------ */

static gboolean take_body (Reader *self, GobanHloComputation *to);

/* Whether instructions follow: "name =" or "ROOT name =". */
static gboolean
is_at_instruction (Reader *self)
{
  Reader ahead = *self;

  take (&ahead, "ROOT ");
  skip_blanks (&ahead);
  ahead.at += word_length (&ahead);
  return take (&ahead, "=");
}

/* A computation whose text stands where others have its name: behind the "{". */
static gboolean
take_nested (Reader *self)
{
  GobanHloComputation nested = { .name = "_" };
  Mention call = { nested.name, self->at, self->module->computations->len };

  if (!take_body (self, &nested))
    return FALSE;
  call.nested = self->module->computations->len;
  g_array_append_val (self->module->computations, nested);
  g_array_append_val (self->open_calls, call);
  return TRUE;
}

/* "a", "{a, b}" or texts in the place of names, to the end of @to */
static gboolean
take_names (Reader *self, GArray *to)
{
  gboolean is_list = take (self, "{");

  if (is_list && to == self->open_calls && is_at_instruction (self))
    return take_nested (self);
  do
    {
      Mention mention = { NULL, self->at, GOBAN_HLO_NONE };

      if (to == self->open_calls && take (self, "{"))
        {
          if (!take_nested (self))
            return FALSE;
          continue;
        }
      mention.name = take_name (self);
      if (*mention.name == '\0')
        break;
      g_array_append_val (to, mention);
    }
  while (is_list && take (self, ","));
  return !is_list || take (self, "}") || fail_at (self, self->at, "a “}” is missing");
}

/* Whether blanks are at hand that lead to a bracket on the same line: in "mesh['x'=2] {'x'}". */
static gboolean
leads_to_bracket (const Reader *self)
{
  const char *p = self->at;

  while (p < self->end && (*p == ' ' || *p == '\t'))
    p++;
  return p > self->at && p < self->end && strchr ("{[(", *p) != NULL;
}

/* The text of a value, copied: words, strings and brackets up to a comma, a closing brace or the
 * next line, as in "[2,4]<=[4,2]T(1,0)". @is_last: a bracket behind a blank is not the value's. */
static gboolean
take_value (Reader *self, gboolean is_last, const char **value)
{
  const char *start;

  skip_blanks (self);
  start = self->at;
  while (self->at < self->end && *self->at != ',' && *self->at != '}' && *self->at != ')'
         && *self->at != ']')
    if (strchr ("{[(", *self->at) != NULL)
      {
        if (!skip_brackets (self))
          return FALSE;
      }
    else if (*self->at == '"')
      {
        for (self->at++; self->at < self->end && *self->at != '"'; self->at++)
          self->at += *self->at == '\\' && self->at + 1 < self->end ? 1 : 0;
        self->at += self->at < self->end ? 1 : 0;
      }
    else if (g_ascii_isspace (*self->at) && (is_last || !leads_to_bracket (self)))
      break;
    else
      self->at++;
  *value = g_string_chunk_insert_len (self->module->texts, start, self->at - start);
  return TRUE;
}

/* {size=3x3 stride=2x2}: 9 */
static double
get_window (const char *text)
{
  const char *size = strstr (text, "size=");
  double product = 1;

  for (size = size != NULL ? size + 5 : ""; g_ascii_isdigit (*size);)
    {
      char *end;

      product *= g_ascii_strtod (size, &end);
      size = *end == 'x' ? end + 1 : end;
    }
  return product;
}

/* b01f_01io->b01f: the weights' output feature is dimension 3. */
static int
get_kernel_output (const char *labels)
{
  const char *kernel = strchr (labels, '_');
  gsize n = kernel != NULL ? strcspn (kernel + 1, "o-") : 0;

  return kernel != NULL && kernel[1 + n] == 'o' ? (int) n : -1;
}

static const char *
get_scope (Reader *self, const char *metadata)
{
  static const char key[] = "op_name=\"";
  const char *start = strstr (metadata, key), *end;

  if (start == NULL)
    return "";
  start += sizeof key - 1;
  for (end = start; *end != '\0' && *end != '"'; end++)
    end += *end == '\\' && end[1] != '\0' ? 1 : 0;
  return g_string_chunk_insert_len (self->module->texts, start, end - start);
}

static void
take_sharding (GobanHloInstruction *to, const char *text)
{
  static const char key[] = "maximal device=";
  const char *device = strstr (text, key);

  if (device != NULL)
    to->device = (gint64) MIN (g_ascii_strtoull (device + sizeof key - 1, NULL, 10), G_MAXINT32);
  else
    to->is_sharded = strstr (text, "devices=") != NULL;
}

static gboolean
take_attribute (Reader *self, GobanHloInstruction *to)
{
  static const char *const calls[] = { "to_apply",
                                       "calls",
                                       "body",
                                       "condition",
                                       "branch_computations",
                                       "select",
                                       "true_computation",
                                       "false_computation",
                                       "scatter",
                                       "called_computations" };
  const char *key = take_word (self);
  const char *value;

  if (*key == '\0' || !take (self, "="))
    return fail_at (self, self->at, "an attribute such as “dimensions={0}” is missing");
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    if (strcmp (key, calls[i]) == 0)
      return take_names (self, self->open_calls);
  if (strcmp (key, "control-predecessors") == 0)
    return take_names (self, self->open_operands);
  if (!take_value (self, FALSE, &value))
    return FALSE;
  if (strcmp (key, "literal") == 0 && g_str_has_suffix (value, "[]"))
    return take_value (self, FALSE, &value); /* the number, as in "literal=f32[] 0.1" */
  if (strcmp (key, "index") == 0)
    to->tuple_index = g_ascii_strtoll (value, NULL, 10);
  else if (strcmp (key, "lhs_contracting_dims") == 0)
    to->contracting = get_set (value);
  else if (strcmp (key, "window") == 0)
    to->window = get_window (value);
  else if (strcmp (key, "dim_labels") == 0)
    to->kernel_output = get_kernel_output (value);
  else if (strcmp (key, "metadata") == 0)
    to->scope = get_scope (self, value);
  else if (strcmp (key, "sharding") == 0)
    take_sharding (to, value);
  else if (strcmp (key, "custom_call_target") == 0)
    to->target = g_string_chunk_insert_len (self->module->texts, value + (*value == '"'),
                                            (gssize) strcspn (value + (*value == '"'), "\""));
  else if (strcmp (key, "backend_config") == 0)
    take_backend_config (to, value);
  return TRUE;
}

/* --- instructions ---------------------------------------------------------------------------- */

static gboolean
is_at_shape (const Reader *self)
{
  gsize n = word_length (self);
  char next = self->at + n < self->end ? self->at[n] : '\0';

  return (n == 0 && next == '(') || (n > 0 && next == '[')
         || (n == 1 && *self->at == 'b' && next == '(');
}

/* Moves mentions from a stack to the module's; their numbers come when all names are known. */
static guint32
close_mentions (GArray *open, guint first, GArray *mentions, GArray *numbers)
{
  guint32 none = GOBAN_HLO_NONE;
  guint n = open->len - first;

  for (guint i = 0; i < n; i++)
    {
      g_array_append_val (mentions, g_array_index (open, Mention, first + i));
      g_array_append_val (numbers, none);
    }
  g_array_set_size (open, first);
  return n;
}

/* Reads operands after the "(". An operand may have its type before its name. */
static gboolean
take_operands (Reader *self, GobanHloInstruction *to)
{
  while (!take (self, ")"))
    {
      GobanHloShape shape;
      Mention mention = { NULL, self->at, GOBAN_HLO_NONE };

      if (self->at == self->end)
        return fail_at (self, mention.at, "the operands do not end");
      if (is_at_shape (self) && !take_shape (self, &shape, NULL, 0))
        return FALSE;
      mention.name = take_name (self);
      if (*mention.name == '\0')
        return fail_at (self, self->at, "the name of an operand is missing");
      g_array_append_val (self->open_operands, mention);
      to->n_operands++;
      if (!take (self, ","))
        skip_blanks (self);
    }
  return TRUE;
}

static gboolean
take_instruction (Reader *self)
{
  GobanHloModule *module = self->module;
  GobanHloInstruction to = hlo_instruction_empty ();
  guint first_operand = self->open_operands->len, first_call = self->open_calls->len;
  guint n_ends;

  take (self, "ROOT ");
  to.name = take_name (self);
  if (*to.name == '\0' || !take (self, "="))
    return fail_at (self, self->at,
                    "an instruction such as “%%a = f32[2] add(%%b, %%c)” is missing");
  to.first_part = module->parts->len;
  skip_blanks (self);
  to.lacks_shape = !is_at_shape (self) && self->at + word_length (self) < self->end
                   && self->at[word_length (self)] == '(';
  if (to.lacks_shape)
    to.shape = (GobanHloShape){ .elements = NAN, .bytes = NAN };
  else if (!take_shape (self, &to.shape, module->parts, 0))
    return FALSE;
  to.n_parts = module->parts->len - to.first_part;
  to.opcode = take_word (self);
  if (*to.opcode == '\0' || !take (self, "("))
    return fail_at (self, self->at, "the operation of “%s” is missing", to.name);
  if (strcmp (to.opcode, "constant") != 0 && strcmp (to.opcode, "parameter") != 0)
    {
      if (!take_operands (self, &to))
        return FALSE;
    }
  else
    {
      self->at--;
      if (!skip_brackets (self))
        return FALSE;
    }
  while (take (self, ","))
    if (!take_attribute (self, &to))
      return FALSE;
  to.first_operand = module->operands->len;
  n_ends = close_mentions (self->open_operands, first_operand, self->mentions, module->operands);
  to.n_controls = n_ends - to.n_operands;
  to.first_called = module->called->len;
  to.n_called = close_mentions (self->open_calls, first_call, self->calls, module->called);
  g_array_append_val (self->open_instructions, to);
  return TRUE;
}

/* --- computations ---------------------------------------------------------------------------- */

/* "[ENTRY] %name (parameters) -> type {": up to behind the "{" */
static gboolean
take_header (Reader *self, GobanHloComputation *to, gboolean *is_entry)
{
  GobanHloShape shape;

  *is_entry = take (self, "ENTRY ");
  to->name = take_name (self);
  skip_blanks (self);
  if (self->at < self->end && *self->at == '(' && !skip_brackets (self))
    return FALSE;
  if (take (self, "->") && !take_shape (self, &shape, NULL, 0))
    return FALSE;
  while (take (self, ","))
    {
      const char *key = take_word (self), *value;

      if (*key == '\0' || !take (self, "="))
        return fail_at (self, self->at, "an attribute of computation “%s” is damaged", to->name);
      if (!take_value (self, TRUE, &value))
        return FALSE;
    }
  return (*to->name != '\0' && take (self, "{"))
         || fail_at (self, self->at, "a computation such as “ENTRY %%main (…) -> … {” is missing");
}

/* The instructions behind the "{", to the "}" */
static gboolean
take_body (Reader *self, GobanHloComputation *to)
{
  GArray *open = self->open_instructions, *instructions = self->module->instructions;
  guint first = open->len;

  if (++self->depth > MAX_DEPTH)
    return fail_at (self, self->at, "computations nest more than %d deep", MAX_DEPTH);
  while (!take (self, "}"))
    {
      if (self->at == self->end)
        return fail_at (self, self->at, "computation “%s” does not end", to->name);
      if (!take_instruction (self))
        return FALSE;
    }
  self->depth--;
  to->first = instructions->len;
  to->n = open->len - first;
  for (guint i = first; i < open->len; i++)
    g_array_append_val (instructions, g_array_index (open, GobanHloInstruction, i));
  g_array_set_size (open, first);
  return TRUE;
}

static gboolean
take_computation (Reader *self)
{
  GobanHloModule *module = self->module;
  GobanHloComputation to = { 0 };
  gboolean is_entry;

  if (!take_header (self, &to, &is_entry) || !take_body (self, &to))
    return FALSE;
  /* Attributes may follow. */
  if (take (self, ","))
    skip_past (self, "\n");
  if (is_entry)
    module->entry = module->computations->len;
  g_array_append_val (module->computations, to);
  return TRUE;
}

/* --- names ----------------------------------------------------------------------------------- */

/* XLA reads texts in which a shape is left out that follows from the operands, which come before.
 * Of other operations it stays unknown. */
static void
infer_shape (GobanHloModule *module, GobanHloInstruction *to)
{
  const GobanHloInstruction *first
      = to->n_operands > 0 ? goban_hlo_instruction (module, goban_hlo_operand (module, to, 0))
                           : NULL;

  if (strcmp (to->opcode, "tuple") == 0)
    {
      to->shape = (GobanHloShape){ 0 };
      to->first_part = module->parts->len;
      to->n_parts = to->n_operands;
      for (guint32 i = 0; i < to->n_operands; i++)
        {
          guint32 operand = goban_hlo_operand (module, to, i);
          GobanHloShape part = goban_hlo_instruction (module, operand)->shape;

          hlo_shape_add (&to->shape, &part);
          g_array_append_val (module->parts, part);
        }
    }
  else if (first != NULL && strcmp (to->opcode, "get-tuple-element") == 0)
    {
      if (to->tuple_index >= 0 && to->tuple_index < first->n_parts)
        to->shape = g_array_index (module->parts, GobanHloShape,
                                   first->first_part + (guint32) to->tuple_index);
    }
  else if (first != NULL
           && (strcmp (to->opcode, "while") == 0 || strcmp (to->opcode, "opt-barrier") == 0))
    {
      to->shape = first->shape;
      to->first_part = first->first_part;
      to->n_parts = first->n_parts;
    }
}

static gboolean
resolve_operands (Reader *self, const GobanHloComputation *in)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint32 i = in->first; i < in->first + in->n; i++)
    if (!g_hash_table_insert (names, (gpointer) goban_hlo_instruction (self->module, i)->name,
                              GUINT_TO_POINTER (i + 1)))
      return goban_refuse (self->error, GOBAN_ERROR_PARSE,
                           "%s: computation “%s” has two instructions “%s”", self->module->path,
                           in->name, goban_hlo_instruction (self->module, i)->name);
  for (guint32 i = in->first; i < in->first + in->n; i++)
    {
      const GobanHloInstruction *from = goban_hlo_instruction (self->module, i);

      for (guint32 k = 0; k < from->n_operands + from->n_controls; k++)
        {
          const Mention *mention
              = &g_array_index (self->mentions, Mention, from->first_operand + k);
          guint found = GPOINTER_TO_UINT (g_hash_table_lookup (names, mention->name));

          if (found == 0)
            return fail_at (self, mention->at, "“%s” reads “%s”, which its computation lacks",
                            from->name, mention->name);
          g_array_index (self->module->operands, guint32, from->first_operand + k) = found - 1;
        }
      if (goban_hlo_instruction (self->module, i)->lacks_shape)
        infer_shape (self->module, goban_hlo_instruction (self->module, i));
    }
  return TRUE;
}

static gboolean
resolve_calls (Reader *self)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint32 i = 0; i < self->module->computations->len; i++)
    g_hash_table_insert (names, (gpointer) goban_hlo_computation (self->module, i)->name,
                         GUINT_TO_POINTER (i + 1));
  for (guint32 i = 0; i < self->calls->len; i++)
    {
      const Mention *mention = &g_array_index (self->calls, Mention, i);
      guint found = mention->nested != GOBAN_HLO_NONE
                        ? mention->nested + 1
                        : GPOINTER_TO_UINT (g_hash_table_lookup (names, mention->name));

      if (found == 0)
        return fail_at (self, mention->at, "the computation “%s” is not in the file",
                        mention->name);
      g_array_index (self->module->called, guint32, i) = found - 1;
    }
  return TRUE;
}

/* The rest of the module's line, which goes on while a bracket of an attribute is open. */
static gboolean
skip_module_attributes (Reader *self)
{
  while (self->at < self->end && *self->at != '\n')
    if (strchr ("([{", *self->at) == NULL)
      self->at++;
    else if (!skip_brackets (self))
      return FALSE;
  return TRUE;
}

static gboolean
read_module (Reader *self)
{
  GobanHloModule *module = self->module;

  if (skip_to_module (self))
    {
      take (self, "HloModule");
      module->name = take_name (self);
      if (!skip_module_attributes (self))
        return FALSE;
    }
  for (skip_tables (self); self->at < self->end; skip_tables (self))
    if (!take_computation (self))
      return FALSE;
  if (module->computations->len == 0)
    return goban_refuse (self->error, GOBAN_ERROR_PARSE, "%s: the module has no computation",
                         module->path);
  if (module->entry == GOBAN_HLO_NONE) /* as XLA does */
    module->entry = module->computations->len - 1;
  for (guint32 i = 0; i < module->computations->len; i++)
    if (!resolve_operands (self, goban_hlo_computation (module, i)))
      return FALSE;
  return resolve_calls (self);
}

/* Sets @self up to read @data; clear it with reader_clear(). */
static void
reader_init (Reader *self, GobanHloModule *module, const char *data, gsize size, GError **error)
{
  const char *end = size > 0 ? data + size : data; /* there may be no bytes to point to */

  *self = (Reader){
    .module = module,
    .begin = data,
    .at = data,
    .end = end,
    .mentions = g_array_new (FALSE, FALSE, sizeof (Mention)),
    .calls = g_array_new (FALSE, FALSE, sizeof (Mention)),
    .open_instructions = g_array_new (FALSE, FALSE, sizeof (GobanHloInstruction)),
    .open_operands = g_array_new (FALSE, FALSE, sizeof (Mention)),
    .open_calls = g_array_new (FALSE, FALSE, sizeof (Mention)),
    .error = error,
  };
}

static void
reader_clear (Reader *self)
{
  g_array_unref (self->mentions);
  g_array_unref (self->calls);
  g_array_unref (self->open_instructions);
  g_array_unref (self->open_operands);
  g_array_unref (self->open_calls);
}

/* A text may begin with a computation, and the first line of that tells it from other formats. */
static gboolean
begins_with_computation (Reader *self)
{
  GobanHloComputation to = { 0 };
  gboolean is_entry;

  if (self->at == self->end || strchr ("{[(<", *self->at) != NULL
      || !take_header (self, &to, &is_entry))
    return FALSE;
  return take_instruction (self);
}

gboolean
goban_hlo_is_text (const char *data, gsize size)
{
  GobanHloModule module;
  Reader reader;
  gboolean is_text;

  goban_hlo_module_init (&module, "");
  reader_init (&reader, &module, data, size, NULL);
  is_text = skip_to_module (&reader) || begins_with_computation (&reader);
  reader_clear (&reader);
  goban_hlo_module_clear (&module);
  return is_text;
}

gboolean
goban_hlo_read_text (GobanHloModule *self, const char *data, gsize size, GError **error)
{
  Reader reader;
  gboolean ok;

  if (!goban_text_file_check (data, size, self->path, error))
    return FALSE;
  reader_init (&reader, self, data, size, error);
  ok = read_module (&reader);
  reader_clear (&reader);
  return ok;
}
