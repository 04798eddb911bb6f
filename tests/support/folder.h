/* folder.h: a folder of a test's own, and its end. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Removes a folder and all that is in it; what cannot be removed fails the test. */
void remove_folder (const char *path);

G_END_DECLS
