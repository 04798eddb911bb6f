/* json-guard.h: checks of untrusted JSON text before json-glib parses it.
 *
 * json-glib recurses once per bracket, so a file of brackets would exhaust the stack. It accepts
 * comments, single quotes and "var x =", which are not JSON, and ignores text after the end. Its
 * messages name lines, but not files.
 */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define GOBAN_JSON_MAX_DEPTH 64

/**
 * goban_json_parse:
 * @data: (array length=length): the text, or a string if @length is negative
 * @path: its name in messages
 *
 * Refuses invalid UTF-8, nesting deeper than GOBAN_JSON_MAX_DEPTH, characters outside strings that
 * are not JSON, invalid escapes in strings, and text after the root.
 *
 * Returns: (transfer full) (nullable): the root, or %NULL with %GOBAN_ERROR_PARSE set, its
 *   message beginning with "path:line:column: "
 */
JsonNode *goban_json_parse (const char *data, gssize length, const char *path,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The checks of goban_json_parse() before parsing. %FALSE with %GOBAN_ERROR_PARSE set. */
gboolean goban_json_check_text (const char *data, gsize length, const char *path, GError **error);

/* Sets a %GOBAN_ERROR_PARSE "path:line:column: what" about the byte @at and returns %FALSE. */
gboolean goban_json_refuse_at (const char *data, const char *at, const char *path, const char *what,
                               GError **error);

/**
 * goban_json_check_keys:
 * @where: the location of the object, for the message: "a.json: devices[2]"
 * @known: all allowed keys, NULL-terminated
 *
 * Returns: %FALSE with %GOBAN_ERROR_PARSE set, naming an unknown key and listing the known
 */
gboolean goban_json_check_keys (JsonObject *object, const char *where, const char *const *known,
                                GError **error);

G_END_DECLS
