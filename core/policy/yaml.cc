#include "core/policy/yaml.h"

#include <fmt/format.h>
#include <libfyaml.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/utf8.h"
#include "core/policy/yaml_scalar.h"

namespace approval::policy {
namespace {

struct ParserDeleter {
  void operator()(fy_parser* parser) const { fy_parser_destroy(parser); }
};
struct DiagDeleter {
  void operator()(fy_diag* diag) const { fy_diag_destroy(diag); }
};
struct EventDeleter {
  fy_parser* parser;
  void operator()(fy_event* event) const { fy_parser_event_free(parser, event); }
};
using Event = std::unique_ptr<fy_event, EventDeleter>;

// The library reports by printing; what matters here is only that it had something to report.
void CountReport(fy_diag*, void* user, const char*, std::size_t) {
  *static_cast<bool*>(user) = true;
}

tl::unexpected<base::Error> Refuse(std::string_view what, const fy_mark* mark = nullptr) {
  std::string where;
  if (mark != nullptr)
    where = fmt::format(" (line {}, column {})", mark->line + 1, mark->column + 1);
  return base::Fail(base::Code::kYamlError, fmt::format("the YAML {}{}", what, where));
}

bool IsYamlPrintable(char32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  if (c >= 0x7f && c < 0xa0) return c == 0x85;
  return c != 0xfffe && c != 0xffff;
}

base::Result<void> CheckBytes(std::string_view text) {
  if (text.size() > kMaxYamlBytes) return Refuse("is too large; the limit is 1 MiB");
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::DecodeAt(text, at);
    if (!point.ok) return Refuse(fmt::format("is not valid UTF-8 in line {}", line));
    if (!IsYamlPrintable(point.value)) {
      return Refuse(fmt::format("holds the control character U+{:04X} in line {}",
                                static_cast<unsigned>(point.value), line));
    }
    if (point.value == '\n') ++line;
    at += point.length;
  }
  return {};
}

// A collection used as a key is named by its flow text, as other readers of the format do.
std::string FlowText(const base::Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return std::string(value.get_string().c_str(), value.get_string().size());
  std::string out;
  if (value.is_array()) {
    for (const base::Json& item : value.get_array()) {
      out += (out.empty() ? "" : ", ") + FlowText(item);
    }
    return out.empty() ? "[]" : "[ " + out + " ]";
  }
  if (value.is_object()) {
    for (const auto& member : value.get_object()) {
      out +=
          (out.empty() ? "" : ", ") + std::string(member.key()) + ": " + FlowText(member.value());
    }
    return out.empty() ? "{}" : "{ " + out + " }";
  }
  return base::ToText(value);
}

class Builder {
 public:
  // False once the event cannot be taken; `problem` then says why.
  bool Take(fy_event& event);

  std::string_view problem() const { return problem_; }
  bool complete() const { return open_.empty(); }
  base::Json TakeRoot() { return root_ ? std::move(*root_) : base::Json(nullptr); }

 private:
  struct Frame {
    base::Json value;
    int block_column = -1;           // of a block collection, where its entries begin
    std::optional<std::string> key;  // of a map, when its value comes next
  };

  bool Say(std::string_view problem) {
    problem_ = problem;
    return false;
  }
  bool Open(base::Json container, fy_event& event);
  bool IsOutdented(fy_event& event) const;
  bool Close();
  bool Put(base::Json value);
  bool Scalar(fy_token* token);

  std::vector<Frame> open_;
  std::optional<base::Json> root_;
  bool had_document_ = false;
  std::string_view problem_;
};

bool Builder::Take(fy_event& event) {
  switch (event.type) {
    case FYET_NONE:
    case FYET_STREAM_START:
    case FYET_STREAM_END:
    case FYET_DOCUMENT_END:
      return true;
    case FYET_DOCUMENT_START: {
      if (had_document_) return Say("holds a second document; keep one");
      had_document_ = true;
      const fy_document_state* state = event.document_start.document_state;
      auto* mutable_state = const_cast<fy_document_state*>(state);
      if (fy_document_state_version_explicit(mutable_state) ||
          fy_document_state_tags_explicit(mutable_state)) {
        return Say("holds a directive; remove it");
      }
      return true;
    }
    case FYET_ALIAS:
      return Say("holds an alias; write the value out");
    case FYET_MAPPING_START:
    case FYET_SEQUENCE_START:
    case FYET_SCALAR:
      if (fy_event_get_tag_token(&event) != nullptr) return Say("holds a tag; remove it");
      if (fy_event_get_anchor_token(&event) != nullptr) return Say("holds an anchor; remove it");
      if (IsOutdented(event)) return Say("has a value that is not indented below its key");
      if (event.type == FYET_MAPPING_START) return Open(base::JsonObject(), event);
      if (event.type == FYET_SEQUENCE_START) return Open(base::JsonArray(), event);
      return Scalar(event.scalar.value);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
      return Close();
  }
  return Say("cannot be read");
}

// The library takes a flow collection at its parent's own column; other readers refuse it, and what
// two readers see differently must not load.
bool Builder::IsOutdented(fy_event& event) const {
  if (open_.empty() || open_.back().block_column < 0) return false;
  const Frame& parent = open_.back();
  if (parent.value.is_object() && !parent.key) return false;
  if (fy_event_get_node_style(&event) == FYNS_BLOCK) return false;
  const fy_mark* mark = fy_event_start_mark(&event);
  if (mark == nullptr) return false;
  int column = mark->column;
  if (event.type == FYET_SCALAR) {
    // The mark of a quoted scalar stands behind its quote; that of a plain one needs no check.
    const fy_scalar_style style = fy_token_scalar_style(event.scalar.value);
    if (style != FYSS_SINGLE_QUOTED && style != FYSS_DOUBLE_QUOTED) return false;
    --column;
  }
  return column <= parent.block_column;
}

bool Builder::Open(base::Json container, fy_event& event) {
  if (open_.size() >= static_cast<std::size_t>(kMaxYamlDepth)) {
    return Say("is nested too deeply; the limit is 64 levels");
  }
  const fy_mark* mark = fy_event_start_mark(&event);
  const bool is_block = fy_event_get_node_style(&event) == FYNS_BLOCK && mark != nullptr;
  open_.push_back(Frame{std::move(container), is_block ? mark->column : -1, std::nullopt});
  return true;
}

bool Builder::Close() {
  if (open_.empty()) return Say("cannot be read");
  base::Json done = std::move(open_.back().value);
  open_.pop_back();
  return Put(std::move(done));
}

bool Builder::Put(base::Json value) {
  if (open_.empty()) {
    if (root_) return Say("holds more than one value");
    root_ = std::move(value);
    return true;
  }
  Frame& frame = open_.back();
  if (frame.value.is_array()) {
    frame.value.get_array().push_back(std::move(value));
  } else if (frame.key) {
    frame.value.get_object().emplace(*frame.key, std::move(value));
    frame.key.reset();
  } else {
    frame.key = FlowText(value);
    if (frame.value.get_object().contains(*frame.key)) {
      return Say("names one key twice in the same map; keep one");
    }
  }
  return true;
}

bool Builder::Scalar(fy_token* token) {
  if (token == nullptr) return Put(nullptr);
  std::size_t size = 0;
  const char* text = fy_token_get_text(token, &size);
  if (text == nullptr) return Say("holds a value that cannot be read");
  const std::string_view view(text, size);
  // An escape may spell a surrogate, which no UTF-8 text can hold.
  if (!base::IsValidUtf8(view)) return Say("holds an escape that is no character");
  if (fy_token_scalar_style(token) == FYSS_PLAIN) return Put(PlainScalar(view));
  return Put(base::Json(boost::json::string_view(view.data(), view.size())));
}

}  // namespace

base::Result<base::Json> ParseYaml(std::string_view text) {
  if (base::Result<void> checked = CheckBytes(text); !checked) {
    return base::Fail(std::move(checked.error()));
  }
  if (text.empty()) return base::Json(nullptr);
  bool reported = false;
  fy_diag_cfg diag_config;
  fy_diag_cfg_default(&diag_config);
  diag_config.fp = nullptr;
  diag_config.output_fn = CountReport;
  diag_config.user = &reported;
  diag_config.level = FYET_WARNING;
  diag_config.colorize = false;
  const std::unique_ptr<fy_diag, DiagDeleter> diag(fy_diag_create(&diag_config));
  fy_parse_cfg config{};
  config.flags = static_cast<fy_parse_cfg_flags>(FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE);
  config.diag = diag.get();
  const std::unique_ptr<fy_parser, ParserDeleter> parser(fy_parser_create(&config));
  if (!diag || !parser || fy_parser_set_string(parser.get(), text.data(), text.size()) != 0) {
    return Refuse("cannot be read");
  }
  Builder builder;
  bool ended = false;
  while (!ended) {
    const Event event(fy_parser_parse(parser.get()), EventDeleter{parser.get()});
    if (!event) break;
    const fy_mark* mark = fy_event_start_mark(event.get());
    if (!builder.Take(*event)) return Refuse(builder.problem(), mark);
    if (reported) return Refuse("does not follow the rules of YAML 1.2", mark);
    ended = event->type == FYET_STREAM_END;
  }
  if (!ended || reported || fy_parser_get_stream_error(parser.get()) || !builder.complete()) {
    return Refuse("does not follow the rules of YAML 1.2");
  }
  return builder.TakeRoot();
}

}  // namespace approval::policy
