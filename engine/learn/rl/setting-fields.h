/* setting-fields.h: settings of trainings and policies as "KEY=VALUE,...", by a table of their
 * offsets in a struct. */
#pragma once

#include <glib.h>

typedef enum
{
  GOBAN_SETTING_SEED,   /* guint64, any */
  GOBAN_SETTING_COUNT,  /* guint */
  GOBAN_SETTING_NUMBER, /* double */
  GOBAN_SETTING_WORD,   /* guint, or an enum or gboolean: which of some words */
} GobanSettingKind;

typedef struct
{
  const char *key;
  gsize offset;
  GobanSettingKind kind;
  double least;
  double most;
  const char *const *words; /* (nullable): of a word, NULL-terminated */
  const char *meaning;
} GobanSettingField;

/* Entries of a table: NUMBER or COUNT of a struct's member. */
#define GOBAN_SETTING_FIELD(kind, type, key, member, least, most, meaning)                         \
  {                                                                                                \
    key, G_STRUCT_OFFSET (type, member), GOBAN_SETTING_##kind, least, most, NULL, meaning          \
  }

/* A WORD of a struct's member, without a meaning. */
#define GOBAN_SETTING_WORDS(type, key, member, words)                                              \
  {                                                                                                \
    key, G_STRUCT_OFFSET (type, member), GOBAN_SETTING_WORD, 0, 0, words, NULL                     \
  }

/* (nullable) */
const GobanSettingField *goban_setting_fields_find (const GobanSettingField *fields, gsize n,
                                                    const char *key);
/* %FALSE if @text is no value of the field. */
gboolean goban_setting_field_set (const GobanSettingField *field, gpointer config,
                                  const char *text);
void goban_setting_field_append (const GobanSettingField *field, gconstpointer config,
                                 GString *text);

/* All fields of a struct. */
typedef struct
{
  const GobanSettingField *fields;
  gsize n;
  gsize size;          /* of the struct */
  gconstpointer usual; /* their values by default */
} GobanSettingTable;

/* All fields as "KEY=VALUE,...", read back as the same bytes. (transfer full) */
char *goban_setting_table_to_text (const GobanSettingTable *self,
                                   gconstpointer config) G_GNUC_WARN_UNUSED_RESULT;
/* The values by default, a line each: key, tab, value, tab, meaning. (transfer full) */
char *goban_setting_table_describe (const GobanSettingTable *self) G_GNUC_WARN_UNUSED_RESULT;
/* Changes the fields that @text names. FALSE with %GOBAN_ERROR_INVALID set, which lists the keys;
 * nothing has changed then. */
gboolean goban_setting_table_parse (const GobanSettingTable *self, const char *text,
                                    gpointer config, GError **error);

/* The same by some fields for @text (nullable) of a caller with a message of its own. Returns the
 * first word that sets nothing. (transfer full) (nullable) */
char *goban_setting_fields_apply (const GobanSettingField *fields, gsize n, const char *text,
                                  gpointer config) G_GNUC_WARN_UNUSED_RESULT;
