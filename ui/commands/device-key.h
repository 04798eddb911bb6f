/* device-key.h: the key D: with a digit it moves the selection to a device, else it pans right. */
#pragma once

#include "ui/frame/pictures.h"
#include "ui/frame/site.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_DEVICE_KEY (goban_device_key_get_type ())
G_DECLARE_FINAL_TYPE (GobanDeviceKey, goban_device_key, GOBAN, DEVICE_KEY, GObject)

GobanDeviceKey *goban_device_key_new (const GobanSite *site,
                                      GobanPictures *pictures) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
