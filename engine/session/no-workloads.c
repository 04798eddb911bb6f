/* no-workloads.c: what engine/workloads says while it holds no families: that there are none.
 *
 * Weak symbols, so that the families take their place by being linked; then this file goes.
 */
#include "engine/base/error.h"
#include "engine/workloads/workload.h"

__attribute__ ((weak)) const GobanFamily *const *
goban_families (gsize *n)
{
  *n = 0;
  return NULL;
}

__attribute__ ((weak)) const GobanKnob *
goban_family_common_knobs (gsize *n)
{
  *n = 0;
  return NULL;
}

__attribute__ ((weak)) gboolean
goban_workload_is_spec (const char *text)
{
  return FALSE;
}

__attribute__ ((weak)) GobanGraph *
goban_workload_generate (const char *spec, GError **error)
{
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED, "%s: there are no families of graphs",
               spec);
  return NULL;
}
