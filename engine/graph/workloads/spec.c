#include "engine/graph/workloads/spec.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"

#include <inttypes.h>
#include <string.h>

struct _Spec
{
  const Workload *workload;
  gint64 *values; /* (n_own + n_common): numbers, or indices of words; own knobs first */
};

static const char *const modes[] = { "training", "inference", NULL };
static const char *const granularities[] = { "op", "coarse", NULL };

static const GobanKnob common_knobs[] = {
  { .name = "mode", .meaning = N_ ("with or without gradients and the optimiser"), .words = modes },
  { .name = "granularity",
    .meaning = N_ ("one node per op, or one per layer and phase"),
    .words = granularities },
};

/* The first common knob is the one that a family may have its own of. */
const GobanKnob *
goban_family_get_knob (const GobanFamily *family, gsize i)
{
  gsize common = i - family->n_knobs;

  if (i < family->n_knobs)
    return &family->knobs[i];
  for (gsize k = 0; k < family->n_knobs; k++)
    if (strcmp (family->knobs[k].name, common_knobs[0].name) == 0)
      common++;
  return common < G_N_ELEMENTS (common_knobs) ? &common_knobs[common] : NULL;
}

gboolean
goban_family_find_knob (const GobanFamily *family, const char *name, gsize *index)
{
  const GobanKnob *knob;

  for (gsize i = 0; (knob = goban_family_get_knob (family, i)) != NULL; i++)
    if (strcmp (knob->name, name) == 0)
      {
        *index = i;
        return TRUE;
      }
  return FALSE;
}

gint64
goban_family_get_default (const GobanFamily *family, gsize i, const gint64 *values)
{
  const GobanKnob *knob = goban_family_get_knob (family, i);
  const gint64 *of_size;
  gint64 value;

  if (i == 0 || i > family->n_sized)
    return knob->initial;

  of_size = family->sizes + (gsize) values[0] * family->n_sized - 1;
  value = of_size[i];
  for (gsize k = 1; k < i && strcmp (knob->name, "ffn") == 0; k++)
    if (strcmp (family->knobs[k].name, "width") == 0)
      value = value * values[k] / of_size[k];
  return CLAMP (value, knob->minimum, knob->maximum);
}

static const GobanKnob *
get_knob (const Spec *spec, gsize i)
{
  return goban_family_get_knob (&spec->workload->family, i);
}

static gsize
count_knobs (const Spec *spec)
{
  gsize n = 0;

  while (get_knob (spec, n) != NULL)
    n++;
  return n;
}

static gboolean
find_knob (const Spec *spec, const char *name, gsize *index)
{
  return goban_family_find_knob (&spec->workload->family, name, index);
}

gint64
spec_get (const Spec *spec, const char *knob)
{
  gsize index = 0;
  gboolean is_known = find_knob (spec, knob, &index);

  g_assert (is_known);
  return spec->values[index];
}

gint64
spec_get_or (const Spec *spec, const char *knob, gint64 value_if_none)
{
  gsize index;

  return find_knob (spec, knob, &index) ? spec->values[index] : value_if_none;
}

gboolean
spec_is (const Spec *spec, const char *knob, const char *word)
{
  gsize index = 0;
  gboolean is_known = find_knob (spec, knob, &index);

  g_assert (is_known);
  return strcmp (get_knob (spec, index)->words[spec->values[index]], word) == 0;
}

const Workload *
spec_get_workload (const Spec *spec)
{
  return spec->workload;
}

/* --- reading -------------------------------------------------------------------------------- */

/* Whether @text is the family's name, or one of its sizes', alone or before a colon. @size: the
 * index of the size; -1 of the family's own name. */
static gboolean
begins (const char *text, const GobanFamily *family, gint64 *size)
{
  g_autofree char *name = g_strndup (text, strcspn (text, ":"));

  *size = -1;
  if (strcmp (name, family->name) == 0)
    return TRUE;
  if (family->sizes == NULL)
    return FALSE;
  for (*size = 0; family->knobs[0].words[*size] != NULL; (*size)++)
    if (strcmp (name, family->knobs[0].words[*size]) == 0)
      return TRUE;
  return FALSE;
}

gboolean
goban_workload_is_spec (const char *text)
{
  gsize n;
  const GobanFamily *const *families = goban_families (&n);
  gint64 size;

  for (gsize i = 0; i < n; i++)
    if (begins (text, families[i], &size))
      return TRUE;
  return FALSE;
}

static const Workload *
find_workload (const char *text, const Workload *const *workloads, gsize n, gint64 *size,
               GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (gsize i = 0; i < n; i++)
    {
      if (begins (text, &workloads[i]->family, size))
        return workloads[i];
      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", workloads[i]->family.name);
    }
  goban_set_error (error, GOBAN_ERROR_INVALID, "there is no family “%.*s”; the families are %s",
                   (int) strcspn (text, ":"), text, names->str);
  return NULL;
}

static gboolean
refuse_key (const Spec *spec, const char *key, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (gsize i = 0; i < count_knobs (spec); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", get_knob (spec, i)->name);
  return goban_refuse (error, GOBAN_ERROR_INVALID, "family “%s” has no key “%s”; its keys are %s",
                       spec->workload->family.name, key, names->str);
}

static gboolean
parse_word (const Spec *spec, const GobanKnob *knob, const char *text, gint64 *value,
            GError **error)
{
  g_autofree char *words = NULL;

  for (gint64 i = 0; knob->words[i] != NULL; i++)
    if (strcmp (knob->words[i], text) == 0)
      {
        *value = i;
        return TRUE;
      }
  words = g_strjoinv (", ", (char **) knob->words);
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "key “%s” of family “%s” cannot be “%s”; it may be %s", knob->name,
                       spec->workload->family.name, text, words);
}

static gboolean
parse_number (const Spec *spec, const GobanKnob *knob, const char *text, gint64 *value,
              GError **error)
{
  if (g_ascii_string_to_signed (text, 10, knob->minimum, knob->maximum, value, NULL))
    return TRUE;

  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "key “%s” of family “%s” cannot be “%s”; it may be a whole number from "
                       "%" PRId64 " to %" PRId64,
                       knob->name, spec->workload->family.name, text, knob->minimum, knob->maximum);
}

/* One "key=value". */
static gboolean
parse_setting (Spec *spec, const char *text, gboolean *is_given, GError **error)
{
  const char *equals = strchr (text, '=');
  g_autofree char *key = NULL;
  const GobanKnob *knob;
  gsize index;

  if (equals == NULL)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "“%s” of family “%s” is not a setting; write KEY=VALUE", text,
                         spec->workload->family.name);
  key = g_strndup (text, (gsize) (equals - text));
  if (!find_knob (spec, key, &index))
    return refuse_key (spec, key, error);
  if (is_given[index])
    return goban_refuse (error, GOBAN_ERROR_INVALID, "key “%s” of family “%s” is given twice", key,
                         spec->workload->family.name);
  is_given[index] = TRUE;
  knob = get_knob (spec, index);
  return knob->words != NULL ? parse_word (spec, knob, equals + 1, &spec->values[index], error)
                             : parse_number (spec, knob, equals + 1, &spec->values[index], error);
}

Spec *
spec_parse (const char *text, const Workload *const *workloads, gsize n_workloads, GError **error)
{
  const char *colon = strchr (text, ':');
  gint64 size;
  const Workload *workload = find_workload (text, workloads, n_workloads, &size, error);
  g_autofree gboolean *is_given = NULL;
  g_auto (GStrv) settings = NULL;
  g_autoptr (Spec) spec = NULL;

  if (workload == NULL)
    return NULL;

  spec = g_new0 (Spec, 1);
  spec->workload = workload;
  spec->values = g_new0 (gint64, count_knobs (spec));
  is_given = g_new0 (gboolean, count_knobs (spec));
  if (size >= 0)
    {
      spec->values[0] = size;
      is_given[0] = TRUE;
    }
  settings = g_strsplit (colon != NULL ? colon + 1 : "", ",", -1);
  if (colon != NULL && settings[0] == NULL && !parse_setting (spec, "", is_given, error))
    return NULL;
  for (gsize i = 0; settings[i] != NULL; i++)
    if (!parse_setting (spec, settings[i], is_given, error))
      return NULL;
  for (gsize i = 0; i < count_knobs (spec); i++)
    if (!is_given[i])
      spec->values[i] = goban_family_get_default (&workload->family, i, spec->values);
  return g_steal_pointer (&spec);
}

void
spec_free (Spec *spec)
{
  g_free (spec->values);
  g_free (spec);
}

char *
spec_to_text (const Spec *spec)
{
  GString *text = g_string_new (spec->workload->family.name);
  char separator = ':';

  for (gsize i = 0; i < count_knobs (spec); i++)
    {
      const GobanKnob *knob = get_knob (spec, i);

      if (spec->values[i] == goban_family_get_default (&spec->workload->family, i, spec->values))
        continue;
      g_string_append_printf (text, "%c%s=", separator, knob->name);
      if (knob->words != NULL)
        g_string_append (text, knob->words[spec->values[i]]);
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, spec->values[i]);
      separator = ',';
    }
  return g_string_free (text, FALSE);
}
