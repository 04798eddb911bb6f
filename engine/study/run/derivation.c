#include "engine/study/run/derivation.h"

static G_DEFINE_QUARK (goban_run_derivation, derivation)

    static void derivation_free (gpointer data)
{
  GobanDerivation *derivation = data;

  g_free (derivation->name);
  g_free (derivation->code);
  g_free (derivation);
}

void
goban_run_set_derivation (GobanRun *run, const char *name, const char *code)
{
  GobanDerivation *derivation;

  g_return_if_fail (run != NULL && name != NULL && code != NULL);

  derivation = g_new (GobanDerivation, 1);
  derivation->name = g_strdup (name);
  derivation->code = g_strdup (code);
  goban_run_keep_derived (run, derivation_quark (), derivation, derivation_free);
}

const GobanDerivation *
goban_run_get_derivation (GobanRun *run)
{
  g_return_val_if_fail (run != NULL, NULL);

  return goban_run_get_derived (run, derivation_quark ());
}
