/* short-label.h: label of one line that is shortened, between words unless both ends are kept.
 *
 * Its tooltip has the whole text if that is shortened and no other tooltip was set; screen readers
 * always have it. As wide as it is given, at least a few characters; its natural width is the same
 * unless a greatest one is set. Only then it is shaped when it is measured, and no wider than its
 * text. A .ui file sets
 * keeps-end, max-chars, min-chars, text and xalign.
 */
#pragma once

#include "ui/draw/shorten.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_SHORT_LABEL (goban_short_label_get_type ())
G_DECLARE_FINAL_TYPE (GobanShortLabel, goban_short_label, GOBAN, SHORT_LABEL, GtkWidget)

GtkWidget *goban_short_label_new (GobanKeep keep, float xalign) G_GNUC_WARN_UNUSED_RESULT;

void goban_short_label_set_keep (GobanShortLabel *self, GobanKeep keep);
/* The least width, in characters; 4 at first. */
void goban_short_label_set_min_chars (GobanShortLabel *self, int n);
/* The greatest natural width, in characters: a shorter text asks for its own width. 0, as at first:
 * the least width. */
void goban_short_label_set_max_chars (GobanShortLabel *self, int n);
void goban_short_label_set_text (GobanShortLabel *self, const char *text); /* (nullable) */
/* (nullable): shown in place of a text that has no room. The label is never narrower than it. */
void goban_short_label_set_brief (GobanShortLabel *self, const char *brief);
/* The whole text, "" for none. */
const char *goban_short_label_get_text (GobanShortLabel *self);
/* As it is shown at this width. (transfer full) */
char *goban_short_label_dup_shown (GobanShortLabel *self, int width) G_GNUC_WARN_UNUSED_RESULT;
