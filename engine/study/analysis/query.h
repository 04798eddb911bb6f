/* query.h: query language for nodes, used by the search box and by graph:where().
 *
 *   query      = and { "or" and }
 *   and        = not { "and" not }
 *   not        = "not" not | "(" query ")" | comparison | pattern | text
 *   comparison = field ( "=" | "==" | "!=" | "~=" | "<" | "<=" | ">" | ">=" | "~" | "!~" ) value
 *   pattern    = "/" regular expression "/" [ "i" ] | ( "~" | "!~" ) value:
 *                nodes whose name or op matches; i: case-insensitive
 *   text       = a word or string alone: nodes whose name or op contains it, case-insensitive
 *
 * Fields are those of node-field.h. A value is a word, a string in '' or "", or a number with a
 * unit if the field has one ("1.5ms", "16GB"); times other than 0 need a unit. "~" searches a
 * regular expression, which may stand between slashes too. A word that begins with a slash and does
 * not end with one, "/enc/a", is a word. Unknown values match only "!=" and "!~".
 *
 *   cost > 1ms and name ~ 'dec/.*' and (device = 'gpu:1' or slack < 20us)
 *
 * A query is immutable and can be used by any thread.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/study/analysis/node-field.h"
#include "engine/study/run/selection.h"

typedef struct _GobanQuery GobanQuery;

/**
 * goban_query_new:
 * @text: empty or blank: every node
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_PARSE set; the message has the
 *   column and the expected input
 */
GobanQuery *goban_query_new (const char *text, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* A comparison of one field: an operator and a value, such as "> 10us" or "!~ conv"; the value
 * alone is compared by "=". The value goes to the end of @text, and needs no quotes. (transfer
 * full) (nullable), as goban_query_new(). */
GobanQuery *goban_query_new_comparison (const GobanNodeField *field, const char *text,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_query_free (GobanQuery *self);

/* Whether @text begins with an operator of comparisons. */
gboolean goban_query_is_comparison (const char *text);

/* The first field that needs a run, or NULL. */
const char *goban_query_needs_run (const GobanQuery *self);

gboolean goban_query_matches (const GobanQuery *self, const GobanNodeContext *context,
                              GobanNodeId node);

/* All nodes that match, ascending; (transfer full). */
GobanSelection *goban_query_select (const GobanQuery *self,
                                    const GobanNodeContext *context) G_GNUC_WARN_UNUSED_RESULT;

/* The same for a worker. @progress (nullable) is checked every few thousand nodes: %NULL with
 * %GOBAN_ERROR_CANCELLED set if it is cancelled. */
GobanSelection *goban_query_search (const GobanQuery *self, const GobanNodeContext *context,
                                    const GobanProgress *progress,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanQuery, goban_query_free)
