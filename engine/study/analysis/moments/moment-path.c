#include "engine/study/analysis/moments/moment-path.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

/* The place of a span among those of its name in the same span. */
typedef struct
{
  guint64 number, total; /* from 1 */
  guint32 previous;      /* span of the same parent, of any name; 0: none */
  guint32 same;          /* the same, of the same name */
  gboolean is_alone;
} Place;

struct _GobanMomentPaths
{
  const GobanDecisions *decisions;
  gboolean is_translated;
  GArray *places; /* of Place by span; 0: of moments outside all spans */
};

/* Names of spans, for the translation. */
static G_GNUC_UNUSED const char *const known_names[] = {
  N_ ("attempt"), N_ ("batch"),   N_ ("best"),       N_ ("build"),     N_ ("cut"),
  N_ ("draft"),   N_ ("episode"), N_ ("generation"), N_ ("incumbent"), N_ ("move"),
  N_ ("moves"),   N_ ("plan"),    N_ ("refinement"), N_ ("rollout"),   N_ ("round"),
  N_ ("rules"),   N_ ("sample"),  N_ ("settling"),   N_ ("start"),     N_ ("union"),
  N_ ("update"),
};

static Place *
get_place (const GobanMomentPaths *self, guint32 span)
{
  return &g_array_index (self->places, Place, span);
}

/* A span with all moments of the one around it. */
static gboolean
is_whole (const GobanDecisions *decisions, const GobanSpan *span)
{
  const GobanSpan *parent
      = span->parent != 0 ? goban_decisions_get_span (decisions, span->parent) : NULL;

  return parent == NULL || (span->begin == parent->begin && span->end == parent->end);
}

GobanMomentPaths *
goban_moment_paths_new (const GobanDecisions *decisions, gboolean is_translated)
{
  GobanMomentPaths *self = g_new (GobanMomentPaths, 1);
  guint n = goban_decisions_get_n_spans (decisions);
  g_autofree guint32 *last_child = g_new0 (guint32, n + 1);

  *self = (GobanMomentPaths){ decisions, is_translated,
                              g_array_sized_new (FALSE, TRUE, sizeof (Place), n + 1) };
  g_array_set_size (self->places, n + 1);
  for (guint32 s = 1; s <= n; s++)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);
      Place *place = get_place (self, s);

      place->previous = last_child[span->parent];
      place->is_alone = place->previous == 0 && span->n_left_out == 0 && is_whole (decisions, span);
      if (place->previous != 0)
        get_place (self, place->previous)->is_alone = FALSE;
      last_child[span->parent] = s;
      for (guint32 other = place->previous; other != 0 && place->same == 0;
           other = get_place (self, other)->previous)
        if (goban_decisions_get_span (decisions, other)->name == span->name)
          place->same = other;
      place->number = span->n_left_out + 1;
      if (place->same != 0)
        place->number += get_place (self, place->same)->number;
    }
  /* The last one of a name has the total; it hands it to the one before. */
  for (guint32 s = n; s > 0; s--)
    {
      Place *place = get_place (self, s);

      place->total = MAX (place->total, place->number);
      if (place->same != 0)
        get_place (self, place->same)->total = place->total;
    }
  return self;
}

void
goban_moment_paths_free (GobanMomentPaths *self)
{
  g_array_unref (self->places);
  g_free (self);
}

static guint32
find_span (const GobanDecisions *decisions, GobanMoment moment)
{
  GobanDecision decision;

  if (goban_decisions_get (decisions, moment, NULL, &decision))
    return decision.span;
  for (guint32 s = goban_decisions_get_n_spans (decisions); s > 0; s--)
    {
      const GobanSpan *span = goban_decisions_get_span (decisions, s);

      if (span->begin < moment && moment <= span->end)
        return s;
    }
  return 0;
}

/* "Plan 5 of 17", in front of what is there. */
static void
prepend_part (const GobanMomentPaths *self, GString *text, const char *name, guint64 number,
              guint64 total)
{
  const char *word = self->is_translated ? goban_i18n_get (name) : name;
  char first[8] = "";
  char of[GOBAN_QUANTITY_LEN], all[GOBAN_QUANTITY_LEN];
  g_autofree char *title = NULL;
  g_autofree char *part = NULL;

  first[g_unichar_to_utf8 (g_unichar_toupper (g_utf8_get_char (word)), first)] = '\0';
  title = g_strconcat (first, g_utf8_next_char (word), NULL);
  goban_format_grouped (of, number);
  goban_format_grouped (all, total);
  part = total == 1 ? g_strdup (title)
                    : g_strdup_printf (self->is_translated ? _ ("%s %s of %s") : "%s %s of %s",
                                       title, of, all);
  if (text->len > 0)
    g_string_prepend (text, " › ");
  g_string_prepend (text, part);
}

char *
goban_moment_paths_describe (const GobanMomentPaths *self, GobanMoment moment)
{
  GString *text = g_string_new (NULL);
  guint32 inner = moment > 0 ? find_span (self->decisions, moment) : 0;
  GobanMoment begin = 0;
  GobanMoment end = goban_decisions_get_n_moments (self->decisions);

  if (inner != 0)
    {
      begin = goban_decisions_get_span (self->decisions, inner)->begin;
      end = goban_decisions_get_span (self->decisions, inner)->end;
    }
  if (moment > 0 && end - begin > 1)
    prepend_part (self, text, N_ ("decision"), moment - begin, end - begin);
  for (guint32 s = inner; s != 0; s = goban_decisions_get_span (self->decisions, s)->parent)
    if (!get_place (self, s)->is_alone)
      prepend_part (self, text, goban_decisions_get_span (self->decisions, s)->name,
                    get_place (self, s)->number, get_place (self, s)->total);
  if (moment > 0 && text->len == 0)
    prepend_part (self, text, N_ ("decision"), 1, 1);
  return g_string_free (text, FALSE);
}

char *
goban_moment_describe_path (const GobanDecisions *decisions, GobanMoment moment)
{
  g_autoptr (GobanMomentPaths) paths = goban_moment_paths_new (decisions, TRUE);

  return goban_moment_paths_describe (paths, moment);
}
