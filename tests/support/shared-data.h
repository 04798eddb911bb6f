/* shared-data.h: real public graphs beside the project, for the tests that use them.
 *
 * They lie in ../shared/data as seen from the project's root. A test that cannot find its
 * file is reported as skipped, with the reason.
 */
#pragma once

#include <glib.h>

/* The path of a file of ../shared/data, (transfer full); NULL, with the test marked as skipped. */
char *shared_data_path (const char *name) G_GNUC_WARN_UNUSED_RESULT;

/* The path of a file of the project itself, (transfer full). */
char *project_path (const char *name) G_GNUC_WARN_UNUSED_RESULT;
