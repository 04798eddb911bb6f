#include "engine/io/apply/pbtxt-edit.h"

#include <string.h>

/* A message that is not on the path. */
#define OFF_PATH G_MAXUINT

typedef struct
{
  const GobanPbtxtEdit *edit;
  guint n_path;
  const char *at;
  const char *end;
  const char *copied; /* the text before it is in @out */
  GString *out;
  gsize n_edited;
  gboolean is_done; /* the first message of the first name is behind */
} Walk;

/* Places in a message that is changed; NULL if there is none. */
typedef struct
{
  const char *start; /* of the message */
  const char *lead;  /* the blanks before a field that the new one follows */
  const char *lead_end;
  const char *after; /* the end of that field */
  const char *value; /* the field's old value */
  const char *value_end;
  GPtrArray *removed; /* pairs of pointers: further old values with their names */
} Places;

static void
skip_blanks (Walk *self)
{
  while (self->at < self->end)
    {
      if (*self->at == '#')
        while (self->at < self->end && *self->at != '\n')
          self->at++;
      else if (g_ascii_isspace (*self->at) || *self->at == ',' || *self->at == ';')
        self->at++;
      else
        return;
    }
}

static void
skip_string (Walk *self)
{
  char quote = *self->at++;

  while (self->at < self->end && *self->at != quote)
    self->at += *self->at == '\\' && self->end - self->at > 1 ? 2 : 1;
  self->at = MIN (self->at + 1, self->end);
}

static gboolean
is_quote (char c)
{
  return c == '"' || c == '\'';
}

/* A word, or strings side by side. */
static void
skip_scalar (Walk *self)
{
  const char *after = self->at;

  if (self->at < self->end && !is_quote (*self->at))
    {
      self->at++;
      while (self->at < self->end && !g_ascii_isspace (*self->at)
             && strchr (",;[]{}<>#:", *self->at) == NULL)
        self->at++;
      return;
    }
  while (self->at < self->end && is_quote (*self->at))
    {
      skip_string (self);
      after = self->at;
      skip_blanks (self);
    }
  self->at = after;
}

/* A name, or one of an extension in brackets. */
static void
skip_name (Walk *self)
{
  const char *close
      = *self->at == '[' ? memchr (self->at, ']', (gsize) (self->end - self->at)) : NULL;

  if (close != NULL)
    self->at = close + 1;
  else
    skip_scalar (self);
}

static void
copy_to (Walk *self, const char *end)
{
  g_string_append_len (self->out, self->copied, end - self->copied);
  self->copied = end;
}

static void walk_value (Walk *self, guint level);

/* --- the messages that are changed ----------------------------------------------------------- */

static gboolean
is_one_of (const char *name, gsize n, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (strlen (names[i]) == n && strncmp (name, names[i], n) == 0)
      return TRUE;
  return FALSE;
}

static void
note_field (Walk *self, Places *places, const char *gap, const char *name, gsize n)
{
  const char *const fields[] = { self->edit->field, NULL };
  const char *value = self->at;
  const char *line;

  walk_value (self, OFF_PATH);
  if (is_one_of (name, n, fields) && places->value == NULL)
    {
      places->value = value;
      places->value_end = self->at;
    }
  else if (is_one_of (name, n, fields))
    {
      g_ptr_array_add (places->removed, (gpointer) name);
      g_ptr_array_add (places->removed, (gpointer) self->at);
    }
  else if (is_one_of (name, n, self->edit->before))
    {
      /* Only blanks are repeated, no comment. */
      for (line = name; line > gap && g_ascii_isspace (line[-1]) && line[-1] != '\n';)
        line--;
      places->lead = line > gap && line[-1] == '\n' ? line - 1 : line;
      places->lead_end = name;
      places->after = self->at;
    }
}

static void
insert_field (Walk *self, const Places *places, const char *value)
{
  const char *place = places->after != NULL ? places->after : places->start;
  gboolean has_lead = places->after != NULL && places->lead < places->lead_end;

  copy_to (self, place);
  if (has_lead)
    g_string_append_len (self->out, places->lead, places->lead_end - places->lead);
  else
    g_string_append_c (self->out, ' ');
  g_string_append_printf (self->out, "%s: %s", self->edit->field, value);
}

static void
change_message (Walk *self, const Places *places)
{
  g_autofree char *value = self->edit->get_value (self->n_edited++, self->edit->user_data);

  if (places->value == NULL)
    insert_field (self, places, value);
  else
    {
      copy_to (self, places->value);
      g_string_append (self->out, value);
      self->copied = places->value_end;
    }
  for (guint i = 0; i < places->removed->len; i += 2)
    {
      copy_to (self, g_ptr_array_index (places->removed, i));
      self->copied = g_ptr_array_index (places->removed, i + 1);
    }
}

/* --- messages -------------------------------------------------------------------------------- */

/* The level of the messages of a field in a message of @level. */
static guint
find_level (Walk *self, guint level, const char *name, gsize n)
{
  const char *const names[] = { level < self->n_path ? self->edit->path[level] : NULL, NULL };

  if (level >= self->n_path || !is_one_of (name, n, names))
    return OFF_PATH;
  if (level == 0 && self->edit->is_first_only)
    {
      if (self->is_done)
        return OFF_PATH;
      self->is_done = TRUE;
    }
  return level + 1;
}

/* The fields up to the closing bracket, which is not taken. */
static void
walk_fields (Walk *self, guint level)
{
  g_autoptr (GPtrArray) removed = g_ptr_array_new ();
  Places places = { .start = self->at, .removed = removed };

  while (TRUE)
    {
      const char *gap = self->at;
      const char *name;
      gsize n;

      skip_blanks (self);
      name = self->at;
      if (self->at == self->end || *self->at == '}' || *self->at == '>')
        break;
      skip_name (self);
      n = (gsize) (self->at - name);
      skip_blanks (self);
      if (self->at < self->end && *self->at == ':')
        self->at++;
      skip_blanks (self);
      if (level == self->n_path)
        note_field (self, &places, gap, name, n);
      else
        walk_value (self, find_level (self, level, name, n));
    }
  if (level == self->n_path)
    change_message (self, &places);
}

/* One value, or a list of values. */
static void
walk_value (Walk *self, guint level)
{
  if (self->at == self->end)
    return;
  if (*self->at == '[')
    {
      self->at++;
      for (skip_blanks (self); self->at < self->end && *self->at != ']'; skip_blanks (self))
        walk_value (self, level);
      self->at = MIN (self->at + 1, self->end);
    }
  else if (*self->at == '{' || *self->at == '<')
    {
      self->at++;
      walk_fields (self, level);
      self->at = MIN (self->at + 1, self->end);
    }
  else
    skip_scalar (self);
}

GString *
goban_pbtxt_edit (const char *text, gsize size, const GobanPbtxtEdit *edit)
{
  Walk self = { .edit = edit,
                .at = text,
                .end = text + size,
                .copied = text,
                .out = g_string_sized_new (size + size / 8) };

  while (edit->path[self.n_path] != NULL)
    self.n_path++;
  walk_fields (&self, 0);
  copy_to (&self, self.end);
  return self.out;
}
