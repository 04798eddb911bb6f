#include "ui/documents/long-texts.h"

#include "engine/core/file.h"
#include "engine/core/i18n.h"
#include "engine/session/session-log.h"

#include <string.h>

struct _GobanLongTexts
{
  GObject parent;

  GobanSite site;
  GobanFileChooser *chooser;
  char *text; /* to be saved */
};

G_DEFINE_FINAL_TYPE (GobanLongTexts, goban_long_texts, G_TYPE_OBJECT)

static void
chosen_cb (gpointer data, GFile *file)
{
  GobanLongTexts *self = data;
  g_autofree char *text = g_steal_pointer (&self->text);
  g_autofree char *path = g_file_get_path (file);
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    goban_session_say (self->site.session, TRUE, "%s", _ ("Choose a folder of this machine"));
  else if (goban_file_write (path, text, strlen (text), &error))
    goban_session_say (self->site.session, FALSE, _ ("Saved %s"), name);
  else
    goban_session_say (self->site.session, TRUE, "%s", error->message);
}

static void
save_cb (GobanLongTexts *self, const char *text)
{
  g_free (self->text);
  self->text = g_strdup (text);
  goban_file_chooser_save (self->chooser,
                           &(GobanFileTarget){ .title = _ ("Save the text"), .suffix = ".txt" },
                           chosen_cb, self);
}

static void
goban_long_texts_finalize (GObject *object)
{
  GobanLongTexts *self = GOBAN_LONG_TEXTS (object);

  g_free (self->text);
  G_OBJECT_CLASS (goban_long_texts_parent_class)->finalize (object);
}

static void
goban_long_texts_class_init (GobanLongTextsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = goban_long_texts_finalize;
}

static void
goban_long_texts_init (GobanLongTexts *self)
{
}

GobanLongTexts *
goban_long_texts_new (const GobanSite *site, GobanFileChooser *chooser, GobanNotesView *notes)
{
  GobanLongTexts *self = g_object_new (GOBAN_TYPE_LONG_TEXTS, NULL);

  self->site = *site;
  self->chooser = chooser;
  g_signal_connect_object (site->notice, "save", G_CALLBACK (save_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (notes, "save", G_CALLBACK (save_cb), self, G_CONNECT_SWAPPED);
  return self;
}
