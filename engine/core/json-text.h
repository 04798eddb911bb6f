/* json-text.h: writer of JSON values, independent of the locale.
 *
 * For writers that control line breaks (one node per line, so that files can be compared) or that
 * write millions of values. json-reader.h reads the result.
 */
#pragma once

#include <glib.h>

/* Writes "quoted", with the characters escaped that JSON forbids. @text is UTF-8; NULL is null. */
void goban_json_append_string (GString *json, const char *text);

/* The shortest text of the same double; null if it is not finite. */
void goban_json_append_number (GString *json, double value);

/* "key": and a space; after a comma unless it follows a bracket or a comma and blanks. */
void goban_json_append_key (GString *json, const char *key);
/* The same with the bracket of a list or an object, '[' or '{'. */
void goban_json_begin (GString *json, const char *key, char bracket);

/* key and value in one. */
void goban_json_add_string (GString *json, const char *key, const char *value);
void goban_json_add_number (GString *json, const char *key, double value);
/* A list of texts; @values is NULL-terminated. */
void goban_json_add_strings (GString *json, const char *key, const char *const *values);
void goban_json_add_boolean (GString *json, const char *key, gboolean value);
