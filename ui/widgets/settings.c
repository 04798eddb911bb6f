#include "ui/widgets/settings.h"

#define SCHEMA_ID "org.goban.Goban"

struct _GobanSettings
{
  GSettings *settings; /* (nullable) */
  GHashTable *values;  /* key to GVariant: defaults, and values set without a schema */
};

/* The same defaults as in the schema; a test compares the two. */
static const struct
{
  const char *key;
  const char *value;
} defaults[] = {
  { GOBAN_SETTING_WIDTH, "1280" },
  { GOBAN_SETTING_HEIGHT, "800" },
  { GOBAN_SETTING_MAXIMIZED, "false" },
  { GOBAN_SETTING_LAYOUT_EXPLORE, "@a{si} {}" },
  { GOBAN_SETTING_LAYOUT_DECISIONS, "@a{si} {}" },
  { GOBAN_SETTING_LAYOUT_COMPARE, "@a{si} {}" },
  { GOBAN_SETTING_LAYOUT_TRAIN, "@a{si} {}" },
  { GOBAN_SETTING_LAYOUT_SCRIPT, "@a{si} {}" },
  { GOBAN_SETTING_TIMELINE_ROWS, "['auto']" },
  { GOBAN_SETTING_DARK, "false" },
  { GOBAN_SETTING_CLUSTER, "'p100x4'" },
  { GOBAN_SETTING_AUTOSAVE, "true" },
  { GOBAN_SETTING_RECENT_LIMIT, "9" },
  { GOBAN_SETTING_FOLLOW_SYSTEM, "false" },
  { GOBAN_SETTING_CONSOLE_FONT, "10" },
  { GOBAN_SETTING_EXPORT_FORMAT, "0" },
  { GOBAN_SETTING_EXPORT_SEEN, "false" },
  { GOBAN_SETTING_EXPORT_DARK, "false" },
  { GOBAN_SETTING_EXPORT_TRANSPARENT, "false" },
  { GOBAN_SETTING_EXPORT_HISTOGRAM, "true" },
  { GOBAN_SETTING_EXPORT_PERCENT, "100" },
  { GOBAN_SETTING_EXPORT_WIDTH, "0" },
  { GOBAN_SETTING_EXPORT_HEIGHT, "0" },
};

static GSettings *
find_settings (const char *schema_dir)
{
  GSettingsSchemaSource *installed = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = NULL;
  g_autoptr (GSettingsSchemaSource) source = NULL;

  if (installed != NULL)
    schema = g_settings_schema_source_lookup (installed, SCHEMA_ID, TRUE);

  if (schema == NULL && schema_dir != NULL)
    {
      /* A folder without a compiled schema is not an error: the defaults apply. */
      source = g_settings_schema_source_new_from_directory (schema_dir, installed, FALSE, NULL);
      if (source != NULL)
        schema = g_settings_schema_source_lookup (source, SCHEMA_ID, TRUE);
    }

  return schema != NULL ? g_settings_new_full (schema, NULL, NULL) : NULL;
}

GobanSettings *
goban_settings_new (const char *schema_dir)
{
  GobanSettings *self = g_new0 (GobanSettings, 1);

  self->settings = find_settings (schema_dir);
  self->values
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_variant_unref);
  for (gsize i = 0; i < G_N_ELEMENTS (defaults); i++)
    g_hash_table_insert (self->values, (char *) defaults[i].key,
                         g_variant_parse (NULL, defaults[i].value, NULL, NULL, NULL));

  return self;
}

void
goban_settings_free (GobanSettings *self)
{
  if (self == NULL)
    return;

  g_clear_object (&self->settings);
  g_hash_table_unref (self->values);
  g_free (self);
}

gboolean
goban_settings_is_persistent (GobanSettings *self)
{
  return self->settings != NULL;
}

/* A schema of another version may lack a key. */
static gboolean
has_key (GobanSettings *self, const char *key)
{
  g_autoptr (GSettingsSchema) schema = NULL;

  if (self->settings == NULL)
    return FALSE;
  g_object_get (self->settings, "settings-schema", &schema, NULL);
  return g_settings_schema_has_key (schema, key);
}

static GVariant *
ref_value (GobanSettings *self, const char *key)
{
  GVariant *value;

  if (has_key (self, key))
    return g_settings_get_value (self->settings, key);

  value = g_hash_table_lookup (self->values, key);
  g_assert (value != NULL);
  return g_variant_ref (value);
}

static void
set_value (GobanSettings *self, const char *key, GVariant *value)
{
  gpointer name;

  g_variant_ref_sink (value);
  if (g_hash_table_lookup_extended (self->values, key, &name, NULL))
    g_hash_table_insert (self->values, name, g_variant_ref (value));
  if (has_key (self, key))
    g_settings_set_value (self->settings, key, value);
  g_variant_unref (value);
}

/* Sizes and panes that people chose in versions with one layout for the whole window. (transfer
 * full) */
static GVariant *
dup_old_layout (GobanSettings *self)
{
  static const struct
  {
    const char *key;
    const char *slot;
  } old[] = {
    { "left-width", "left" },        { "right-width", "right" },
    { "console-height", "drawer" },  { "left-pane", "left-shown" },
    { "right-pane", "right-shown" }, { "timeline-pane", "time-shown" },
  };
  GVariantBuilder builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a{si}"));

  for (gsize i = 0; i < G_N_ELEMENTS (old); i++)
    {
      g_autoptr (GVariant) value = has_key (self, old[i].key)
                                       ? g_settings_get_user_value (self->settings, old[i].key)
                                       : NULL;

      if (value != NULL)
        g_variant_builder_add (&builder, "{si}", old[i].slot,
                               g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN)
                                   ? (int) g_variant_get_boolean (value)
                                   : g_variant_get_int32 (value));
    }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

GVariant *
goban_settings_dup_layout (GobanSettings *self, const char *key)
{
  g_autoptr (GVariant) layout = ref_value (self, key);

  if (g_variant_n_children (layout) == 0 && g_str_equal (key, GOBAN_SETTING_LAYOUT_EXPLORE))
    return dup_old_layout (self);
  return g_steal_pointer (&layout);
}

void
goban_settings_set_layout (GobanSettings *self, const char *key, GVariant *layout)
{
  set_value (self, key, layout);
}

int
goban_settings_get_int (GobanSettings *self, const char *key)
{
  g_autoptr (GVariant) value = ref_value (self, key);

  return g_variant_get_int32 (value);
}

gboolean
goban_settings_get_boolean (GobanSettings *self, const char *key)
{
  g_autoptr (GVariant) value = ref_value (self, key);

  return g_variant_get_boolean (value);
}

char *
goban_settings_dup_string (GobanSettings *self, const char *key)
{
  g_autoptr (GVariant) value = ref_value (self, key);

  return g_variant_dup_string (value, NULL);
}

void
goban_settings_set_int (GobanSettings *self, const char *key, int value)
{
  set_value (self, key, g_variant_new_int32 (value));
}

void
goban_settings_set_boolean (GobanSettings *self, const char *key, gboolean value)
{
  set_value (self, key, g_variant_new_boolean (value));
}

void
goban_settings_set_string (GobanSettings *self, const char *key, const char *value)
{
  set_value (self, key, g_variant_new_string (value));
}

char **
goban_settings_dup_names (GobanSettings *self, const char *key)
{
  g_autoptr (GVariant) value = ref_value (self, key);

  return g_variant_dup_strv (value, NULL);
}

void
goban_settings_set_names (GobanSettings *self, const char *key, const char *const *names)
{
  set_value (self, key, g_variant_new_strv (names, -1));
}
