/* json-members.h: members of json-glib objects for the reference reader of graphs, with the line of
 * mistakes.
 */
#pragma once

#include <json-glib/json-glib.h>

/* Where in a file a value stands: element @index of the array @section of the root object. */
typedef struct
{
  const char *data;
  gsize size;
  const char *path;
  const char *section; /* (nullable): the root object itself */
  guint index;
  guint line; /* 0: searched in @data when needed */
} JsonMembersPlace;

/**
 * json_members_parse_object:
 *
 * Returns: (transfer full) (nullable): the root, an object, or %NULL with %GOBAN_ERROR_PARSE
 *   set to "path:line: ..."
 */
JsonObject *json_members_parse_object (const char *data, gsize size, const char *path,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Sets a %GOBAN_ERROR_PARSE "path:line: section 12: ..." and returns %FALSE. */
gboolean json_members_fail (const JsonMembersPlace *place, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* Each of these leaves @value alone and returns %TRUE if the member is missing or null. */
gboolean json_members_get_number (const JsonMembersPlace *place, JsonObject *object,
                                  const char *member, double *value, GError **error);
/* not negative, finite */
gboolean json_members_get_amount (const JsonMembersPlace *place, JsonObject *object,
                                  const char *member, double *value, GError **error);
/* true, false, 1 or 0 */
gboolean json_members_get_boolean (const JsonMembersPlace *place, JsonObject *object,
                                   const char *member, gboolean *value, GError **error);
gboolean json_members_get_string (const JsonMembersPlace *place, JsonObject *object,
                                  const char *member, const char **value, GError **error);
gboolean json_members_get_array (const JsonMembersPlace *place, JsonObject *object,
                                 const char *member, JsonArray **value, GError **error);
gboolean json_members_get_object (const JsonMembersPlace *place, JsonObject *object,
                                  const char *member, JsonObject **value, GError **error);

/* Refuses members that are not among the NULL-terminated @keys. */
gboolean json_members_check_keys (const JsonMembersPlace *place, JsonObject *object,
                                  const char *const *keys, GError **error);

/* A node's number, if it is one that is finite. */
gboolean json_members_node_number (JsonNode *node, double *value);
