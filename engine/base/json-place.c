#include "engine/base/json-place.h"

#include <string.h>

typedef struct
{
  const char *p;
  const char *end;
} Scan;

static void
skip_blanks (Scan *self)
{
  while (self->p < self->end && strchr (" \t\r\n,:", *self->p) != NULL)
    self->p++;
}

static void
skip_string (Scan *self)
{
  for (self->p++; self->p < self->end && *self->p != '"'; self->p++)
    if (*self->p == '\\')
      self->p++;
  self->p = self->p < self->end ? self->p + 1 : self->end;
}

static void
skip_value (Scan *self)
{
  guint depth = 0;

  for (skip_blanks (self); self->p < self->end;)
    {
      if (*self->p == '"')
        skip_string (self);
      else if (depth == 0 && strchr (",]} \t\r\n", *self->p) != NULL)
        return;
      else
        {
          if (*self->p == '{' || *self->p == '[')
            depth++;
          else if (*self->p == '}' || *self->p == ']')
            depth--;
          else
            {
              self->p++;
              continue;
            }
          self->p++;
        }
      if (depth == 0)
        return;
    }
}

/* To the value of a key of the object at p; FALSE if there is none. */
static gboolean
enter_key (Scan *self, const char *key, gsize n)
{
  if (self->p >= self->end || *self->p != '{')
    return FALSE;
  self->p++;
  for (skip_blanks (self); self->p < self->end && *self->p == '"'; skip_blanks (self))
    {
      const char *name = self->p + 1;

      skip_string (self);
      if ((gsize) (self->p - name) == n + 1 && strncmp (name, key, n) == 0)
        {
          skip_blanks (self);
          return TRUE;
        }
      skip_value (self);
    }
  return FALSE;
}

static gboolean
enter_item (Scan *self, guint64 index)
{
  if (self->p >= self->end || *self->p != '[')
    return FALSE;
  self->p++;
  for (skip_blanks (self); self->p < self->end && *self->p != ']'; skip_blanks (self))
    {
      if (index-- == 0)
        return TRUE;
      skip_value (self);
    }
  return FALSE;
}

guint
goban_json_find_line (const char *data, gsize size, const char *where)
{
  Scan scan = { data, data + size };
  const char *found;
  guint line = 1;

  skip_blanks (&scan);
  found = scan.p;
  while (*where != '\0')
    {
      gsize n = strcspn (where, ".[");
      gboolean is_there;

      if (*where == '[')
        {
          char *end;
          guint64 index = g_ascii_strtoull (where + 1, &end, 10);

          is_there = enter_item (&scan, index);
          where = *end == ']' ? end + 1 : end;
        }
      else
        {
          is_there = enter_key (&scan, where, n);
          where += n;
        }
      if (!is_there)
        break;
      found = scan.p;
      if (*where == '.')
        where++;
    }
  for (const char *p = data; p < found && p < data + size; p++)
    line += *p == '\n';
  return line;
}
