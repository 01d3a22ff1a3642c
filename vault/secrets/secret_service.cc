#include <libsecret/secret.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "vault/secrets/keystore.h"

namespace approval::secrets {
namespace {

using base::Code;
using base::Fail;
using base::Result;

// What `secret-tool store --label X approval X` writes; with a schema of our own the two would not
// find each other's items.
constexpr const char* kAttribute = "approval";

struct Unref {
  void operator()(gpointer object) const { g_object_unref(object); }
};
struct FreeError {
  void operator()(GError* error) const { g_error_free(error); }
};
struct FreeItems {
  void operator()(GList* list) const { g_list_free_full(list, g_object_unref); }
};
struct FreeTable {
  void operator()(GHashTable* table) const { g_hash_table_unref(table); }
};
struct FreeValue {
  void operator()(SecretValue* value) const { secret_value_unref(value); }
};
template <typename T>
using Held = std::unique_ptr<T, Unref>;
using HeldError = std::unique_ptr<GError, FreeError>;
using Items = std::unique_ptr<GList, FreeItems>;
using Table = std::unique_ptr<GHashTable, FreeTable>;
using Value = std::unique_ptr<SecretValue, FreeValue>;

// Cancels a call that is still running at the deadline; GLib's blocking calls have none.
class Deadline {
 public:
  explicit Deadline(int ms)
      : cancel_(g_cancellable_new()), thread_([this, ms] {
          std::unique_lock<std::mutex> lock(mutex_);
          const auto over = [this] { return over_; };
          if (!ended_.wait_for(lock, std::chrono::milliseconds(ms), over)) {
            g_cancellable_cancel(cancel_.get());
          }
        }) {}
  ~Deadline() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      over_ = true;
    }
    ended_.notify_all();
    thread_.join();
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  GCancellable* get() const { return cancel_.get(); }

 private:
  Held<GCancellable> cancel_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

tl::unexpected<base::Error> Failed(const std::string& what, GError* raw) {
  const HeldError error(raw);
  std::string cause = error ? error->message : "it gave no reason";
  if (error && g_error_matches(error.get(), G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    cause = "it gave no answer in time";
  }
  return Fail(Code::kHelperFailed, what + ": " + cause);
}

constexpr const char* kLocked =
    "the keyring is locked and was not unlocked; log in to the desktop or unlock it, then try "
    "again";

Table AttributesOf(const std::string& item) {
  GHashTable* table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert(table, g_strdup(kAttribute), g_strdup(item.c_str()));
  return Table(table);
}

class SessionKeyring final : public Keystore {
 public:
  explicit SessionKeyring(int deadline_ms) : deadline_ms_(deadline_ms) {}

  SourceKind kind() const override { return SourceKind::kSecretService; }

  Result<void> Reach() override {
    const Deadline deadline(deadline_ms_);
    const auto service = Connect(deadline);
    if (!service) return tl::unexpected(service.error());
    return {};
  }

  Result<base::Secret> Lookup(const std::string& item) override {
    const Deadline deadline(deadline_ms_);
    const auto service = Connect(deadline);
    if (!service) return tl::unexpected(service.error());
    const Table attributes = AttributesOf(item);
    GError* error = nullptr;
    const Items found(secret_service_search_sync(
        service->get(), nullptr, attributes.get(),
        static_cast<SecretSearchFlags>(SECRET_SEARCH_UNLOCK | SECRET_SEARCH_LOAD_SECRETS),
        deadline.get(), &error));
    if (error != nullptr) return Failed("the keyring could not be searched", error);
    if (!found) {
      return Fail(Code::kHelperItemMissing, "the keyring holds no item named " + item);
    }
    auto* first = static_cast<SecretItem*>(found->data);
    if (secret_item_get_locked(first) != FALSE) return Fail(Code::kHelperFailed, kLocked);
    const Value value(secret_item_get_secret(first));
    if (!value) return Fail(Code::kHelperFailed, "the keyring gave the item without its secret");
    gsize length = 0;
    const gchar* bytes = secret_value_get(value.get(), &length);
    std::string_view text(bytes, length);
    // secret-tool reads a line that was typed or echoed with its end.
    if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    if (text.empty()) return Fail(Code::kHelperItemMissing, "the keyring's item is empty: " + item);
    return base::Secret(text);
  }

  Result<void> Store(const std::string& item, const base::Secret& value) override {
    {
      const Deadline deadline(deadline_ms_);
      const auto service = Connect(deadline);
      if (!service) return tl::unexpected(service.error());
      const Table attributes = AttributesOf(item);
      const Value wrapped(secret_value_new(
          value.Reveal().data(), static_cast<gssize>(value.Reveal().size()), "text/plain"));
      GError* error = nullptr;
      const gboolean stored = secret_service_store_sync(service->get(), nullptr, attributes.get(),
                                                        SECRET_COLLECTION_DEFAULT, item.c_str(),
                                                        wrapped.get(), deadline.get(), &error);
      if (stored == FALSE && error != nullptr &&
          g_error_matches(error, SECRET_ERROR, SECRET_ERROR_IS_LOCKED)) {
        g_error_free(error);
        return Fail(Code::kHelperFailed, kLocked);
      }
      if (stored == FALSE) return Failed("the keyring did not take the item", error);
    }
    const auto back = Lookup(item);
    if (!back) return tl::unexpected(back.error());
    if (back->Reveal() != value.Reveal()) {
      return Fail(Code::kHelperFailed, "the keyring gives another value back than it was given");
    }
    return {};
  }

 private:
  Result<Held<SecretService>> Connect(const Deadline& deadline) const {
    GError* error = nullptr;
    Held<SecretService> service(
        secret_service_get_sync(SECRET_SERVICE_OPEN_SESSION, deadline.get(), &error));
    if (!service) {
      return Failed(
          "no keyring can be reached (it needs a session bus and a service such as gnome-keyring)",
          error);
    }
    return service;
  }

  int deadline_ms_;
};

}  // namespace

std::unique_ptr<Keystore> SecretServiceKeystore(int deadline_ms) {
  return std::make_unique<SessionKeyring>(deadline_ms);
}

}  // namespace approval::secrets
