#include "engine/io/tensorflow/tf-reference.h"

#include "engine/io/tensorflow/tf-model.h"

#include <string.h>

void
goban_tf_reference_clear (GobanTfReference *self)
{
  g_free (self->name);
  g_free (self->output);
}

GobanTfReference
goban_tf_reference_parse (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (*text == '^' ? text + 1 : text, ":", 3);
  guint n = g_strv_length (parts);
  const char *last = n > 1 ? parts[n - 1] : "";
  guint64 number = 0;
  gboolean is_number = g_ascii_string_to_unsigned (last, 10, 0, GOBAN_TF_MAX_PORT, &number, NULL);

  return (GobanTfReference){ .name = g_strdup (n > 0 ? parts[0] : ""),
                             .output = g_strdup (n == 3 || (n == 2 && !is_number) ? parts[1] : ""),
                             .port = (guint32) number,
                             .is_control = *text == '^' };
}

guint32
goban_tf_find_output (const char *op, const char *name)
{
  static const struct
  {
    const char *op; /* or the beginning of it */
    const char *names[6];
  } rows[] = {
    { "FusedBatchNormGrad", { "x_backprop", "scale_backprop", "offset_backprop" } },
    { "FusedBatchNorm",
      { "y", "batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2",
        "reserve_space_3" } },
    { "BroadcastGradientArgs", { "r0", "r1" } },
    { "LSTMBlockCell", { "i", "cs", "f", "o", "ci", "co" } },
    { "MaxPoolWithArgmax", { "output", "argmax" } },
    { "Merge", { "output", "value_index" } },
    { "SoftmaxCrossEntropy", { "loss", "backprop" } },
    { "SparseSoftmaxCrossEntropy", { "loss", "backprop" } },
    { "Switch", { "output_false", "output_true" } },
    { "TopK", { "values", "indices" } },
    { "Unique", { "y", "idx", "count" } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_str_has_prefix (op, rows[i].op))
      for (guint32 k = 0; k < G_N_ELEMENTS (rows[i].names) && rows[i].names[k] != NULL; k++)
        if (strcmp (rows[i].names[k], name) == 0)
          return k;
  return 0;
}
