/* Configurations of the network: the two presets, and all fields as text. */
#include "engine/learn/policy/net-config.h"
#include "engine/core/error.h"
#include "engine/learn/policy/board.h"
#include "engine/learn/policy/net-private.h"

#include <string.h>

GobanNetConfig
goban_net_config_paper (void)
{
  return (GobanNetConfig){
    .width = 128,
    .n_sage = 3,
    .graph_embedding = TRUE,
    .n_attention = 2,
    .n_heads = 4,
    .ffn = 512,
    .segment = 256,
    .stops_gradient = TRUE,
    .modulation = TRUE,
    .is_numbered = TRUE,
    .paper_features = TRUE,
    .is_sampled = TRUE,
    .n_iterations = 1,
    .decisions = GOBAN_TASKS_DEFAULT,
  };
}

GobanNetConfig
goban_net_config_goban (void)
{
  return (GobanNetConfig){
    .width = 64,
    .n_sage = 3,
    .is_directed = TRUE,
    .graph_embedding = TRUE,
    .n_attention = 1,
    .n_heads = 4,
    .ffn = 128,
    .segment = 128,
    .alternates = TRUE,
    .modulation = TRUE,
    .standardized = TRUE,
    .is_ordinal = TRUE,
    .n_iterations = 1,
    .decisions = GOBAN_TASKS_DEFAULT,
  };
}

int
goban_net_config_get_n_features (const GobanNetConfig *self)
{
  return self->paper_features ? GOBAN_BOARD_N_PAPER : GOBAN_BOARD_N_FEATURES;
}

int
goban_net_config_get_n_device_features (const GobanNetConfig *self)
{
  return self->is_numbered ? GOBAN_DEVICE_N_FEATURES : GOBAN_DEVICE_PLACE;
}

int
goban_net_config_get_n_directions (const GobanNetConfig *self)
{
  if (!self->graph_embedding)
    return 0;
  return self->is_directed ? 2 : 1;
}

gboolean
goban_net_config_has_task (const GobanNetConfig *self, GobanTask task)
{
  return goban_tasks_have (self->decisions, task);
}

/* --- text ----------------------------------------------------------------------------------- */

typedef struct
{
  const char *name;
  gsize offset; /* of an int, which gboolean is, too */
  int lowest, highest;
} Field;

/* The bounds keep all products of sizes small. */
static const Field fields[] = {
  { "width", G_STRUCT_OFFSET (GobanNetConfig, width), 1, 1024 },
  { "sage", G_STRUCT_OFFSET (GobanNetConfig, n_sage), 0, GOBAN_NET_MAX_LAYERS },
  { "directed", G_STRUCT_OFFSET (GobanNetConfig, is_directed), 0, 1 },
  { "graph", G_STRUCT_OFFSET (GobanNetConfig, graph_embedding), 0, 1 },
  { "attention", G_STRUCT_OFFSET (GobanNetConfig, n_attention), 0, GOBAN_NET_MAX_LAYERS },
  { "heads", G_STRUCT_OFFSET (GobanNetConfig, n_heads), 1, 64 },
  { "ffn", G_STRUCT_OFFSET (GobanNetConfig, ffn), 1, 8192 },
  { "segment", G_STRUCT_OFFSET (GobanNetConfig, segment), 1, 4096 },
  { "stops", G_STRUCT_OFFSET (GobanNetConfig, stops_gradient), 0, 1 },
  { "alternates", G_STRUCT_OFFSET (GobanNetConfig, alternates), 0, 1 },
  { "modulation", G_STRUCT_OFFSET (GobanNetConfig, modulation), 0, 1 },
  { "standardized", G_STRUCT_OFFSET (GobanNetConfig, standardized), 0, 1 },
  { "numbered", G_STRUCT_OFFSET (GobanNetConfig, is_numbered), 0, 1 },
  { "ordinal", G_STRUCT_OFFSET (GobanNetConfig, is_ordinal), 0, 1 },
  { "paper-features", G_STRUCT_OFFSET (GobanNetConfig, paper_features), 0, 1 },
  { "sampled", G_STRUCT_OFFSET (GobanNetConfig, is_sampled), 0, 1 },
  { "iterations", G_STRUCT_OFFSET (GobanNetConfig, n_iterations), 1, GOBAN_NET_MAX_ITERATIONS },
};
static const char decisions_name[] = "decisions";

static int *
get_field (const Field *field, const GobanNetConfig *config)
{
  return &G_STRUCT_MEMBER (int, config, field->offset);
}

char *
goban_net_config_to_text (const GobanNetConfig *self)
{
  GString *text = g_string_new (NULL);
  g_autofree char *decisions = goban_tasks_to_text (self->decisions);

  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    g_string_append_printf (text, "%s=%d,", fields[i].name, *get_field (&fields[i], self));
  g_string_append_printf (text, "%s=%s", decisions_name, g_strdelimit (decisions, ",", '+'));
  return g_string_free (text, FALSE);
}

static gboolean
fail (GError **error, const char *name, const char *what)
{
  goban_set_error (error, GOBAN_ERROR_PARSE, "a network's “%s” %s", name, what);
  return FALSE;
}

gboolean
goban_net_config_check (const GobanNetConfig *self, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const Field *field = &fields[i];
      int value = *get_field (field, self);

      if (value < field->lowest || value > field->highest)
        {
          goban_set_error (error, GOBAN_ERROR_PARSE,
                           "a network's “%s” is %d, which is not from %d to %d", field->name, value,
                           field->lowest, field->highest);
          return FALSE;
        }
    }
  if (self->width % self->n_heads != 0)
    return fail (error, "width", "is not a multiple of its heads");
  if (self->decisions == 0 || (self->decisions & ~GOBAN_TASKS_ALL) != 0)
    return fail (error, decisions_name, "is empty or has an unknown decision");
  return TRUE;
}

static gboolean
parse_decisions (const char *value, GobanTasks *decisions, GError **error)
{
  g_autofree char *list = g_strdelimit (g_strdup (value), "+", ',');
  g_autoptr (GError) reason = NULL;

  if (goban_tasks_parse (list, decisions, &reason))
    return TRUE;
  goban_set_error (error, GOBAN_ERROR_PARSE, "a network's “%s” are wrong: %s", decisions_name,
                   reason->message);
  return FALSE;
}

/* Parses "width=64" into its field; @seen has a bit for each field seen before. */
static gboolean
parse_pair (const char *pair, GobanNetConfig *config, guint *seen, GError **error)
{
  const char *sign = strchr (pair, '=');
  g_autofree char *name = sign != NULL ? g_strndup (pair, (gsize) (sign - pair)) : g_strdup (pair);
  gint64 value;

  if (sign == NULL)
    return fail (error, name, "has no value");
  for (gsize i = 0; i <= G_N_ELEMENTS (fields); i++)
    {
      const char *known = i < G_N_ELEMENTS (fields) ? fields[i].name : decisions_name;

      if (strcmp (name, known) != 0)
        continue;
      if ((*seen & (1u << i)) != 0)
        return fail (error, name, "is given twice");
      *seen |= 1u << i;
      if (i == G_N_ELEMENTS (fields))
        return parse_decisions (sign + 1, &config->decisions, error);
      if (!g_ascii_string_to_signed (sign + 1, 10, fields[i].lowest, fields[i].highest, &value,
                                     NULL)) /* the message below says more */
        {
          goban_set_error (error, GOBAN_ERROR_PARSE,
                           "a network's “%s” is “%s”, which is not a number from %d to %d", name,
                           sign + 1, fields[i].lowest, fields[i].highest);
          return FALSE;
        }
      *get_field (&fields[i], config) = (int) value;
      return TRUE;
    }
  return fail (error, name, "is unknown");
}

gboolean
goban_net_config_parse (const char *text, GobanNetConfig *config, GError **error)
{
  g_auto (GStrv) pairs = g_strsplit (text, ",", -1);
  GobanNetConfig parsed = goban_net_config_goban ();
  guint seen = 0;

  for (gsize i = 0; pairs[i] != NULL; i++)
    if (!parse_pair (pairs[i], &parsed, &seen, error))
      return FALSE;
  if (!goban_net_config_check (&parsed, error))
    return FALSE;
  *config = parsed;
  return TRUE;
}
