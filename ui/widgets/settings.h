/* settings.h: settings of the program that persist between runs.
 *
 * GSettings if the schema is installed or lies beside the program, else plain values that live as
 * long as the program. Main thread only.
 */
#pragma once

#include <gio/gio.h>

typedef struct _GobanSettings GobanSettings;

#define GOBAN_SETTING_WIDTH "window-width"
#define GOBAN_SETTING_HEIGHT "window-height"
#define GOBAN_SETTING_MAXIMIZED "window-maximized"
#define GOBAN_SETTING_LAYOUT_EXPLORE "layout-explore"
#define GOBAN_SETTING_LAYOUT_DECISIONS "layout-decisions"
#define GOBAN_SETTING_LAYOUT_COMPARE "layout-compare"
#define GOBAN_SETTING_LAYOUT_TRAIN "layout-train"
#define GOBAN_SETTING_LAYOUT_SCRIPT "layout-script"
#define GOBAN_SETTING_TIMELINE_ROWS "timeline-rows"
#define GOBAN_SETTING_DARK "dark"
#define GOBAN_SETTING_CLUSTER "cluster"
#define GOBAN_SETTING_AUTOSAVE "autosave"
#define GOBAN_SETTING_RECENT_LIMIT "recent-limit"
#define GOBAN_SETTING_FOLLOW_SYSTEM "follow-system"
#define GOBAN_SETTING_CONSOLE_FONT "console-font-size"
#define GOBAN_SETTING_EXPORT_FORMAT "export-format"
#define GOBAN_SETTING_EXPORT_SEEN "export-seen"
#define GOBAN_SETTING_EXPORT_DARK "export-dark"
#define GOBAN_SETTING_EXPORT_TRANSPARENT "export-transparent"
#define GOBAN_SETTING_EXPORT_HISTOGRAM "export-histogram"
#define GOBAN_SETTING_EXPORT_PERCENT "export-percent"
#define GOBAN_SETTING_EXPORT_WIDTH "export-width"
#define GOBAN_SETTING_EXPORT_HEIGHT "export-height"

/* @schema_dir (nullable): folder of a compiled schema that is not installed. */
GobanSettings *goban_settings_new (const char *schema_dir) G_GNUC_WARN_UNUSED_RESULT;
void goban_settings_free (GobanSettings *self);

/* TRUE if the values are saved when the program exits. */
gboolean goban_settings_is_persistent (GobanSettings *self);

int goban_settings_get_int (GobanSettings *self, const char *key);
gboolean goban_settings_get_boolean (GobanSettings *self, const char *key);
char *goban_settings_dup_string (GobanSettings *self, const char *key) G_GNUC_WARN_UNUSED_RESULT;

/* The layout of a workspace, "a{si}"; that of Explore has what older versions stored for the whole
 * window. (transfer full) */
GVariant *goban_settings_dup_layout (GobanSettings *self,
                                     const char *key) G_GNUC_WARN_UNUSED_RESULT;
void goban_settings_set_layout (GobanSettings *self, const char *key, GVariant *layout);

void goban_settings_set_int (GobanSettings *self, const char *key, int value);
void goban_settings_set_boolean (GobanSettings *self, const char *key, gboolean value);
void goban_settings_set_string (GobanSettings *self, const char *key, const char *value);

/* (transfer full) */
char **goban_settings_dup_names (GobanSettings *self, const char *key) G_GNUC_WARN_UNUSED_RESULT;
void goban_settings_set_names (GobanSettings *self, const char *key, const char *const *names);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanSettings, goban_settings_free)
