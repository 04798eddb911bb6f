/* window-commands.h: handlers of the commands in actions.c, grouped by source file.
 *
 * The parameter is NULL if a command has none; a state is already stored in its action.
 */
#pragma once

#include "ui/shell/window.h"

G_BEGIN_DECLS

/* window-actions.c */
void goban_window_place (GobanWindow *self, GVariant *parameter);
void goban_window_place_with (GobanWindow *self, GVariant *parameter);
void goban_window_place_quick (GobanWindow *self, GVariant *parameter);
void goban_window_choose_policy (GobanWindow *self, GVariant *parameter);
void goban_window_choose_preset (GobanWindow *self, GVariant *parameter);
void goban_window_next_plan (GobanWindow *self, GVariant *parameter);
void goban_window_previous_plan (GobanWindow *self, GVariant *parameter);
void goban_window_remove_plan (GobanWindow *self, GVariant *parameter);
void goban_window_stop (GobanWindow *self, GVariant *parameter);
void goban_window_fit (GobanWindow *self, GVariant *parameter);
void goban_window_zoom_selection (GobanWindow *self, GVariant *parameter);
void goban_window_zoom_in (GobanWindow *self, GVariant *parameter);
void goban_window_zoom_out (GobanWindow *self, GVariant *parameter);
void goban_window_pan (GobanWindow *self, GVariant *parameter);
void goban_window_select_all (GobanWindow *self, GVariant *parameter);
void goban_window_select_none (GobanWindow *self, GVariant *parameter);
void goban_window_select_neighbours (GobanWindow *self, GVariant *parameter);
void goban_window_step (GobanWindow *self, GVariant *parameter);
void goban_window_show_shortcuts (GobanWindow *self, GVariant *parameter);
void goban_window_help (GobanWindow *self, GVariant *parameter);
void goban_window_show_about (GobanWindow *self, GVariant *parameter);
void goban_window_close (GobanWindow *self, GVariant *parameter);
void goban_window_quit (GobanWindow *self, GVariant *parameter);
void goban_window_color_changed (GobanWindow *self, GVariant *state);
void goban_window_critical_changed (GobanWindow *self, GVariant *state);
void goban_window_dark_changed (GobanWindow *self, GVariant *state);
void goban_window_minimap_changed (GobanWindow *self, GVariant *state);
void goban_window_pane_changed (GobanWindow *self, GVariant *state);
void goban_window_fullscreen_changed (GobanWindow *self, GVariant *state);

/* window-compare.c */
void goban_window_explore (GobanWindow *self, GVariant *parameter);
void goban_window_compare (GobanWindow *self, GVariant *parameter);
void goban_window_compare_swap (GobanWindow *self, GVariant *parameter);
void goban_window_compare_mode_changed (GobanWindow *self, GVariant *state);
void goban_window_compare_unchanged_changed (GobanWindow *self, GVariant *state);
void goban_window_compare_lanes_changed (GobanWindow *self, GVariant *state);
void goban_window_compare_scales_changed (GobanWindow *self, GVariant *state);
void goban_window_compare_sync_changed (GobanWindow *self, GVariant *state);

/* window-document.c */
void goban_window_save_session (GobanWindow *self, GVariant *parameter);
void goban_window_save_session_as (GobanWindow *self, GVariant *parameter);

/* window-preferences.c */
void goban_window_show_preferences (GobanWindow *self, GVariant *parameter);

/* window-edit.c */
void goban_window_show_devices (GobanWindow *self, GVariant *parameter);
void goban_window_undo (GobanWindow *self, GVariant *parameter);
void goban_window_redo (GobanWindow *self, GVariant *parameter);
void goban_window_move_selection (GobanWindow *self, GVariant *parameter);
void goban_window_device_key (GobanWindow *self, GVariant *parameter);
void goban_window_change_urgency (GobanWindow *self, GVariant *parameter);
void goban_window_fuse (GobanWindow *self, GVariant *parameter);
void goban_window_pin (GobanWindow *self, GVariant *parameter);
void goban_window_hide (GobanWindow *self, GVariant *parameter);
void goban_window_unhide (GobanWindow *self, GVariant *parameter);

/* window-export.c */
void goban_window_export_graph (GobanWindow *self, GVariant *parameter);
void goban_window_export_table (GobanWindow *self, GVariant *parameter);
void goban_window_export_timeline (GobanWindow *self, GVariant *parameter);

/* window-files.c */
void goban_window_generate (GobanWindow *self, GVariant *parameter);
void goban_window_choose_file (GobanWindow *self, GVariant *parameter);
void goban_window_open_path (GobanWindow *self, GVariant *parameter);
void goban_window_reload (GobanWindow *self, GVariant *parameter);
void goban_window_save_plan (GobanWindow *self, GVariant *parameter);
void goban_window_export_trace (GobanWindow *self, GVariant *parameter);
void goban_window_choose_cluster_file (GobanWindow *self, GVariant *parameter);

/* window-report.c */
void goban_window_export_changes (GobanWindow *self, GVariant *parameter);
void goban_window_export_report (GobanWindow *self, GVariant *parameter);

/* window-finding.c */
void goban_window_escape (GobanWindow *self, GVariant *parameter);
void goban_window_search (GobanWindow *self, GVariant *parameter);
void goban_window_close_search (GobanWindow *self, GVariant *parameter);
void goban_window_next_match (GobanWindow *self, GVariant *parameter);
void goban_window_previous_match (GobanWindow *self, GVariant *parameter);
void goban_window_select_matches (GobanWindow *self, GVariant *parameter);
void goban_window_filter_matches (GobanWindow *self, GVariant *parameter);
void goban_window_hide_matches (GobanWindow *self, GVariant *parameter);
void goban_window_palette (GobanWindow *self, GVariant *parameter);
void goban_window_back (GobanWindow *self, GVariant *parameter);
void goban_window_forward (GobanWindow *self, GVariant *parameter);
void goban_window_store_view (GobanWindow *self, GVariant *parameter);
void goban_window_recall_view (GobanWindow *self, GVariant *parameter);
void goban_window_walk (GobanWindow *self, GVariant *parameter);
void goban_window_neighbour (GobanWindow *self, GVariant *parameter);
void goban_window_copy_text (GobanWindow *self, GVariant *parameter);
void goban_window_copy_lua (GobanWindow *self, GVariant *parameter);
void goban_window_copy_rows (GobanWindow *self, GVariant *parameter);
void goban_window_table_changed (GobanWindow *self, GVariant *state);
void goban_window_notes_changed (GobanWindow *self, GVariant *state);

/* window-groups.c */
void goban_window_close_group (GobanWindow *self, GVariant *parameter);
void goban_window_close_groups (GobanWindow *self, GVariant *parameter);
void goban_window_morph (GobanWindow *self, GVariant *parameter);
void goban_window_open_group (GobanWindow *self, GVariant *parameter);
void goban_window_group_changed (GobanWindow *self, GVariant *state);
void goban_window_layout_changed (GobanWindow *self, GVariant *state);

/* window-steps.c */
void goban_window_decision (GobanWindow *self, GVariant *parameter);
void goban_window_play_decisions (GobanWindow *self, GVariant *parameter);
void goban_window_no_decision (GobanWindow *self, GVariant *parameter);
void goban_window_keep_decision (GobanWindow *self, GVariant *parameter);
void goban_window_steps_changed (GobanWindow *self, GVariant *state);

/* window-time.c */
void goban_window_centre (GobanWindow *self, GVariant *parameter);
void goban_window_play (GobanWindow *self, GVariant *parameter);
void goban_window_play_speed (GobanWindow *self, GVariant *parameter);
void goban_window_seek (GobanWindow *self, GVariant *parameter);
void goban_window_no_time (GobanWindow *self, GVariant *parameter);
void goban_window_why (GobanWindow *self, GVariant *parameter);
void goban_window_arrows (GobanWindow *self, GVariant *parameter);
void goban_window_all_lanes (GobanWindow *self, GVariant *parameter);
void goban_window_move_lane (GobanWindow *self, GVariant *parameter);
void goban_window_mark (GobanWindow *self, GVariant *parameter);
void goban_window_go_mark (GobanWindow *self, GVariant *parameter);
void goban_window_show_mark (GobanWindow *self, GVariant *parameter);
void goban_window_name_mark (GobanWindow *self, GVariant *parameter);
void goban_window_clear_marks (GobanWindow *self, GVariant *parameter);

G_END_DECLS
