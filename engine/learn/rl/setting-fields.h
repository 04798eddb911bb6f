/* setting-fields.h: settings of trainings and policies as "KEY=VALUE,...", by a table of their
 * offsets in a struct. */
#pragma once

#include <glib.h>

typedef enum
{
  GOBAN_FIELD_SEED,   /* guint64, any */
  GOBAN_FIELD_COUNT,  /* guint */
  GOBAN_FIELD_NUMBER, /* double */
  GOBAN_FIELD_WORD,   /* guint, or an enum or gboolean: which of some words */
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
} GobanSettingField;

/* Entries of a table: NUMBER or COUNT of a struct's member. */
#define GOBAN_SETTING_FIELD(kind, type, key, member, least, most, meaning)                         \
  {                                                                                                \
    key, G_STRUCT_OFFSET (type, member), GOBAN_FIELD_##kind, least, most, NULL, meaning            \
  }

/* All fields, read back as the same bytes. (transfer full) */
char *goban_setting_fields_to_text (const GobanSettingField *fields, gsize n,
                                    gconstpointer config) G_GNUC_WARN_UNUSED_RESULT;
/* A line for each field: key, tab, value, tab, its meaning. (transfer full) */
char *goban_setting_fields_describe (const GobanSettingField *fields, gsize n,
                                     gconstpointer config) G_GNUC_WARN_UNUSED_RESULT;
/* Changes the fields that @text names. FALSE with %GOBAN_ERROR_INVALID set, which lists the keys;
 * some may have changed. */
gboolean goban_setting_fields_parse (const GobanSettingField *fields, gsize n, const char *text,
                                     gpointer config, GError **error);

/* The same for @text (nullable) of a caller with a message of its own. Returns the first word that
 * sets nothing. (transfer full) (nullable) */
char *goban_setting_fields_apply (const GobanSettingField *fields, gsize n, const char *text,
                                  gpointer config) G_GNUC_WARN_UNUSED_RESULT;
