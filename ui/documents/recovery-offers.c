#include "ui/documents/recovery-offers.h"

#include "engine/core/i18n.h"
#include "engine/session/document/autosave.h"

/* Writing begins so long after a change that a crash takes less than a second. */
#define AUTOSAVE_MS 700
/* Each holds a file open. Those before are offered by the next start. */
#define MAX_OFFERED 32

#define KEY_RECOVERY "recovery"

struct _GobanRecoveryOffers
{
  GObject parent;

  GobanSite site;
  GobanDocument *document;
  GobanFiles *files;
  GobanHeader *header;
  GobanAutosave *autosave; /* (nullable): a window that remembers nothing writes nothing down */
  GPtrArray *recoveries;   /* GobanRecovery, asked about one after the other */
  gboolean is_restoring;   /* the first of them */
};

G_DEFINE_FINAL_TYPE (GobanRecoveryOffers, goban_recovery_offers, G_TYPE_OBJECT)

static void ask_recovery (GobanRecoveryOffers *self);

static void
recovered_cb (gboolean is_open, gpointer user_data)
{
  GobanRecoveryOffers *self = user_data;
  GobanRecovery *recovery = self->recoveries->pdata[0];

  self->is_restoring = FALSE;
  /* A file that cannot be opened stays for the next time; its error has been shown. */
  g_ptr_array_steal_index (self->recoveries, 0);
  if (is_open && self->autosave != NULL)
    goban_autosave_adopt (self->autosave, recovery);
  else
    goban_recovery_free (recovery);
  if (is_open)
    goban_header_update (self->header);
  ask_recovery (self);
}

static void
restore (gpointer data)
{
  GobanRecoveryOffers *self = data;

  goban_notice_bar_withdraw (self->site.notice, KEY_RECOVERY);
  if (self->is_restoring || self->recoveries == NULL || self->recoveries->len == 0)
    return;
  self->is_restoring = TRUE;
  goban_document_recover (self->document, goban_recovery_get_path (self->recoveries->pdata[0]),
                          recovered_cb, self);
}

static void
recovery_answer_cb (int choice, gpointer user_data)
{
  GobanRecoveryOffers *self = user_data;

  if (choice == 0)
    {
      /* The open session may be unsaved too; the user is asked again before it is replaced. */
      ask_recovery (self);
      goban_files_replace (self->files, &(GobanReplacement){ NULL, restore, self, NULL });
      return;
    }
  for (guint i = 0; i < self->recoveries->len && (choice == 1 ? i == 0 : choice == 2); i++)
    goban_recovery_discard (self->recoveries->pdata[i]);
  g_ptr_array_remove_range (self->recoveries, 0, choice == 2 ? self->recoveries->len : 1);
  ask_recovery (self);
}

static void
ask_recovery (GobanRecoveryOffers *self)
{
  GPtrArray *recoveries = self->recoveries;
  gboolean has_many = recoveries->len > 1;
  const char *const labels[]
      = { _ ("Restore"), _ ("Discard"), has_many ? _ ("Discard all") : NULL, NULL };

  if (recoveries->len == 0 || self->is_restoring)
    return;
  goban_notice_bar_ask (self->site.notice,
                        &(GobanQuestion){ .key = KEY_RECOVERY,
                                          .text = goban_recovery_get_text (recoveries->pdata[0]),
                                          .labels = labels,
                                          .func = recovery_answer_cb,
                                          .user_data = self });
}

static gpointer
find_worker (const GobanProgress *progress, gpointer data, GError **error)
{
  return goban_recovery_find (data);
}

static void
found_cb (GobanJob *job, GobanRecoveryOffers *self)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *found = goban_job_steal_result (job, &error);

  if (found == NULL)
    return;
  g_ptr_array_extend_and_steal (self->recoveries, found);
  ask_recovery (self);
}

/* A script opened something else, or a command whose question was about less than was there in the
 * end. */
static void
replaced_cb (GobanRecovery *recovery, gpointer user_data)
{
  GobanRecoveryOffers *self = user_data;

  g_ptr_array_add (self->recoveries, recovery);
  if (self->recoveries->len > MAX_OFFERED)
    g_ptr_array_remove_index (self->recoveries, self->is_restoring ? 1 : 0);
  ask_recovery (self);
}

void
goban_recovery_offers_look (GobanRecoveryOffers *self)
{
  g_autoptr (GobanJob) job = NULL;

  g_return_if_fail (GOBAN_IS_RECOVERY_OFFERS (self));

  job = goban_job_start ("Looking for what was not saved", find_worker, goban_recovery_folder (),
                         g_free, (GDestroyNotify) g_ptr_array_unref);
  g_signal_connect_object (job, "done", G_CALLBACK (found_cb), self, 0);
}

void
goban_recovery_offers_update (GobanRecoveryOffers *self)
{
  if (self->autosave != NULL)
    goban_autosave_set_enabled (
        self->autosave, goban_settings_get_boolean (self->site.settings, GOBAN_SETTING_AUTOSAVE));
}

void
goban_recovery_offers_close (GobanRecoveryOffers *self)
{
  goban_document_finish (self->document);
  if (self->autosave != NULL)
    goban_autosave_close (self->autosave);
}

static void
start_autosave (GobanRecoveryOffers *self)
{
  g_autofree char *folder = goban_recovery_folder ();

  self->autosave = goban_autosave_new (self->document, folder, AUTOSAVE_MS);
  goban_autosave_set_replaced_func (self->autosave, replaced_cb, self);
  goban_recovery_offers_update (self);
}

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_recovery_offers_dispose (GObject *object)
{
  GobanRecoveryOffers *self = GOBAN_RECOVERY_OFFERS (object);

  if (self->autosave != NULL)
    goban_autosave_close (self->autosave);
  g_clear_pointer (&self->autosave, goban_autosave_free);
  g_clear_pointer (&self->recoveries, g_ptr_array_unref);

  G_OBJECT_CLASS (goban_recovery_offers_parent_class)->dispose (object);
}

static void
goban_recovery_offers_class_init (GobanRecoveryOffersClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_recovery_offers_dispose;
}

static void
goban_recovery_offers_init (GobanRecoveryOffers *self)
{
}

GobanRecoveryOffers *
goban_recovery_offers_new (const GobanSite *site, GobanFiles *files, GobanHeader *header)
{
  GobanRecoveryOffers *self = g_object_new (GOBAN_TYPE_RECOVERY_OFFERS, NULL);

  self->site = *site;
  self->document = goban_document_get (site->session);
  self->files = files;
  self->header = header;
  self->recoveries = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_recovery_free);
  if (site->settings != NULL)
    start_autosave (self);
  return self;
}
