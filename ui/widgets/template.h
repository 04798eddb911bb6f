/* template.h: widget templates: the .ui files beside the sources, and their common parts.
 *
 * A .ui file has the name of its source, is listed in ui/ui.gresource.xml, and describes all of a
 * widget that does not depend on data. In it, two things are short:
 *
 * - A button with the action of a command ("win.fit") gets the command's tooltip unless it has one,
 *   and without a label the command's description as its accessible name.
 * - In a grid of the class "form", each label begins a row. Its mnemonic widget is at the right in
 *   the same row, and is named by it; without one it is as wide as the form.
 *
 * Decision U57 (ui/NOTES.md).
 */
#pragma once

#include "ui/widgets/signals.h"

#include <gtk/gtk.h>

/* For class_init: @file is relative to ui/, "frame/header.ui". A class that has GtkWidget itself as
 * its parent gets a bin layout. */
void goban_template_set (GtkWidgetClass *klass, const char *file);

/* For class_init: binds children to the fields of their ids, and handlers by their names; not more
 * than 16 at once. GOBAN_TEMPLATE_PART: the fields are in @part, a struct in that of @type.
 * GOBAN_TEMPLATE_BIND: @field has another name than @id. */
#define GOBAN_TEMPLATE_CHILDREN(klass, type, ...)                                                  \
  GOBAN_EACH (GOBAN_BIND_CHILD, klass, type, , __VA_ARGS__)
#define GOBAN_TEMPLATE_PART(klass, type, part, ...)                                                \
  GOBAN_EACH (GOBAN_BIND_CHILD, klass, type, part., __VA_ARGS__)
#define GOBAN_TEMPLATE_BIND(klass, type, id, field)                                                \
  gtk_widget_class_bind_template_child_full ((klass), (id), FALSE, G_STRUCT_OFFSET (type, field))
#define GOBAN_TEMPLATE_CALLBACKS(klass, ...)                                                       \
  GOBAN_EACH (GOBAN_BIND_CALLBACK, klass, , , __VA_ARGS__)

/* For init, instead of gtk_widget_init_template(). */
void goban_template_init (GtkWidget *self);

/* For widgets without a class: the widget @id of @file, with its children. (transfer full) */
GtkBuilder *goban_template_load (const char *file, const char *id) G_GNUC_WARN_UNUSED_RESULT;
/* Borrowed; aborts if there is none of this id. */
GtkWidget *goban_template_get (GtkBuilder *builder, const char *id);
/* The same, and frees the builder, which has kept the widget alive. (transfer floating) */
GtkWidget *goban_template_take (GtkBuilder *builder, const char *id) G_GNUC_WARN_UNUSED_RESULT;

/* Removes all children of a box or a grid, or, in dispose of a class that is derived from GtkWidget
 * itself, of that. Bound children live as long as their class. */
void goban_remove_children (GtkWidget *self);

/* A statement for each of the names, for the macros above. */
#define GOBAN_BIND_CHILD(klass, type, part, name)                                                  \
  GOBAN_TEMPLATE_BIND (klass, type, #name, part name)
#define GOBAN_BIND_CALLBACK(klass, type, part, name)                                               \
  gtk_widget_class_bind_template_callback (klass, name)
/* clang-format off */
#define GOBAN_EACH(b, k, t, p, ...)                                                                \
  GOBAN_EACH_OF (__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)            \
  (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_OF(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, n,  \
                      ...)                                                                         \
  GOBAN_EACH_##n
#define GOBAN_EACH_1(b, k, t, p, name) b (k, t, p, name)
#define GOBAN_EACH_2(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_1 (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_3(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_2 (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_4(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_3 (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_5(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_4 (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_6(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_5 (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_7(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_6 (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_8(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_7 (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_9(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_8 (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_10(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_9 (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_11(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_10 (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_12(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_11 (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_13(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_12 (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_14(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_13 (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_15(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_14 (b, k, t, p, __VA_ARGS__)
#define GOBAN_EACH_16(b, k, t, p, x, ...) b (k, t, p, x); GOBAN_EACH_15 (b, k, t, p, __VA_ARGS__)
/* clang-format on */
