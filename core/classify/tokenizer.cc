#include "core/classify/tokenizer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/utf8.h"
#include "core/classify/substitution.h"

namespace approval::classify {
namespace {

constexpr std::string_view kNeverClosed = "unterminated quote or command substitution";
constexpr std::string_view kBacktick = "backtick command substitution";
constexpr std::string_view kArithmetic = "arithmetic expansion";

using Done = tl::expected<void, Unparseable>;

tl::unexpected<Unparseable> Refuse(std::string detail) {
  return tl::unexpected(Unparseable{std::move(detail)});
}

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool EndsSegment(char c) {
  return c == '&' || c == '|' || c == ';' || c == '(' || c == ')' || c == '\n';
}

// A heredoc whose body begins at the next line.
struct PendingBody {
  std::string terminator;
  bool strip_tabs;
  bool is_literal;      // the terminator was quoted: nothing in the body runs
  std::size_t segment;  // that it belongs to
};

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view source) : source_(source) {}

  tl::expected<std::vector<Segment>, Unparseable> Run() {
    while (at_ < source_.size()) {
      if (auto done = Step(); !done) return tl::unexpected(done.error());
    }
    EndSegment();
    if (!bodies_.empty()) return tl::unexpected(NeverTerminated(bodies_.front()));
    return std::move(segments_);
  }

 private:
  bool Sees(std::string_view text) const { return source_.substr(at_).starts_with(text); }

  void SkipBlanks() {
    while (at_ < source_.size()) {
      if (IsBlank(source_[at_])) {
        ++at_;
      } else if (Sees("\\\n")) {
        at_ += 2;
      } else {
        return;
      }
    }
  }

  Done Step() {
    SkipBlanks();
    if (at_ == source_.size()) return {};
    const char c = source_[at_];
    if (EndsSegment(c)) {
      EndSegment();
      ++at_;
      Done done = c == '\n' ? SkipBodies() : Done{};
      from_ = at_;
      return done;
    }
    if (const auto op = RedirectAhead()) return ReadRedirect(*op);
    auto word = ReadWord();
    if (!word) return tl::unexpected(word.error());
    if (word->has_value()) segment_.words.push_back(std::move(**word));
    return {};
  }

  // The longest operator here, a descriptor number before it included; moves behind the number.
  std::optional<std::string_view> RedirectAhead() {
    static constexpr std::array<std::string_view, 8> kOps = {"<<-", ">>", ">&", ">|",
                                                             "<<",  "<&", ">",  "<"};
    std::size_t behind = at_;
    while (behind < source_.size() && IsDigit(source_[behind])) ++behind;
    for (const std::string_view op : kOps) {
      if (!source_.substr(behind).starts_with(op)) continue;
      at_ = behind;
      return op;
    }
    return std::nullopt;
  }

  Done ReadRedirect(std::string_view op) {
    at_ += op.size();
    Redirect redirect{std::string(op), {}};
    if (op == ">&" || op == "<&") {
      while (at_ < source_.size() && IsDigit(source_[at_])) ++at_;
      if (Sees("-")) ++at_;
      segment_.redirects.push_back(std::move(redirect));
      return {};
    }
    const bool heredoc = op.starts_with("<<");
    SkipBlanks();
    const std::size_t from = at_;
    auto target = ReadWord();
    if (!target) return tl::unexpected(target.error());
    if (!target->has_value()) {
      return Refuse(heredoc ? "heredoc has no terminator word"
                            : "redirection " + std::string(op) + " has no target");
    }
    redirect.target = std::move(**target);
    if (heredoc) {
      const std::string_view written = source_.substr(from, at_ - from);
      bodies_.push_back({redirect.target.text, op == "<<-",
                         written.find_first_of("'\"\\") != std::string_view::npos,
                         segments_.size()});
    }
    segment_.redirects.push_back(std::move(redirect));
    return {};
  }

  // Nothing when no word begins here.
  tl::expected<std::optional<Word>, Unparseable> ReadWord() {
    Word word;
    const std::size_t from = at_;
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (IsBlank(c) || EndsSegment(c) || c == '<' || c == '>') break;
      Done done;
      if (c == '\\') {
        Escaped(word);
      } else if (c == '\'') {
        done = SingleQuoted(word);
      } else if (c == '"') {
        done = DoubleQuoted(word);
      } else {
        done = Plain(word);
      }
      if (!done) return tl::unexpected(done.error());
    }
    if (at_ == from) return std::optional<Word>();
    return std::optional<Word>(std::move(word));
  }

  void Escaped(Word& word) {
    if (at_ + 1 == source_.size()) {
      word.text += '\\';
    } else if (source_[at_ + 1] != '\n') {
      word.text += source_[at_ + 1];
    }
    at_ = std::min(at_ + 2, source_.size());
  }

  Done SingleQuoted(Word& word) {
    const std::size_t end = source_.find('\'', at_ + 1);
    if (end == std::string_view::npos) return Refuse(std::string(kNeverClosed));
    word.text += source_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return {};
  }

  Done DoubleQuoted(Word& word) {
    ++at_;
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (c == '"') {
        ++at_;
        return {};
      }
      if (c == '\\') {
        Escaped(word);
      } else if (Done done = Plain(word); !done) {
        return done;
      }
    }
    return Refuse(std::string(kNeverClosed));
  }

  // One character that quotes nothing, or a whole substitution.
  Done Plain(Word& word) {
    if (Sees("`")) return Skip(word, "`", 1, kBacktick);
    if (Sees("$((")) return Skip(word, "))", 3, kArithmetic);
    if (!Sees("$(")) {
      word.text += source_[at_++];
      return {};
    }
    const auto end = EndOfSubstitution(source_, at_ + 2);
    if (!end) return Refuse(std::string(kNeverClosed));
    segment_.substitutions.emplace_back(source_.substr(at_ + 2, *end - at_ - 2));
    word.substitutes = true;
    at_ = *end + 1;
    return {};
  }

  // What only a shell could read: up to `close`, looked for `opening` bytes from here.
  Done Skip(Word& word, std::string_view close, std::size_t opening, std::string_view why) {
    const std::size_t end = source_.find(close, at_ + opening);
    if (end == std::string_view::npos) return Refuse(std::string(kNeverClosed));
    at_ = end + close.size();
    word.substitutes = true;
    if (!segment_.opaque) segment_.opaque = why;
    return {};
  }

  void EndSegment() {
    const bool kept = !segment_.words.empty() || !segment_.redirects.empty() || segment_.opaque;
    if (kept) {
      segment_.text = base::TrimEcma(source_.substr(from_, at_ - from_));
      segments_.push_back(std::move(segment_));
    }
    segment_ = {};
  }

  static Unparseable NeverTerminated(const PendingBody& body) {
    return {"heredoc <<" + body.terminator + " is never terminated"};
  }

  Done SkipBodies() {
    for (const PendingBody& body : std::exchange(bodies_, {})) {
      const std::size_t from = at_;
      std::size_t line = at_;
      while (true) {
        if (line >= source_.size()) return tl::unexpected(NeverTerminated(body));
        const std::size_t end = std::min(source_.find('\n', line), source_.size());
        if (Closes(body, source_.substr(line, end - line))) {
          at_ = std::min(end + 1, source_.size());
          break;
        }
        line = end + 1;
      }
      if (!body.is_literal) Collect(body, source_.substr(from, line - from));
    }
    return {};
  }

  static bool Closes(const PendingBody& body, std::string_view line) {
    if (body.strip_tabs) line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
    const std::size_t last = line.find_last_not_of(" \t\r\v\f");
    return line.substr(0, last == std::string_view::npos ? 0 : last + 1) == body.terminator;
  }

  void Collect(const PendingBody& body, std::string_view text) {
    Segment& owner = segments_[body.segment];
    BodyScan scan = ScanBody(text);
    for (std::string& inner : scan.substitutions) owner.substitutions.push_back(std::move(inner));
    if (scan.has_backtick && !owner.opaque) owner.opaque = kBacktick;
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::size_t from_ = 0;  // where the segment's text begins
  Segment segment_;
  std::vector<Segment> segments_;
  std::vector<PendingBody> bodies_;
};

}  // namespace

tl::expected<std::vector<Segment>, Unparseable> Tokenize(std::string_view command) {
  return Tokenizer(command).Run();
}

}  // namespace approval::classify
