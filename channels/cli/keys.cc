#include "channels/cli/keys.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/utf8.h"

namespace approval::channels::cli {
namespace {

using Kind = Key::Kind;

constexpr char kEscape = 0x1b;
constexpr std::string_view kPasteBegin = "\x1b[200~";
constexpr std::string_view kPasteEnd = "\x1b[201~";
constexpr std::size_t kMaxPaste = 4096;
constexpr std::size_t kMaxSequence = 32;

// The end of a control sequence that starts at the begin of the text; nothing: more has to come.
std::optional<std::size_t> SequenceEnd(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  // ESC and one more: Alt with a key.
  if (text[1] != '[' && text[1] != 'O') return 2;
  for (std::size_t i = 2; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x40 && byte <= 0x7e) return i + 1;
    if (byte < 0x20 || byte > 0x7e || i > kMaxSequence) return i;
  }
  return std::nullopt;
}

Kind KindOfSequence(std::string_view sequence) {
  static constexpr std::pair<std::string_view, Kind> kKnown[] = {
      {"\x1b[A", Kind::kUp},    {"\x1b[B", Kind::kDown},    {"\x1bOA", Kind::kUp},
      {"\x1bOB", Kind::kDown},  {"\x1b[5~", Kind::kPageUp}, {"\x1b[6~", Kind::kPageDown},
      {"\x1b[H", Kind::kHome},  {"\x1b[F", Kind::kEnd},     {"\x1bOH", Kind::kHome},
      {"\x1bOF", Kind::kEnd},   {"\x1b[1~", Kind::kHome},   {"\x1b[4~", Kind::kEnd},
      {"\x1b[7~", Kind::kHome}, {"\x1b[8~", Kind::kEnd},
  };
  for (const auto& [text, kind] : kKnown) {
    if (sequence == text) return kind;
  }
  return Kind::kOther;
}

Kind KindOfControl(char c) {
  switch (c) {
    case '\r':
    case '\n':
      return Kind::kEnter;
    case 0x08:
    case 0x7f:
      return Kind::kBackspace;
    case 0x04:
      return Kind::kEndOfInput;
    case 0x0c:
      return Kind::kRedraw;
    case 0x15:
      return Kind::kKillLine;
    default:
      return Kind::kOther;
  }
}

}  // namespace

std::vector<Key> KeyDecoder::Feed(std::string_view bytes) {
  pending_ += bytes;
  std::vector<Key> out;
  while (!pending_.empty() && Next(out)) {
  }
  return out;
}

std::vector<Key> KeyDecoder::Pause() {
  std::vector<Key> out;
  if (pasting_ || pending_.empty()) return out;
  out.push_back({pending_ == std::string(1, kEscape) ? Kind::kEscape : Kind::kOther});
  pending_.clear();
  return out;
}

void KeyDecoder::Reset() {
  pending_.clear();
  paste_.clear();
  pasting_ = false;
}

bool KeyDecoder::Next(std::vector<Key>& out) {
  if (pasting_) {
    const std::size_t end = pending_.find(kPasteEnd);
    const bool whole = end != std::string::npos;
    // The last bytes may be the begin of the mark.
    const std::size_t keep = std::min(pending_.size(), kPasteEnd.size() - 1);
    const std::size_t take = whole ? end : pending_.size() - keep;
    paste_.append(pending_, 0, std::min(take, kMaxPaste - std::min(paste_.size(), kMaxPaste)));
    pending_.erase(0, whole ? end + kPasteEnd.size() : take);
    if (!whole) return false;
    out.push_back({Kind::kPaste, std::exchange(paste_, "")});
    pasting_ = false;
    return true;
  }
  const char first = pending_.front();
  if (first == kEscape) {
    const auto end = SequenceEnd(pending_);
    if (!end) return false;
    const std::string sequence = pending_.substr(0, *end);
    pending_.erase(0, *end);
    if (sequence == kPasteBegin) {
      pasting_ = true;
    } else {
      out.push_back({KindOfSequence(sequence)});
    }
    return true;
  }
  if (static_cast<unsigned char>(first) < 0x20 || first == 0x7f) {
    pending_.erase(0, 1);
    out.push_back({KindOfControl(first)});
    return true;
  }
  const base::CodePoint point = base::DecodeAt(pending_, 0);
  // Up to three bytes may be the begin of a code point.
  if (!point.ok && point.length == pending_.size() && pending_.size() < 4) return false;
  const std::string text = pending_.substr(0, point.length);
  pending_.erase(0, point.length);
  out.push_back(point.ok ? Key{Kind::kText, text} : Key{Kind::kOther});
  return true;
}

}  // namespace approval::channels::cli
