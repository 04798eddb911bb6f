/* demonstration.h: the first step of the start page: opens a sample, places it with a trained policy,
 * and shows the first of its decisions.
 */
#pragma once

#include "ui/documents/opening.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_DEMONSTRATION (goban_demonstration_get_type ())
G_DECLARE_FINAL_TYPE (GobanDemonstration, goban_demonstration, GOBAN, DEMONSTRATION, GObject)

GobanDemonstration *goban_demonstration_new (const GobanSite *site,
                                             GobanOpening *opening) G_GNUC_WARN_UNUSED_RESULT;

/* The folder of the samples; (nullable): there are none, and nothing to watch. */
void goban_demonstration_set_samples (GobanDemonstration *self, const char *folder);

G_END_DECLS
