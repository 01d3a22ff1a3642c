#include "render/clusters.h"

#include "core/base/char_table.h"

namespace approval::render {
namespace {

using base::CharClass;
using base::ClassOf;
using base::IsPictographic;

constexpr std::size_t kMarksPerBase = 4;
constexpr char32_t kJoiner = 0x200D;
constexpr char32_t kEmojiStyle = 0xFE0F;
constexpr char32_t kKeycap = 0x20E3;

bool IsSkinTone(char32_t cp) { return cp >= 0x1F3FB && cp <= 0x1F3FF; }

class Reader {
 public:
  Reader(std::string_view text, std::size_t offset) : text_(text), at_(offset) { Load(); }

  bool Is(char32_t cp) const { return next_.length != 0 && next_.ok && next_.value == cp; }
  bool Has() const { return next_.length != 0 && next_.ok; }
  char32_t Value() const { return next_.value; }
  std::size_t Offset() const { return at_; }
  std::size_t Taken() const { return taken_; }

  void Take() {
    at_ += next_.length;
    ++taken_;
    Load();
  }

 private:
  void Load() {
    next_ = at_ < text_.size() ? base::DecodeAt(text_, at_, true) : base::CodePoint{0, 0, false};
  }

  std::string_view text_;
  std::size_t at_;
  std::size_t taken_ = 0;
  base::CodePoint next_{0, 0, false};
};

// One pictograph with its style or skin tone.
void TakePictograph(Reader& reader) {
  reader.Take();
  if (reader.Is(kEmojiStyle)) reader.Take();
  if (reader.Has() && IsSkinTone(reader.Value())) reader.Take();
}

// Joined pictographs; a joiner counts only between two of them.
void TakeEmoji(Reader& reader) {
  TakePictograph(reader);
  while (reader.Is(kJoiner)) {
    Reader ahead = reader;
    ahead.Take();
    if (!ahead.Has() || !IsPictographic(ahead.Value())) return;
    TakePictograph(ahead);
    reader = ahead;
  }
}

// `1`, U+FE0F, U+20E3: a digit, # or * drawn as a key.
bool TakeKeycap(Reader& reader) {
  const char32_t base = reader.Value();
  if (base != '#' && base != '*' && (base < '0' || base > '9')) return false;
  Reader ahead = reader;
  ahead.Take();
  if (!ahead.Is(kEmojiStyle)) return false;
  ahead.Take();
  if (!ahead.Is(kKeycap)) return false;
  ahead.Take();
  reader = ahead;
  return true;
}

ClusterKind KindOf(char32_t cp) {
  if (IsOurMark(cp)) return ClusterKind::kOurMark;
  switch (ClassOf(cp)) {
    case CharClass::kPlain:
      return ClusterKind::kText;
    case CharClass::kInvisible:
      return ClusterKind::kInvisible;
    case CharClass::kSpace:
      return ClusterKind::kOddSpace;
    case CharClass::kMark:
      return ClusterKind::kLoneMark;
  }
  return ClusterKind::kInvisible;
}

}  // namespace

bool IsOurMark(char32_t cp) {
  return cp == 0xAB || cp == 0xBB || cp == 0x23CE || cp == 0x2502 || cp == 0x2192;
}

Cluster NextCluster(std::string_view text, std::size_t offset) {
  const base::CodePoint first = base::DecodeAt(text, offset, true);
  if (!first.ok) {
    return {ClusterKind::kBadByte, static_cast<unsigned char>(text[offset]), 1, 1};
  }
  const ClusterKind kind = KindOf(first.value);
  // A space carries no mark: the mark would sit on whatever stands before the text.
  if (kind != ClusterKind::kText || first.value == ' ') return {kind, first.value, first.length, 1};
  // Nothing in ASCII combines with what stands before it.
  const std::size_t after = offset + first.length;
  if (after == text.size() || static_cast<unsigned char>(text[after]) < 0x80) {
    return {kind, first.value, first.length, 1};
  }
  Reader reader(text, offset);
  if (IsPictographic(first.value)) {
    TakeEmoji(reader);
  } else if (!TakeKeycap(reader)) {
    reader.Take();
  }
  for (std::size_t marks = 0; marks < kMarksPerBase && reader.Has(); ++marks) {
    if (ClassOf(reader.Value()) != CharClass::kMark) break;
    reader.Take();
  }
  return {kind, first.value, reader.Offset() - offset, reader.Taken()};
}

std::string MarkOf(const Cluster& cluster, std::size_t run) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const bool byte = cluster.kind == ClusterKind::kBadByte;
  std::string out = byte ? "«0x" : "«U+";
  const auto value = static_cast<std::uint32_t>(cluster.value);
  int digits = byte ? 2 : 4;
  while (digits < 8 && value >> (4 * digits) != 0) ++digits;
  while (digits > 0) out.push_back(kHex[(value >> (4 * --digits)) & 0xF]);
  if (run > 1) {
    out += "×";
    out += std::to_string(run);
  }
  out += "»";
  return out;
}

}  // namespace approval::render
