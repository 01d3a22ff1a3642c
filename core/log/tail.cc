#include "core/log/tail.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/base/encoding.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/utf8.h"

namespace approval::log {
namespace {

using base::Code;
using base::Fail;
using base::Result;

Result<std::string> ReadAt(int fd, std::uint64_t offset, std::size_t count) {
  std::string out(count, '\0');
  std::size_t have = 0;
  while (have < count) {
    const ssize_t got =
        ::pread(fd, out.data() + have, count - have, static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Fail(Code::kIo, "cannot read the log's end: " + base::ErrnoText(errno));
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  out.resize(have);
  return out;
}

// The last line without its LF, read backwards in a window that doubles until it holds it.
Result<std::string> LastLine(int fd, std::uint64_t size) {
  for (std::uint64_t window = 65536;; window *= 2) {
    const std::uint64_t take = std::min(window, size);
    Result<std::string> block = ReadAt(fd, size - take, static_cast<std::size_t>(take));
    if (!block) return block;
    if (block->empty() || block->back() != '\n') {
      return Fail(Code::kCorruptTail, "the log's last line is not terminated");
    }
    block->pop_back();
    const std::size_t start = block->rfind('\n');
    if (start != std::string::npos) return block->substr(start + 1);
    if (take == size) return block;
  }
}

}  // namespace

Result<std::optional<Head>> ReadTail(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) {
    return Fail(Code::kIo, "cannot look at the log: " + base::ErrnoText(errno));
  }
  if (!S_ISREG(info.st_mode)) return Fail(Code::kIo, "the log is not a regular file");
  if (info.st_size == 0) return std::optional<Head>();
  Result<std::string> line = LastLine(fd, static_cast<std::uint64_t>(info.st_size));
  if (!line) return tl::unexpected(line.error());
  const std::string text = base::ReplaceIllFormed(*line);
  if (base::IsEcmaBlank(text)) return Fail(Code::kCorruptTail, "the log's last line is blank");
  auto parsed = base::ParseJson(text, base::kLenientJson);
  if (!parsed || !parsed->is_object()) {
    return Fail(Code::kCorruptTail, "the log's last line is not a JSON object");
  }
  const base::JsonObject& object = parsed->get_object();
  const base::Json* seq = object.if_contains("seq");
  const auto number = seq == nullptr ? std::nullopt : base::AsInteger(*seq);
  const auto hash = base::StringMember(object, "hash");
  if (!number || *number < 1 || !hash || !base::IsHex64(*hash)) {
    return Fail(Code::kCorruptTail, "the log's last line is no record");
  }
  return std::optional<Head>(Head{*number, std::string(*hash)});
}

}  // namespace approval::log
