#include "engine/io/onnx/onnx-tensor.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "engine/core/error.h"

#define MOST_BATCH 1000000000

/* Indexed by TensorProto.DataType, the newer ones included. */
static const struct
{
  const char *name;
  guint bits;
  gboolean is_weight;
  gboolean is_float;
} dtypes[] = {
  { "", 0, FALSE, FALSE },         { "f32", 32, TRUE, TRUE },   { "u8", 8, TRUE, FALSE },
  { "s8", 8, TRUE, FALSE },        { "u16", 16, TRUE, FALSE },  { "s16", 16, TRUE, FALSE },
  { "s32", 32, TRUE, FALSE },      { "s64", 64, FALSE, FALSE }, { "string", 0, FALSE, FALSE },
  { "bool", 8, FALSE, FALSE },     { "f16", 16, TRUE, TRUE },   { "f64", 64, TRUE, TRUE },
  { "u32", 32, TRUE, FALSE },      { "u64", 64, FALSE, FALSE }, { "c64", 64, TRUE, TRUE },
  { "c128", 128, TRUE, TRUE },     { "bf16", 16, TRUE, TRUE },  { "f8e4m3fn", 8, TRUE, TRUE },
  { "f8e4m3fnuz", 8, TRUE, TRUE }, { "f8e5m2", 8, TRUE, TRUE }, { "f8e5m2fnuz", 8, TRUE, TRUE },
  { "u4", 4, TRUE, FALSE },        { "s4", 4, TRUE, FALSE },    { "f4e2m1", 4, TRUE, TRUE },
  { "f8e8m0", 8, TRUE, TRUE },     { "u2", 2, TRUE, FALSE },    { "s2", 2, TRUE, FALSE },
};

const char *
goban_onnx_str (const char *name)
{
  return name != NULL ? name : "";
}

const char *
goban_onnx_dtype_name (int dtype)
{
  return dtype > 0 && dtype < (int) G_N_ELEMENTS (dtypes) ? dtypes[dtype].name : "";
}

guint
goban_onnx_dtype_bits (int dtype)
{
  return dtype > 0 && dtype < (int) G_N_ELEMENTS (dtypes) ? dtypes[dtype].bits : 0;
}

gboolean
goban_onnx_dtype_is_weight (int dtype)
{
  return dtype > 0 && dtype < (int) G_N_ELEMENTS (dtypes) && dtypes[dtype].is_weight;
}

gboolean
goban_onnx_dtype_is_float (int dtype)
{
  return dtype > 0 && dtype < (int) G_N_ELEMENTS (dtypes) && dtypes[dtype].is_float;
}

void
goban_onnx_value_clear (GobanOnnxValue *self)
{
  g_clear_pointer (&self->data, g_free);
  self->n_data = 0;
}

double
goban_onnx_value_elements (const GobanOnnxValue *self)
{
  double product = 1;

  if (!self->has_rank)
    return NAN;
  for (guint i = 0; i < self->n_dims; i++)
    {
      if (self->dims[i] < 0)
        return NAN;
      product *= (double) self->dims[i];
    }
  return product < GOBAN_ONNX_MAX_EXTENT ? product : (double) NAN;
}

double
goban_onnx_value_bytes (const GobanOnnxValue *self)
{
  guint bits = goban_onnx_dtype_bits (self->dtype);

  return bits > 0 ? ceil (goban_onnx_value_elements (self) * bits / 8) : (double) NAN;
}

gboolean
goban_onnx_value_is_complete (const GobanOnnxValue *self)
{
  return self->dtype != 0 && !isnan (goban_onnx_value_elements (self));
}

gint64
goban_onnx_extent (double extent)
{
  return extent >= 0 && extent < GOBAN_ONNX_MAX_EXTENT ? (gint64) extent : -1;
}

gboolean
goban_onnx_check_batch (gint64 batch, const char *path, GError **error)
{
  g_autofree char *shown = NULL;

  if (batch <= MOST_BATCH)
    return TRUE;
  shown = g_strdup_printf ("%" G_GINT64_FORMAT, batch);
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "%s: a batch of %s is out of range; it may be at most %d", path, shown,
                       MOST_BATCH);
}

static gboolean
read_dims (GobanOnnxValue *self, const Onnx__TensorProto *tensor, const char *path, GError **error)
{
  double product = 1;

  if (tensor->n_dims > GOBAN_ONNX_MAX_DIMS)
    return goban_refuse (error, GOBAN_ERROR_PARSE,
                         "%s: constant \"%s\" has %zu dimensions, more than %d", path,
                         goban_onnx_str (tensor->name), tensor->n_dims, GOBAN_ONNX_MAX_DIMS);
  for (gsize i = 0; i < tensor->n_dims; i++)
    {
      self->dims[i] = tensor->dims[i];
      product *= (double) MAX (tensor->dims[i], 1);
      if (tensor->dims[i] < 0 || product >= GOBAN_ONNX_MAX_EXTENT)
        return goban_refuse (error, GOBAN_ERROR_PARSE,
                             "%s: constant \"%s\": dimension %zu is %" PRId64 ", which is %s", path,
                             goban_onnx_str (tensor->name), i, tensor->dims[i],
                             tensor->dims[i] < 0 ? "negative" : "too large for any machine");
    }
  self->n_dims = (guint) tensor->n_dims;
  self->has_rank = TRUE;
  return TRUE;
}

/* Little-endian, whatever the machine. */
static double
raw_element (const guint8 *at, int dtype)
{
  guint bytes = goban_onnx_dtype_bits (dtype) / 8;
  guint64 word = 0;

  for (guint i = 0; i < bytes; i++)
    word |= (guint64) at[i] << (8 * i);

  switch (dtype)
    {
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT:
      {
        guint32 half = (guint32) word;
        float f;

        memcpy (&f, &half, sizeof f);
        return (double) f;
      }
    case ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE:
      {
        double d;

        memcpy (&d, &word, sizeof d);
        return d;
      }
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT64:
      return (double) (gint64) word;
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT32:
      return (double) (gint32) (guint32) word;
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT16:
      return (double) (gint16) (guint16) word;
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT8:
      return (double) (gint8) (guint8) word;
    default:
      return (double) word;
    }
}

/* Half floats and the like carry no shapes. */
static gboolean
is_readable (int dtype)
{
  switch (dtype)
    {
    case ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT:
    case ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE:
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT64:
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT64:
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT32:
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT32:
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT16:
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT16:
    case ONNX__TENSOR_PROTO__DATA_TYPE__INT8:
    case ONNX__TENSOR_PROTO__DATA_TYPE__UINT8:
    case ONNX__TENSOR_PROTO__DATA_TYPE__BOOL:
      return TRUE;
    default:
      return FALSE;
    }
}

static double
typed_element (const Onnx__TensorProto *tensor, gsize i)
{
  if (i < tensor->n_int64_data)
    return (double) tensor->int64_data[i];
  if (i < tensor->n_int32_data)
    return (double) tensor->int32_data[i];
  if (i < tensor->n_float_data)
    return (double) tensor->float_data[i];
  if (i < tensor->n_double_data)
    return tensor->double_data[i];
  return (double) tensor->uint64_data[i];
}

static gsize
count_typed (const Onnx__TensorProto *tensor)
{
  return MAX (MAX (MAX (tensor->n_int64_data, tensor->n_int32_data),
                   MAX (tensor->n_float_data, tensor->n_double_data)),
              tensor->n_uint64_data);
}

static gboolean
is_external (const Onnx__TensorProto *tensor)
{
  return tensor->has_data_location
         && tensor->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
}

gboolean
goban_onnx_tensor_has_data (const Onnx__TensorProto *tensor)
{
  return !is_external (tensor)
         && (tensor->raw_data.len > 0 || count_typed (tensor) > 0 || tensor->n_string_data > 0);
}

gboolean
goban_onnx_value_from_tensor (GobanOnnxValue *self, const Onnx__TensorProto *tensor,
                              const char *path, GError **error)
{
  GobanOnnxValue value = { .dtype = tensor->data_type };
  gsize n_typed = count_typed (tensor);
  double n;

  if (!read_dims (&value, tensor, path, error))
    return FALSE;

  n = goban_onnx_value_elements (&value);
  if (tensor->has_raw_data && !is_external (tensor) && tensor->raw_data.len > 0
      && (double) tensor->raw_data.len < goban_onnx_value_bytes (&value))
    return goban_refuse (error, GOBAN_ERROR_PARSE,
                         "%s: constant \"%s\" has %zu bytes of data where its dimensions "
                         "need %.0f",
                         path, goban_onnx_str (tensor->name), tensor->raw_data.len,
                         goban_onnx_value_bytes (&value));

  if (n <= GOBAN_ONNX_MAX_DATA && !is_external (tensor) && is_readable (value.dtype)
      && (n == 0 || tensor->raw_data.len > 0 || n_typed >= n))
    {
      guint bytes = goban_onnx_dtype_bits (value.dtype) / 8;

      value.n_data = (guint) n;
      value.data = g_new (double, value.n_data + 1);
      for (guint i = 0; i < value.n_data; i++)
        value.data[i] = tensor->raw_data.len > 0
                            ? raw_element (tensor->raw_data.data + (gsize) i * bytes, value.dtype)
                            : typed_element (tensor, i);
    }

  *self = value;
  return TRUE;
}
