/* Lessons: reading, mistakes by line, markup, and the state of an open one. tests/lua/lessons.lua
 * takes every lesson of the program. */
#include "tests/support/shared-data.h"

#include "engine/core/error.h"
#include "engine/session/teaching/lesson-state.h"
#include "engine/session/teaching/lesson.h"
#include "tests/support/test-program.h"

#include <string.h>

static const char text[] = "# A title\n"
                           "Minutes: 4\n"
                           "\n"
                           "## First\n"
                           "Some text\n"
                           "over two lines.\n"
                           "\n"
                           "A **second** paragraph.\n"
                           "\n"
                           "- [ ] wrong\n"
                           "- [x] right,\n"
                           "  and longer\n"
                           "\n"
                           "> Because it\n"
                           "> is.\n"
                           "\n"
                           "## Second\n"
                           "Do it.\n"
                           "\n"
                           "Hint: one\n"
                           "Hint: two\n"
                           "\n"
                           "```lua check\n"
                           "x == 1\n"
                           "```\n"
                           "\n"
                           "```lua solution\n"
                           "x = 1\n"
                           "y = 2\n"
                           "```\n";

static void
test_reads (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanLesson) lesson = goban_lesson_new_from_text (text, "a/02-name.md", &error);
  const GobanLessonStep *first, *second;
  guint step = 7;

  g_assert_no_error (error);
  g_assert_cmpstr (lesson->name, ==, "02-name");
  g_assert_cmpstr (lesson->title, ==, "A title");
  g_assert_cmpuint (lesson->minutes, ==, 4);
  g_assert_cmpuint (lesson->steps->len, ==, 2);
  first = goban_lesson_get_step (lesson, 0);
  second = goban_lesson_get_step (lesson, 1);
  g_assert_cmpstr (first->text, ==, "Some text\nover two lines.\n\nA **second** paragraph.");
  g_assert_cmpuint (g_strv_length (first->answers), ==, 2);
  g_assert_cmpstr (first->answers[1], ==, "right, and longer");
  g_assert_cmpuint (first->right, ==, 1);
  g_assert_cmpstr (first->explanation, ==, "Because it is.");
  g_assert_null (first->check);
  g_assert_cmpuint (g_strv_length (second->hints), ==, 2);
  g_assert_cmpstr (second->check, ==, "x == 1\n");
  g_assert_cmpstr (second->solution, ==, "x = 1\ny = 2\n");
  g_assert_true (goban_lesson_step_has_work (first) && goban_lesson_step_has_work (second));
  g_assert_true (goban_lesson_parse_link (lesson, "#2", &step) && step == 1);
  g_assert_false (goban_lesson_parse_link (lesson, "#3", &step));
}

static void
check_refused (const char *lines, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_lesson_new_from_text (lines, "a.md", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
  if (strstr (error->message, message) == NULL)
    g_error ("“%s” is not like “%s”", error->message, message);
}

static void
test_refuses (void)
{
  check_refused ("", "a.md:1: a lesson has a title");
  check_refused ("# a\n", "a.md:1: a lesson has a title (# …) and a step");
  check_refused ("# a\nwords\n", "a.md:2: a lesson begins with");
  check_refused ("# a\n## b\n```lua run\n```\n", "a.md:3: code is for setup");
  check_refused ("# a\n## b\n```\n```\n", "a.md:3: code begins with ```lua");
  check_refused ("# a\n## b\n```lua setup\nx\n", "a.md:3: the code does not end");
  check_refused ("# a\n## b\n```lua setup\n```\n```lua setup\n```\n", "a.md:5: there is code");
  check_refused ("# a\n## b\n- [ ] c\n- [ ] d\n", "a.md:2: a question has two answers");
  check_refused ("# a\n## b\n- [x] c\n- [x] d\n## e\n", "a.md:2: a question has two answers");
  check_refused ("# a\n## b\n```lua check\nx\n```\n", "a.md:2: a task has both");
  check_refused ("# a\n## \xff\n", "UTF-8");
}

static void
test_markup (void)
{
  g_autofree char *plain
      = goban_lesson_dup_markup ("a < b\nand **c & d**, `e`, [f](g \"<\" (1)) [h");
  g_autofree char *term = goban_lesson_dup_markup ("[Makespans](term:), [it](term:makespan)");

  g_assert_cmpstr (
      plain, ==,
      "a &lt; b and <b>c &amp; d</b>, <tt>e</tt>, <a href=\"g &quot;&lt;&quot; (1)\">f</a> "
      "[h");
  g_assert_nonnull (strstr (term, "<a href=\"term:Makespans\" title=\""));
  g_assert_nonnull (strstr (term, "<a href=\"term:makespan\" title=\""));
}

/* Every link to a term is explained, and every lesson can be read. */
static void
test_own (void)
{
  g_autoptr (GPtrArray) troubles = NULL;
  g_autoptr (GPtrArray) lessons = goban_lesson_list_load (&troubles);
  guint n_contests = 0;

  for (guint i = 0; i < troubles->len; i++)
    g_error ("%s", (char *) troubles->pdata[i]);
  g_assert_cmpuint (lessons->len, >=, 10);
  for (guint i = 0; i < lessons->len; i++)
    {
      const GobanLesson *lesson = lessons->pdata[i];

      n_contests += lesson->is_contest;
      for (guint s = 0; s < lesson->steps->len; s++)
        {
          const GobanLessonStep *step = goban_lesson_get_step (lesson, s);
          g_autofree char *all = g_strconcat (step->text, " ", step->explanation, NULL);
          g_autofree char *markup = goban_lesson_dup_markup (all);

          for (const char *p = markup; (p = strstr (p, "\"term:")) != NULL; p++)
            if (!g_str_has_prefix (strchr (p + 1, '"'), "\" title="))
              g_error ("%s, step %u: the glossary lacks %s", lesson->name, s + 1, p);
        }
    }
  g_assert_cmpuint (n_contests, ==, 2);
}

static void
test_state (void)
{
  g_autoptr (GObject) owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GobanLesson) lesson = goban_lesson_new_from_text (text, "a.md", NULL); /* as above */
  GobanLessonState *state = goban_lesson_state_of (owner);

  g_assert_null (goban_lesson_state_get_lesson (state));
  goban_lesson_state_open (state, lesson, 0);
  g_assert_false (goban_lesson_state_is_done (state, 0));
  goban_lesson_state_answer (state, 0);
  g_assert_false (goban_lesson_state_is_done (state, 0));
  goban_lesson_state_answer (state, 1);
  g_assert_true (goban_lesson_state_is_done (state, 0));
  goban_lesson_state_open (state, lesson, 1);
  for (guint i = 0; i < 5; i++)
    goban_lesson_state_show_hint (state);
  g_assert_cmpuint (goban_lesson_state_get_done (state)->n_hints, ==, 2);
  goban_lesson_state_judge (state, GOBAN_VERDICT_NOT_YET, "why");
  g_assert_cmpstr (goban_lesson_state_get_done (state)->message, ==, "why");
  g_assert_false (goban_lesson_state_is_done (state, 1));
  goban_lesson_state_judge (state, GOBAN_VERDICT_DONE, NULL);
  g_assert_true (goban_lesson_state_is_done (state, 1) && goban_lesson_state_is_done (state, 0));
  goban_lesson_state_clear (state);
  g_assert_false (goban_lesson_state_is_done (state, 1));
  goban_lesson_state_open (state, NULL, 0);
}

/* --- translations ----------------------------------------------------------------------------- */

/* What a text says to do: targets of links but those to terms, keys by their English names, what is
 * typed, lines of code with a call, and "label" for a label, which has the window's language. */
static char *
list_deeds (const char *markdown)
{
  static const char *const names[][2] = { { "Strg+", "Ctrl+" },
                                          { "Umschalt+", "Shift+" },
                                          { "Eingabe", "Enter" },
                                          { "verschmelzen", "fuse" } };
  g_autoptr (GRegex) marks = g_regex_new (
      "\\]\\((?!term:)((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*)\\)|<kbd>(.*?)</kbd>|<(label)>"
      "|`([^`]*)`",
      G_REGEX_DOTALL, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  GString *deeds = g_string_new (NULL);

  for (g_regex_match (marks, markdown, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL))
    for (int i = 1; i < g_match_info_get_match_count (match); i++)
      {
        g_autofree char *deed = g_match_info_fetch (match, i);

        /* `gpu:0` is a word. */
        if (*deed != '\0' && (i < 4 || strchr (deed, '(') != NULL))
          g_string_append_printf (deeds, "%s\n", deed);
      }
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_string_replace (deeds, names[i][0], names[i][1], 0);
  return g_string_free (deeds, FALSE);
}

static void
compare_texts (const char *where, const char *original, const char *translated)
{
  g_autofree char *a = list_deeds (original);
  g_autofree char *b = list_deeds (translated);

  if (!g_str_equal (a, b))
    g_error ("%s says to do\n%s where the original says\n%s", where, b, a);
}

/* Every lesson is translated: the same steps, links, keys, hints and code. */
static void
test_translations (void)
{
  g_autofree char *folder = project_path ("data/lessons");
  g_autofree char *german = g_build_filename (folder, "de", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *other = g_build_filename (german, name, NULL);
      g_autofree char *german_text = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanLesson) original = NULL;
      g_autoptr (GobanLesson) translation = NULL;

      if (!g_str_has_suffix (name, ".md"))
        continue;
      n++;
      original = goban_lesson_load (path, &error);
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (other, &german_text, NULL, NULL));
      translation = goban_lesson_new_translation (german_text, other, original, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (translation->name, ==, original->name);
      g_assert_cmpstr (translation->folder, ==, original->folder);
      g_assert_cmpuint (translation->minutes, ==, original->minutes);
      for (guint i = 0; i < original->steps->len; i++)
        {
          const GobanLessonStep *a = original->steps->pdata[i], *b = translation->steps->pdata[i];

          compare_texts (other, a->text, b->text);
          g_assert_cmpuint (g_strv_length (a->hints), ==, g_strv_length (b->hints));
          for (guint h = 0; a->hints[h] != NULL; h++)
            compare_texts (other, a->hints[h], b->hints[h]);
          g_assert_cmpstr (a->setup, ==, b->setup);
          g_assert_cmpstr (a->solution, ==, b->solution);
          g_assert_true ((*a->explanation == '\0') == (*b->explanation == '\0'));
        }
    }
  g_assert_cmpuint (n, >, 10);
}

static void
test_translation_that_differs (void)
{
  static const char *const original
      = "# A\n## One\nText.\n- [ ] a\n- [x] b\n```lua show\nx = 1\n```\n";
  static const struct
  {
    const char *text;
    const char *message; /* or NULL */
  } rows[] = {
    { "# B\n## Eins\nText.\n- [ ] a\n- [x] b\n", NULL },
    { "# B\n## Eins\nText.\n- [x] a\n- [ ] b\n", "answers" },
    { "# B\n## Eins\nText.\n- [ ] a\n- [x] b\n## Zwei\nText.\n", "no such step" },
  };
  g_autoptr (GobanLesson) lesson = goban_lesson_new_from_text (original, "/l/a.md", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanLesson) other
          = goban_lesson_new_translation (rows[i].text, "/l/de/a.md", lesson, &error);

      g_assert_true ((other != NULL) == (rows[i].message == NULL));
      if (other != NULL)
        g_assert_cmpstr (goban_lesson_get_step (other, 0)->show, ==, "x = 1\n");
      else
        g_assert_nonnull (strstr (error->message, rows[i].message));
    }
}

TEST_PROGRAM (lesson)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson/reads", test_reads);
  g_test_add_func ("/lesson/refuses", test_refuses);
  g_test_add_func ("/lesson/markup", test_markup);
  g_test_add_func ("/lesson/own", test_own);
  g_test_add_func ("/lesson/state", test_state);
  g_test_add_func ("/lesson/translations", test_translations);
  g_test_add_func ("/lesson/translation-that-differs", test_translation_that_differs);
  return g_test_run ();
}
