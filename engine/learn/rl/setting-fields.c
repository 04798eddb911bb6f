#include "engine/learn/rl/setting-fields.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"

#include <math.h>
#include <string.h>

void
goban_setting_field_append (const GobanSettingField *field, gconstpointer config, GString *text)
{
  const char *place = (const char *) config + field->offset;
  char buffer[GOBAN_QUANTITY_LEN];
  guint64 seed;
  guint count;
  double value;

  memcpy (&count, place, sizeof count);
  if (field->kind == GOBAN_SETTING_SEED)
    {
      memcpy (&seed, place, sizeof seed);
      g_string_append_printf (text, "%" G_GUINT64_FORMAT, seed);
      return;
    }
  if (field->kind == GOBAN_SETTING_WORD)
    {
      g_string_append (text, field->words[count]);
      return;
    }
  if (field->kind == GOBAN_SETTING_COUNT)
    value = count;
  else
    memcpy (&value, place, sizeof value);
  g_string_append (text, goban_format_double (buffer, value));
}

char *
goban_setting_table_to_text (const GobanSettingTable *self, gconstpointer config)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < self->n; i++)
    {
      g_string_append_printf (text, "%s%s=", i > 0 ? "," : "", self->fields[i].key);
      goban_setting_field_append (&self->fields[i], config, text);
    }
  return g_string_free (text, FALSE);
}

char *
goban_setting_table_describe (const GobanSettingTable *self)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < self->n; i++)
    {
      g_string_append_printf (text, "%s\t", self->fields[i].key);
      goban_setting_field_append (&self->fields[i], self->usual, text);
      g_string_append_printf (text, "\t%s\n", self->fields[i].meaning);
    }
  return g_string_free (text, FALSE);
}

gboolean
goban_setting_field_set (const GobanSettingField *field, gpointer config, const char *text)
{
  char *place = (char *) config + field->offset;
  char *end = NULL;
  double value = g_ascii_strtod (text, &end);
  guint count = (guint) CLAMP (value, 0, 1e9);
  guint64 seed;

  if (field->kind == GOBAN_SETTING_WORD)
    {
      for (guint i = 0; field->words[i] != NULL; i++)
        if (strcmp (field->words[i], text) == 0)
          {
            memcpy (place, &i, sizeof i);
            return TRUE;
          }
      return FALSE;
    }
  if (field->kind == GOBAN_SETTING_SEED)
    {
      if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &seed, NULL))
        return FALSE;
      memcpy (place, &seed, sizeof seed);
      return TRUE;
    }
  if (end == text || *end != '\0' || !(value >= field->least && value <= field->most)
      || (field->kind == GOBAN_SETTING_COUNT && value != floor (value)))
    return FALSE;
  if (field->kind == GOBAN_SETTING_COUNT)
    memcpy (place, &count, sizeof count);
  else
    memcpy (place, &value, sizeof value);
  return TRUE;
}

const GobanSettingField *
goban_setting_fields_find (const GobanSettingField *fields, gsize n, const char *key)
{
  for (gsize i = 0; i < n; i++)
    if (strcmp (fields[i].key, key) == 0)
      return &fields[i];
  return NULL;
}

/* "seed, rate, encoder (none, sage)": values are numbers unless words are listed. */
static char *
list_keys (const GobanSettingField *fields, gsize n)
{
  GString *keys = g_string_new (NULL);

  for (gsize k = 0; k < n; k++)
    {
      g_autofree char *words
          = fields[k].words != NULL ? g_strjoinv (", ", (char **) fields[k].words) : NULL;

      g_string_append_printf (keys, "%s%s", k > 0 ? ", " : "", fields[k].key);
      if (words != NULL)
        g_string_append_printf (keys, " (%s)", words);
    }
  return g_string_free (keys, FALSE);
}

gboolean
goban_setting_table_parse (const GobanSettingTable *self, const char *text, gpointer config,
                           GError **error)
{
  g_autofree gpointer own = g_memdup2 (config, self->size);
  g_auto (GStrv) words = g_strsplit (text, ",", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (g_strstrip (words[i]), "=", 2);
      const GobanSettingField *field;
      g_autofree char *keys = NULL;
      char least[GOBAN_QUANTITY_LEN], most[GOBAN_QUANTITY_LEN];

      if (words[i][0] == '\0')
        continue;
      field = goban_setting_fields_find (self->fields, self->n, pair[0]);
      if (field != NULL && pair[1] != NULL && goban_setting_field_set (field, own, pair[1]))
        continue;
      if (field != NULL && pair[1] != NULL && field->kind != GOBAN_SETTING_WORD
          && field->kind != GOBAN_SETTING_SEED)
        {
          goban_format_double (least, field->least);
          goban_format_double (most, field->most);
          if (field->kind == GOBAN_SETTING_COUNT)
            goban_set_error (error, GOBAN_ERROR_INVALID, "“%s”: %s is a whole number from %s to %s",
                             words[i], field->key, least, most);
          else
            goban_set_error (error, GOBAN_ERROR_INVALID, "“%s”: %s is a number from %s to %s",
                             words[i], field->key, least, most);
          return FALSE;
        }
      keys = list_keys (self->fields, self->n);
      return goban_refuse (error, GOBAN_ERROR_INVALID,
                           "“%s” is not a setting; write KEY=VALUE, the keys being %s", words[i],
                           keys);
    }
  memcpy (config, own, self->size);
  return TRUE;
}

char *
goban_setting_fields_apply (const GobanSettingField *fields, gsize n, const char *text,
                            gpointer config)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ",", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (g_strstrip (words[i]), "=", 2);
      const GobanSettingField *field
          = pair[0] != NULL ? goban_setting_fields_find (fields, n, pair[0]) : NULL;

      if (words[i][0] != '\0'
          && (field == NULL || pair[1] == NULL
              || !goban_setting_field_set (field, config, pair[1])))
        return g_strdup (words[i]);
    }
  return NULL;
}
