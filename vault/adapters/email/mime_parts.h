// The parts of a message's body as GMime objects: text, alternatives, attachments.
//
// Nothing here is random: the caller gives a tag for boundaries that occurs in no part. The library
// must have been started. Any thread.
#pragma once

#include <glib-object.h>
#include <gmime/gmime.h>

#include <memory>
#include <string>
#include <string_view>

#include "vault/mail/email_payload.h"

namespace approval::adapters::email {

struct Unref {
  void operator()(void* object) const { g_object_unref(object); }
};
template <typename T>
using Held = std::unique_ptr<T, Unref>;

// The whole body: the text, beside its HTML alternative when there is one, before the attachments.
Held<GMimeObject> BodyOf(const mail::EmailPayload& mail, const std::string& tag);

}  // namespace approval::adapters::email
