/* Trainings, and what a crash has left behind. */
#include "engine/core/bytes.h"
#include "engine/learn/rl/builder/builder-training.h"
#include "engine/session/document/autosave.h"
#include "engine/session/document/session-file.h"
#include "tests/fuzz/targets.h"
#include "tests/support/folder.h"

#include <string.h>

/* --- trainings ------------------------------------------------------------------------------ */

/* A run that was read goes into a file that says the same. */
static void
check_run (GobanBuilderTraining *run)
{
  g_autoptr (GByteArray) bytes = goban_learning_run_write (&run->base);
  g_autoptr (GByteArray) bytes_again = NULL;
  g_autoptr (GobanBuilderTraining) again = NULL;
  g_autoptr (GError) error = NULL;

  again = goban_learning_run_read (&goban_builder_training_kind, bytes->data, bytes->len,
                                   FUZZ_ORIGIN, &error);
  if (again == NULL)
    fuzz_fail (error->message, "");
  bytes_again = goban_learning_run_write (&again->base);
  FUZZ_CHECK (bytes->len == bytes_again->len
              && memcmp (bytes->data, bytes_again->data, bytes->len) == 0);
}

static void
read_run (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanBuilderTraining) run = NULL;

  run = goban_learning_run_read (&goban_builder_training_kind, data, size, FUZZ_ORIGIN, &error);
  fuzz_check_outcome (run != NULL, error, FUZZ_ORIGIN);
  if (run != NULL)
    check_run (run);
}

/* Seals the bytes again. The network's checkpoint behind the state has a seal of its own, which
 * stays: fuzz_params() repairs that one. */
void
fuzz_run (const char *data, gsize size)
{
  g_autoptr (GByteArray) repaired = g_byte_array_new ();

  read_run ((const guint8 *) data, size);
  if (size < GOBAN_SEAL_SIZE)
    return;
  g_byte_array_append (repaired, (const guint8 *) data, (guint) (size - GOBAN_SEAL_SIZE));
  goban_bytes_seal (repaired);
  read_run (repaired->data, repaired->len);
}

/* --- recovery ------------------------------------------------------------------------------- */

/* Whatever lies in the folder is offered with words for people, to one, and stays where it is. */
void
fuzz_recovery (const char *data, gsize size)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-fuzz-XXXXXX", NULL); /* checked below */
  g_autofree char *name = g_strconcat ("a", GOBAN_SESSION_SUFFIX, NULL);
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (GPtrArray) twice = NULL;
  gsize text_size;

  FUZZ_CHECK (folder != NULL);
  path = g_build_filename (folder, name, NULL);
  FUZZ_CHECK (g_file_set_contents_full (path, data != NULL ? data : "", (gssize) size,
                                        G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  found = goban_recovery_find (folder);
  FUZZ_CHECK (found->len <= 1);
  if (found->len == 1)
    {
      const char *words = goban_recovery_get_text (found->pdata[0]);

      FUZZ_CHECK (words != NULL && *words != '\0' && g_utf8_validate (words, -1, NULL));
      FUZZ_CHECK (strcmp (goban_recovery_get_path (found->pdata[0]), path) == 0);
      twice = goban_recovery_find (folder);
      FUZZ_CHECK (twice->len == 0);
    }
  FUZZ_CHECK (g_file_get_contents (path, &text, &text_size, NULL));
  FUZZ_CHECK (text_size == size && (size == 0 || memcmp (text, data, size) == 0));
  g_clear_pointer (&found, g_ptr_array_unref);
  remove_folder (folder);
}
