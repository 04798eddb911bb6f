#include "engine/learn/rl/go/go-settings.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"

#include <math.h>
#include <string.h>

#define GOBAN_ROWS 64

GobanGoSettings
goban_go_settings_paper (void)
{
  return (GobanGoSettings){
    .net = goban_net_config_paper (),
    .ppo = goban_ppo_config_paper (),
  };
}

GobanGoSettings
goban_go_settings_goban (void)
{
  return (GobanGoSettings){
    .net = goban_net_config_goban (),
    .ppo = goban_ppo_config_goban (),
    .n_rows = GOBAN_ROWS,
    .order = GOBAN_GO_ORDER_RANKS,
  };
}

/* A numeric setting: its offset and its range. */
typedef struct
{
  const char *key;
  gsize offset;
  enum
  {
    REAL,
    COUNT,
    TRUTH,
  } kind;
  double least;
  double most;
} Number;

#define PPO(field) offsetof (GobanGoSettings, ppo.field)

static const Number numbers[] = {
  { "rate", PPO (rate), REAL, 0, 1 },
  { "last-rate", PPO (last_rate), REAL, 0, 1 },
  { "rollouts", PPO (n_rollouts), COUNT, 1, 4096 },
  { "epochs", PPO (n_epochs), COUNT, 1, 100 },
  { "clip", PPO (clip), REAL, 1e-3, 10 },
  { "entropy", PPO (entropy), REAL, 0, 10 },
  { "last-entropy", PPO (last_entropy), REAL, 0, 10 },
  { "credit", PPO (credit), REAL, 0, 100 },
  { "fellows", PPO (is_fellows), TRUTH, 0, 1 },
  { "invalid-reward", PPO (invalid_reward), REAL, -100, 0 },
  { "clip-norm", PPO (clip_norm), REAL, 0, 1e6 },
  { "rows", offsetof (GobanGoSettings, n_rows), COUNT, 0, 1e7 },
};

static gboolean
set_number (GobanGoSettings *self, const Number *number, const char *text, GError **error)
{
  double value = 0;
  char *place = (char *) self + number->offset;

  if (!goban_parse_number (text, &value) || value < number->least || value > number->most
      || (number->kind != REAL && value != floor (value)))
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "%s=%s: %s is a %snumber from %g to %g",
                       number->key, text, number->key, number->kind == REAL ? "" : "whole ",
                       number->least, number->most);
      return FALSE;
    }
  if (number->kind == REAL)
    memcpy (place, &value, sizeof value);
  else
    {
      guint count = (guint) value; /* a gboolean is as wide */

      memcpy (place, &count, sizeof count);
    }
  return TRUE;
}

static const char *const orders[] = { "fifo", "ranks", NULL };
static const char *const fusions[] = { "none", "default", NULL };

/* Parses one of two or three words to its number. */
static gboolean
set_word (guint *value, const char *key, const char *word, const char *const *words, GError **error)
{
  g_autofree char *all = NULL;

  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (word, words[i]) == 0)
      {
        *value = i;
        return TRUE;
      }
  all = g_strjoinv (", ", (char **) words);
  goban_set_error (error, GOBAN_ERROR_INVALID, "%s=%s: it may be one of %s", key, word, all);
  return FALSE;
}

static gboolean
set_preset (GobanGoSettings *self, const char *name, GError **error)
{
  if (strcmp (name, "paper") == 0)
    *self = goban_go_settings_paper ();
  else if (strcmp (name, "goban") == 0)
    *self = goban_go_settings_goban ();
  else
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "preset=%s: the presets are goban and paper",
                       name);
      return FALSE;
    }
  return TRUE;
}

static gboolean
set_field (GobanGoSettings *self, const char *key, const char *value, GString *of_net,
           GError **error)
{
  if (strcmp (key, "order") == 0)
    return set_word (&self->order, key, value, orders, error);
  if (strcmp (key, "fuse") == 0)
    return set_word ((guint *) &self->fuses_alike, key, value, fusions, error);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (strcmp (key, numbers[i].key) == 0)
      return set_number (self, &numbers[i], value, error);
  g_string_append_printf (of_net, "%s%s=%s", of_net->len > 0 ? "," : "", key, value);
  return TRUE;
}

/* Applies @changes to the preset's network; parsing them alone would use the defaults of the
 * network. */
static gboolean
change_net (GobanNetConfig *net, const char *changes, GError **error)
{
  g_autofree char *usual = goban_net_config_to_text (net);
  g_auto (GStrv) pairs = g_strsplit (usual, ",", -1);
  g_autofree char *padded = g_strconcat (",", changes, NULL);
  g_autoptr (GString) text = g_string_new (changes);

  for (guint i = 0; pairs[i] != NULL; i++)
    {
      g_autofree char *key = g_strndup (pairs[i], strcspn (pairs[i], "="));
      g_autofree char *mention = g_strdup_printf (",%s=", key);

      if (strstr (padded, mention) == NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "", pairs[i]);
    }
  return goban_net_config_parse (text->str, net, error);
}

/* Splits "KEY=VALUE" into key and value without blanks. (transfer full) */
static char **
split_word (const char *word)
{
  const char *equals = strchr (word, '=');
  gsize n_key = equals != NULL ? (gsize) (equals - word) : strlen (word);
  char **pair = g_new0 (char *, 3);

  pair[0] = g_strstrip (g_strndup (word, n_key));
  pair[1] = g_strstrip (g_strdup (equals != NULL ? equals + 1 : ""));
  return pair;
}

/* Applies the words that set the preset, or all others. */
static gboolean
set_words (GobanGoSettings *self, char *const *words, gboolean are_presets, GString *of_net,
           GError **error)
{
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) pair = split_word (words[i]);
      gboolean is_preset = strcmp (pair[0], "preset") == 0;

      if (pair[0][0] == '\0' || is_preset != are_presets)
        continue;
      if (is_preset ? !set_preset (self, pair[1], error)
                    : !set_field (self, pair[0], pair[1], of_net, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
goban_go_settings_parse (GobanGoSettings *self, const char *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ",", -1);
  g_autoptr (GString) of_net = g_string_new (NULL);
  GobanGoSettings own = goban_go_settings_goban ();

  /* The preset comes first, wherever it stands, because the others change it. */
  if (!set_words (&own, words, TRUE, of_net, error)
      || !set_words (&own, words, FALSE, of_net, error)
      || !change_net (&own.net, of_net->str, error))
    return FALSE;
  *self = own;
  return TRUE;
}

char *
goban_go_settings_to_text (const GobanGoSettings *self)
{
  g_autofree char *of_net = goban_net_config_to_text (&self->net);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      const char *place = (const char *) self + numbers[i].offset;
      char buffer[GOBAN_QUANTITY_LEN];
      double value;
      guint count;

      memcpy (&count, place, sizeof count);
      if (numbers[i].kind == REAL)
        memcpy (&value, place, sizeof value);
      else
        value = count;
      g_string_append_printf (text, "%s=%s,", numbers[i].key, goban_format_double (buffer, value));
    }
  g_string_append_printf (text, "order=%s,fuse=%s,%s", orders[self->order],
                          fusions[self->fuses_alike ? 1 : 0], of_net);
  return g_string_free (text, FALSE);
}
