/* json-reader-private.h: state of a JSON reader, shared with json-stream.c. */
#pragma once

#include "engine/core/json-reader.h"

G_BEGIN_DECLS

struct _GobanJsonReader
{
  char *path;
  GBytes *bytes; /* (nullable): owned text */
  GobanJsonTape tape;
  /* In a stream, the path of the value on the tape: "name", or "nodes[17]". */
  char *root_key;      /* (nullable): the whole text is on the tape */
  gint64 root_index;   /* -1: it is not in a list */
  const char *counted; /* lines are counted from here, */
  guint line;          /* which is in this line */
};

/* Sets "a.json:3: devices[2].memroy is not known: did you mean memory?" and returns %FALSE. */
gboolean goban_json_refuse_unknown (GobanJsonValue member, const char *name,
                                    const char *const *known, GError **error);

/* The number of line ends between the two. */
guint goban_json_count_lines (const char *from, const char *to);

G_END_DECLS
