/* cluster-choice.h: choice of the cluster; a graph that loses its plans by it is placed again. */
#pragma once

#include "ui/documents/file-chooser.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_CLUSTER_CHOICE (goban_cluster_choice_get_type ())
G_DECLARE_FINAL_TYPE (GobanClusterChoice, goban_cluster_choice, GOBAN, CLUSTER_CHOICE, GObject)

GobanClusterChoice *goban_cluster_choice_new (const GobanSite *site,
                                              GobanFileChooser *chooser) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
