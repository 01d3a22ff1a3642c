#include "core/base/files.h"
#include "gateway/scaffold.h"
#include "gateway/verbs/handlers.h"
#include "render/quote.h"

namespace approval::gateway {

using base::Code;
using base::FileState;
using base::JsonObject;

namespace {

struct Layout {
  base::JsonArray written;
  base::JsonArray existing;
};

// Writes one file unless it is there; a path of another kind is a conflict.
base::Result<void> Place(Layout& layout, const std::string& dir, const char* name,
                         std::string_view text, Code exists) {
  const std::string path = base::JoinPath(dir, name);
  switch (base::StateOf(path)) {
    case FileState::kRegular:
      layout.existing.push_back(JsonObject{{"path", name}, {"code", base::Spelling(exists)}});
      return {};
    case FileState::kMissing:
      break;
    case FileState::kFolder:
    case FileState::kOther:
    case FileState::kUnreachable:
      return base::Fail(Code::kPathConflict, path + " is there and is no file");
  }
  if (auto written = base::ReplaceFile(path, text); !written) return written;
  layout.written.push_back(base::Json(name));
  return {};
}

base::Result<void> PlaceLogFolder(Layout& layout, const std::string& dir) {
  for (const char* part : {".approval", ".approval/log"}) {
    const FileState state = base::StateOf(base::JoinPath(dir, part));
    if (state != FileState::kFolder && state != FileState::kMissing) {
      return base::Fail(Code::kPathConflict,
                        base::JoinPath(dir, part) + " is there and is no folder");
    }
  }
  if (base::StateOf(base::JoinPath(dir, ".approval/log")) == FileState::kFolder) {
    layout.existing.push_back(JsonObject{{"path", ".approval/log/"}, {"code", "log-dir-exists"}});
    return {};
  }
  if (auto made = base::MakeFolders(base::JoinPath(dir, ".approval/log")); !made) return made;
  layout.written.push_back(".approval/log/");
  return {};
}

// Adds the lines that keep secrets and caches out of git, under their marker.
base::Result<void> MergeGitignore(Layout& layout, const std::string& dir) {
  const std::string path = base::JoinPath(dir, ".gitignore");
  const FileState state = base::StateOf(path);
  if (state != FileState::kRegular && state != FileState::kMissing) {
    return base::Fail(Code::kPathConflict, path + " is there and is no file");
  }
  std::string text;
  if (state == FileState::kRegular) {
    auto read = base::ReadFile(path);
    if (!read) return tl::unexpected(read.error());
    text = std::move(*read);
  }
  const std::string missing = MissingIgnoreLines(text);
  if (missing.empty()) {
    layout.existing.push_back(
        JsonObject{{"path", ".gitignore"}, {"code", "gitignore-entries-present"}});
    return {};
  }
  if (!text.empty() && text.back() != '\n') text += '\n';
  if (auto written = base::ReplaceFile(path, text + missing); !written) return written;
  layout.written.push_back(".gitignore");
  return {};
}

}  // namespace

int InitVerb(Invocation& call) {
  const std::string dir = call.args().FlagOr("dir", ".");
  if (base::StateOf(dir) != FileState::kFolder) {
    return call.CommandError(Code::kIo, dir + " is not a folder");
  }
  Layout layout;
  // A path of the wrong kind stops before anything is written.
  base::Result<void> done = PlaceLogFolder(layout, dir);
  if (done) done = Place(layout, dir, "APPROVAL.md", kPolicyTemplate, Code::kPolicyExists);
  if (done) done = Place(layout, dir, ".approval/QUEUE.md", kEmptyQueue, Code::kQueueExists);
  if (done) done = MergeGitignore(layout, dir);
  if (!done) {
    const int exit = call.CommandError(done.error().code, done.error().message);
    return exit == 2 ? 2 : 4;
  }
  // The order in which a person meets them, whatever the order of writing.
  for (base::JsonArray* list : {&layout.written, &layout.existing}) OrderAsShown(*list);
  base::JsonArray steps;
  std::string words = "ready in " + render::QuoteLine(base::AbsolutePath(dir)) + "\nnext:";
  for (const std::string_view step : kNextSteps) {
    steps.push_back(base::Json(step));
    words += "\n  " + std::string(step);
  }
  return call.Succeed({{"ok", true},
                       {"dir", base::AbsolutePath(dir)},
                       {"written", std::move(layout.written)},
                       {"existing", std::move(layout.existing)},
                       {"next_steps", std::move(steps)}},
                      words);
}

}  // namespace approval::gateway
