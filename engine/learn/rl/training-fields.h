/* training-fields.h: training settings as "KEY=VALUE,...", by a table of their offsets in a
 * struct. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  GOBAN_FIELD_SEED,   /* guint64, any */
  GOBAN_FIELD_COUNT,  /* guint */
  GOBAN_FIELD_NUMBER, /* double */
  GOBAN_FIELD_WORD,   /* guint: which of some words */
} GobanFieldKind;

typedef struct
{
  const char *key;
  gsize offset;
  GobanFieldKind kind;
  double least;
  double most;
  const char *const *words; /* (nullable): of a word, NULL-terminated */
  const char *meaning;
} GobanTrainingField;

/* All fields, read back as the same bytes. (transfer full) */
char *goban_training_fields_to_text (const GobanTrainingField *fields, gsize n,
                                     gconstpointer config) G_GNUC_WARN_UNUSED_RESULT;
/* A line for each field: key, tab, value, tab, its meaning. (transfer full) */
char *goban_training_fields_describe (const GobanTrainingField *fields, gsize n,
                                      gconstpointer config) G_GNUC_WARN_UNUSED_RESULT;
/* Changes the fields that @text names. FALSE with %GOBAN_ERROR_INVALID set, which lists the keys;
 * some may have changed. */
gboolean goban_training_fields_parse (const GobanTrainingField *fields, gsize n, const char *text,
                                      gpointer config, GError **error);

G_END_DECLS
