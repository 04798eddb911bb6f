/* json-keys.h: all members of our own graph files, for their reader and for docs/graph-json.md. */
#pragma once

#include <glib.h>

typedef struct
{
  const char *name; /* NULL behind the last of a table */
  const char *type; /* in words */
  const char *schema;
  const char *unit;
  const char *sentence;
} GobanJsonKey;

typedef enum
{
  GOBAN_JSON_FILE,
  GOBAN_JSON_NODE,
  GOBAN_JSON_OUTPUT, /* that is more than a number */
} GobanJsonObject;

/* All members, behind which is one without a name. */
const GobanJsonKey *goban_json_get_keys (GobanJsonObject object);
