#include "engine/session/teaching/lesson.h"

#include "engine/core/data-file.h"
#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/language.h"
#include "engine/session/teaching/glossary.h"

#include <stdlib.h>
#include <string.h>

/* --- the list --------------------------------------------------------------------------------- */

#define ENDING ".md"

/* The user's folder; it need not exist. (transfer full) */
static char *
dup_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "goban", "lessons", NULL);
}

/* The names of the files in @folder; those that are there already keep their path. */
static void
add_folder (GHashTable *paths, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL); /* or there is none */
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ENDING) && !g_hash_table_contains (paths, name))
      g_hash_table_insert (paths, g_strdup (name), g_build_filename (folder, name, NULL));
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
goban_lesson_list_load (GPtrArray **troubles)
{
  GPtrArray *lessons = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_lesson_unref);
  g_autoptr (GHashTable) paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree char **names = NULL; /* borrowed from the table */
  guint n;
  g_autofree char *own = dup_folder ();

  if (troubles != NULL)
    *troubles = g_ptr_array_new_with_free_func (g_free);
  add_folder (paths, own);
  for (guint i = 0; i < GOBAN_DATA_N_FOLDERS; i++)
    {
      g_autofree char *folder = goban_data_file_dup_folder ("lessons", i);

      add_folder (paths, folder);
    }
  names = (char **) g_hash_table_get_keys_as_array (paths, &n);
  qsort (names, n, sizeof *names, compare_names);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      GobanLesson *lesson = goban_lesson_load (g_hash_table_lookup (paths, names[i]), &error);

      if (lesson != NULL)
        g_ptr_array_add (lessons, lesson);
      else if (troubles != NULL)
        g_ptr_array_add (*troubles, g_strdup (error->message));
    }
  return lessons;
}

/* "contention" and "4" find "04-contention", too. */
static gboolean
is_called (const GobanLesson *lesson, const char *name)
{
  const char *dash = strchr (lesson->name, '-');
  guint64 number;

  if (g_str_equal (lesson->name, name) || (dash != NULL && g_str_equal (dash + 1, name)))
    return TRUE;
  return g_ascii_string_to_unsigned (name, 10, 0, G_MAXUINT, &number, NULL)
         && g_ascii_isdigit (*lesson->name) && g_ascii_strtoull (lesson->name, NULL, 10) == number;
}

GobanLesson *
goban_lesson_list_find (const char *name, GError **error)
{
  g_autoptr (GPtrArray) lessons = NULL;
  g_autoptr (GString) names = g_string_new (NULL);

  if (g_str_has_suffix (name, ENDING))
    return goban_lesson_load (name, error);
  lessons = goban_lesson_list_load (NULL);
  for (guint i = 0; i < lessons->len; i++)
    {
      GobanLesson *lesson = lessons->pdata[i];

      if (is_called (lesson, name))
        return goban_lesson_ref (lesson);
      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", lesson->name);
    }
  goban_set_error (error, GOBAN_ERROR_INVALID, "there is no lesson “%s”; there are: %s", name,
                   names->str);
  return NULL;
}

#define FENCE "```"
#define TERM "term:"

/* A step as it is read. */
typedef struct
{
  GobanLessonStep *step;
  GString *text;
  GString *explanation;
  GPtrArray *answers;
  GPtrArray *hints;
  guint n_right;
  guint line; /* its first line */
} Draft;

typedef struct
{
  const char *path;
  char **lines;
  guint at; /* the line that is read, from 0 */
  GobanLesson *lesson;
  const GobanLesson *original; /* (nullable): of which this is a translation */
  Draft draft;                 /* step NULL: before the first */
} Reader;

static void
free_step (gpointer data)
{
  GobanLessonStep *step = data;

  g_free (step->title);
  g_free (step->text);
  g_strfreev (step->answers);
  g_free (step->explanation);
  g_strfreev (step->hints);
  g_free (step->point);
  g_free (step->callout);
  g_free (step->setup);
  g_free (step->show);
  g_free (step->check);
  g_free (step->solution);
  g_free (step->rivals);
  g_free (step);
}

GobanLesson *
goban_lesson_ref (GobanLesson *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_lesson_unref (GobanLesson *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->name);
  g_free (self->folder);
  g_free (self->title);
  g_ptr_array_unref (self->steps);
  g_free (self);
}

/* --- steps ----------------------------------------------------------------------------------- */

static gboolean
refuse (const Reader *self, guint line, GError **error, const char *message)
{
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s:%u: %s", self->path, line + 1, message);
}

static char **
take_strings (GPtrArray *strings)
{
  g_ptr_array_add (strings, NULL);
  return (char **) g_ptr_array_free (strings, FALSE);
}

static void
begin_step (Reader *self, const char *title)
{
  self->draft = (Draft){ .step = g_new0 (GobanLessonStep, 1),
                         .text = g_string_new (NULL),
                         .explanation = g_string_new (NULL),
                         .answers = g_ptr_array_new (),
                         .hints = g_ptr_array_new (),
                         .line = self->at };
  self->draft.step->title = g_strstrip (g_strdup (title));
  g_ptr_array_add (self->lesson->steps, self->draft.step);
}

static void
inherit (char **code, const char *original)
{
  if (*code == NULL)
    *code = g_strdup (original);
}

/* A translation has the code of its original where it has none of its own. */
static gboolean
complete (Reader *self, GobanLessonStep *step, guint line, GError **error)
{
  guint i = self->lesson->steps->len - 1;
  const GobanLessonStep *from;

  if (self->original == NULL)
    return TRUE;
  if (i >= self->original->steps->len)
    return refuse (self, line, error, "the original has no such step");
  from = self->original->steps->pdata[i];
  if (g_strv_length (step->answers) != g_strv_length (from->answers) || step->right != from->right)
    return refuse (self, line, error, "the answers are not those of the original");
  if (g_strcmp0 (step->point, from->point) != 0)
    return refuse (self, line, error, "the step does not point where the original does");
  inherit (&step->setup, from->setup);
  inherit (&step->show, from->show);
  inherit (&step->check, from->check);
  inherit (&step->solution, from->solution);
  inherit (&step->rivals, from->rivals);
  return TRUE;
}

/* Moves the gathered text into the step. */
static gboolean
end_step (Reader *self, GError **error)
{
  GobanLessonStep *step = self->draft.step;
  guint n_answers, line = self->draft.line;

  if (step == NULL)
    return TRUE;
  n_answers = self->draft.answers->len;
  step->text = g_strstrip (g_string_free (self->draft.text, FALSE));
  step->explanation = g_strstrip (g_string_free (self->draft.explanation, FALSE));
  step->answers = take_strings (self->draft.answers);
  step->hints = take_strings (self->draft.hints);
  self->draft.step = NULL;
  if (!complete (self, step, line, error))
    return FALSE;
  self->lesson->is_contest |= step->rivals != NULL;
  if (n_answers > 0 && (n_answers < 2 || self->draft.n_right != 1))
    return refuse (self, line, error,
                   "a question has two answers at least, and an x in the brackets of one");
  if ((step->check != NULL) != (step->solution != NULL))
    return refuse (self, line, error,
                   "a task has both: code to check it, and a solution that meets the check");
  return TRUE;
}

/* --- lines ----------------------------------------------------------------------------------- */

static char **
find_code (GobanLessonStep *step, const char *kind)
{
  const struct
  {
    const char *kind;
    char **code;
  } codes[] = { { "setup", &step->setup },
                { "show", &step->show },
                { "check", &step->check },
                { "solution", &step->solution },
                { "rivals", &step->rivals } };

  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_str_equal (codes[i].kind, kind))
      return codes[i].code;
  return NULL;
}

/* From the line "```lua check" to "```". */
static gboolean
read_code (Reader *self, GError **error)
{
  const char *head = self->lines[self->at];
  guint first = self->at;
  g_autofree char *kind = NULL;
  g_autoptr (GString) code = g_string_new (NULL);
  char **slot;

  if (!g_str_has_prefix (head, FENCE "lua "))
    return refuse (self, first, error, "code begins with ```lua and what it is for");
  kind = g_strstrip (g_strdup (head + strlen (FENCE "lua ")));
  slot = find_code (self->draft.step, kind);
  if (slot == NULL)
    return refuse (self, first, error, "code is for setup, show, check, solution or rivals");
  if (*slot != NULL)
    return refuse (self, first, error, "there is code of this kind in this step already");
  for (self->at++; self->lines[self->at] != NULL; self->at++)
    {
      if (g_str_has_prefix (self->lines[self->at], FENCE))
        {
          *slot = g_string_free (g_steal_pointer (&code), FALSE);
          return TRUE;
        }
      g_string_append_printf (code, "%s\n", self->lines[self->at]);
    }
  return refuse (self, first, error, "the code does not end: ``` is missing");
}

static void
add_answer (Reader *self, const char *line)
{
  gboolean is_right = line[3] == 'x';

  if (is_right)
    {
      self->draft.step->right = self->draft.answers->len;
      self->draft.n_right++;
    }
  g_ptr_array_add (self->draft.answers, g_strstrip (g_strdup (line + 5)));
}

/* Lines that continue a hint or an answer are indented by two spaces. */
static gboolean
continue_item (Reader *self, const char *line)
{
  GPtrArray *items = NULL;
  const char *before = self->at > 0 ? self->lines[self->at - 1] : "";
  char *joined;

  if (!g_str_has_prefix (line, "  ") || *before == '\0')
    return FALSE;
  for (guint i = self->at; i-- > 0 && items == NULL;)
    if (g_str_has_prefix (self->lines[i], "Hint: "))
      items = self->draft.hints;
    else if (g_str_has_prefix (self->lines[i], "- ["))
      items = self->draft.answers;
    else if (!g_str_has_prefix (self->lines[i], "  "))
      return FALSE;
  if (items == NULL || items->len == 0)
    return FALSE;
  joined = g_strdup_printf ("%s %s", (char *) items->pdata[items->len - 1], line + 2);
  g_free (items->pdata[items->len - 1]);
  items->pdata[items->len - 1] = joined;
  return TRUE;
}

/* "Point: record: Each line is a decision" */
static gboolean
read_point (Reader *self, const char *point, GError **error)
{
  GobanLessonStep *step = self->draft.step;
  g_auto (GStrv) parts = g_strsplit (point, ": ", 2);

  if (step->point != NULL || g_strv_length (parts) != 2)
    return refuse (self, self->at, error, "a step points at one place: “Point: record: its text”");
  step->point = g_steal_pointer (&parts[0]);
  step->callout = g_strstrip (g_steal_pointer (&parts[1]));
  return TRUE;
}

static gboolean
read_line (Reader *self, const char *line, GError **error)
{
  Draft *draft = &self->draft;

  if (g_str_has_prefix (line, FENCE))
    return read_code (self, error);
  if (g_str_has_prefix (line, "Point: "))
    return read_point (self, line + strlen ("Point: "), error);
  if (g_str_has_prefix (line, "- [ ]") || g_str_has_prefix (line, "- [x]"))
    add_answer (self, line);
  else if (g_str_has_prefix (line, "Hint: "))
    g_ptr_array_add (draft->hints, g_strstrip (g_strdup (line + strlen ("Hint: "))));
  else if (*line == '>')
    g_string_append_printf (draft->explanation, "%s ", line[1] == ' ' ? line + 2 : line + 1);
  else if (!continue_item (self, line))
    g_string_append_printf (draft->text, "%s\n", line);
  return TRUE;
}

/* Before the first step: the title, and how long it takes. */
static gboolean
read_head (Reader *self, const char *line, GError **error)
{
  if (g_str_has_prefix (line, "# ") && self->lesson->title == NULL)
    self->lesson->title = g_strstrip (g_strdup (line + 2));
  else if (g_str_has_prefix (line, "Minutes: "))
    self->lesson->minutes = (guint) g_ascii_strtoull (line + strlen ("Minutes: "), NULL, 10);
  else if (*line != '\0')
    return refuse (self, self->at, error,
                   "a lesson begins with “# title”, then “## title” of its first step");
  return TRUE;
}

static gboolean
read_all (Reader *self, GError **error)
{
  for (; self->lines[self->at] != NULL; self->at++)
    {
      char *line = g_strchomp (self->lines[self->at]);
      gboolean is_read;

      if (g_str_has_prefix (line, "## "))
        {
          is_read = end_step (self, error);
          begin_step (self, line + 3);
        }
      else
        is_read = self->draft.step != NULL ? read_line (self, line, error)
                                           : read_head (self, line, error);
      if (!is_read)
        return FALSE;
    }
  if (self->lesson->title == NULL || self->lesson->steps->len == 0)
    return refuse (self, 0, error, "a lesson has a title (# …) and a step at least (## …)");
  return end_step (self, error);
}

static char *
make_name (const char *path)
{
  char *name = g_path_get_basename (path);
  char *dot = strrchr (name, '.');

  if (dot != NULL && dot != name)
    *dot = '\0';
  return name;
}

static GobanLesson *
read_lesson (const char *text, const char *path, const GobanLesson *original, GError **error)
{
  g_autoptr (GobanLesson) lesson = g_new0 (GobanLesson, 1);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  Reader reader = { .path = path, .lines = lines, .lesson = lesson, .original = original };

  g_atomic_ref_count_init (&lesson->ref_count);
  lesson->name = original != NULL ? g_strdup (original->name) : make_name (path);
  lesson->folder = original != NULL ? g_strdup (original->folder) : g_path_get_dirname (path);
  lesson->minutes = original != NULL ? original->minutes : 0;
  lesson->steps = g_ptr_array_new_with_free_func (free_step);
  if (!g_utf8_validate (text, -1, NULL))
    {
      refuse (&reader, 0, error, "the text is not UTF-8");
      return NULL;
    }
  if (!read_all (&reader, error))
    {
      end_step (&reader, NULL); /* frees the gathered text; the first mistake is reported */
      return NULL;
    }
  if (original != NULL && lesson->steps->len != original->steps->len)
    {
      refuse (&reader, 0, error, "the original has more steps");
      return NULL;
    }
  return g_steal_pointer (&lesson);
}

GobanLesson *
goban_lesson_new_from_text (const char *text, const char *path, GError **error)
{
  return read_lesson (text, path, NULL, error);
}

GobanLesson *
goban_lesson_new_translation (const char *text, const char *path, const GobanLesson *original,
                              GError **error)
{
  return read_lesson (text, path, original, error);
}

/* The file of @path's name in the folder of the user's language. (transfer full) (nullable) */
static char *
find_translation (const char *path)
{
  const char *language = goban_language_get ();
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *translated = g_build_filename (folder, language, name, NULL);

  return g_file_test (translated, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&translated) : NULL;
}

GobanLesson *
goban_lesson_load (const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_TEXT, error);
  g_autoptr (GobanLesson) lesson
      = bytes != NULL ? goban_lesson_new_from_text (g_bytes_get_data (bytes, NULL), path, error)
                      : NULL;
  g_autofree char *translated = lesson != NULL ? find_translation (path) : NULL;
  g_autoptr (GBytes) other = NULL;

  if (translated == NULL)
    return g_steal_pointer (&lesson);
  other = goban_file_read (translated, GOBAN_FILE_TEXT, error);
  return other != NULL ? goban_lesson_new_translation (g_bytes_get_data (other, NULL), translated,
                                                       lesson, error)
                       : NULL;
}

/* --- accessors ------------------------------------------------------------------------------- */

const GobanLessonStep *
goban_lesson_get_step (const GobanLesson *self, guint step)
{
  g_return_val_if_fail (step < self->steps->len, NULL);

  return self->steps->pdata[step];
}

gboolean
goban_lesson_step_has_work (const GobanLessonStep *step)
{
  return step->check != NULL || step->answers[0] != NULL || step->rivals != NULL;
}

gboolean
goban_lesson_parse_link (const GobanLesson *self, const char *code, guint *step)
{
  guint64 number;

  if (code[0] != '#'
      || !g_ascii_string_to_unsigned (code + 1, 10, 1, self->steps->len, &number, NULL))
    return FALSE;
  *step = (guint) number - 1;
  return TRUE;
}

/* The text up to @end, escaped. */
static void
append_escaped (GString *markup, const char *text, const char *end)
{
  g_autofree char *escaped = g_markup_escape_text (text, end - text);

  g_string_append (markup, escaped);
}

/* The target of a link to a term, which is the text if no other is given, and its definition, which
 * is shown on hover. */
static void
append_term (GString *markup, const char *text, const char *close, const char *end)
{
  const char *target = close + 2 + strlen (TERM);
  g_autofree char *term = target < end ? g_strndup (target, (gsize) (end - target))
                                       : g_strndup (text, (gsize) (close - text));
  const GobanGlossaryEntry *entry = goban_glossary_find (term);

  g_string_append (markup, TERM);
  append_escaped (markup, term, term + strlen (term));
  if (entry == NULL)
    return;
  g_string_append (markup, "\" title=\"");
  append_escaped (markup, entry->definition, entry->definition + strlen (entry->definition));
}

/* "[text](target)" at @p: appends a link and returns its end; NULL if it is none. */
static const char *
append_link (GString *markup, const char *p)
{
  const char *close = strstr (p, "](");
  const char *end = close;
  guint depth = 1;

  if (close == NULL || memchr (p, '\n', (gsize) (close - p)) != NULL)
    return NULL;
  for (end = close + 2; *end != '\0' && depth > 0; end++)
    depth += *end == '(' ? 1u : *end == ')' ? -1u : 0u;
  if (depth > 0)
    return NULL;
  g_string_append (markup, "<a href=\"");
  if (g_str_has_prefix (close + 2, TERM))
    append_term (markup, p + 1, close, end - 1);
  else
    append_escaped (markup, close + 2, end - 1);
  g_string_append (markup, "\">");
  append_escaped (markup, p + 1, close);
  g_string_append (markup, "</a>");
  return end;
}

/* Marks around words, and the tag of Pango that they become. */
static const struct
{
  const char *open;
  const char *close;
  const char *tag;
} marks[] = {
  { "**", "**", "b" },
  { "`", "`", "tt" },
  { GOBAN_LESSON_KEY, GOBAN_LESSON_KEY_END, "b" },
  { GOBAN_LESSON_LABEL, GOBAN_LESSON_LABEL_END, "b" },
};

/* The text between two marks, in their tag; NULL if @p does not begin with one. */
static const char *
append_marked (GString *markup, const char *p)
{
  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    {
      gsize n = strlen (marks[i].open);
      const char *end = g_str_has_prefix (p, marks[i].open) ? strstr (p + n, marks[i].close) : NULL;

      if (end == NULL || end == p + n)
        continue;
      g_string_append_printf (markup, "<%s>", marks[i].tag);
      append_escaped (markup, p + n, end);
      g_string_append_printf (markup, "</%s>", marks[i].tag);
      return end + strlen (marks[i].close);
    }
  return NULL;
}

char *
goban_lesson_dup_markup (const char *paragraph)
{
  GString *markup = g_string_new (NULL);

  for (const char *p = paragraph; *p != '\0';)
    {
      const char *next = *p == '[' ? append_link (markup, p) : NULL;

      if (next == NULL)
        next = append_marked (markup, p);
      if (next == NULL)
        {
          next = g_utf8_next_char (p);
          if (*p == '\n')
            g_string_append_c (markup, ' '); /* lines of a paragraph are one */
          else
            append_escaped (markup, p, next);
        }
      p = next;
    }
  return g_string_free (markup, FALSE);
}
