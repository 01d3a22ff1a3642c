#include "render/quote.h"
#include "render/views.h"

namespace approval::render {
namespace {

std::string TabLegend(std::string_view text) {
  return text.find('\t') == std::string_view::npos ? "" : "; → is a tab";
}

Lines ArgumentLines(const base::JsonArray& argv) {
  Lines out;
  for (std::size_t i = 0; i < argv.size(); ++i) {
    out.push_back(std::to_string(i + 1) + ": " + ItemLine(Text(argv[i])));
  }
  return out;
}

}  // namespace

Lines CommandView(const base::JsonObject& command) {
  Lines out;
  const std::string_view text = Text(command.at("command"));
  out.push_back("command: " + CountWords(text) + TabLegend(text));
  AppendBarred(out, QuoteLines(text, TabRule::kArrow));
  out.push_back(MemberLine(command, "cwd"));
  return out;
}

Lines ArgvView(const base::JsonObject& argv) {
  Lines out;
  const base::JsonArray& arguments = argv.at("argv").get_array();
  out.push_back("arguments: " + std::to_string(arguments.size()));
  for (std::string& line : ArgumentLines(arguments)) out.push_back(std::move(line));
  out.push_back(MemberLine(argv, "cwd"));
  const base::Json* files = argv.if_contains("files");
  if (files == nullptr) {
    out.emplace_back("files: (absent)");
    return out;
  }
  const base::JsonArray& list = files->get_array();
  out.push_back("files: list of " + std::to_string(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const base::JsonObject& file = list[i].get_object();
    const std::string name = "file " + std::to_string(i + 1) + " ";
    out.push_back(name + MemberLine(file, "path"));
    out.push_back(name + "size: " + std::to_string(*base::AsInteger(file.at("size"))) + " bytes");
    out.push_back(name + "sha256: " + std::string(Text(file.at("sha256"))));
  }
  return out;
}

Lines TextView(std::string_view text) {
  Lines out;
  out.push_back("text: " + CountWords(text));
  AppendBarred(out, QuoteLines(text, TabRule::kMark));
  return out;
}

Content ContentOf(Shape shape, const base::Json& payload) {
  Content content;
  switch (shape) {
    case Shape::kEmail:
      return EmailContent(payload.get_object());
    case Shape::kFileChange:
      return FileChangeContent(payload.get_object());
    case Shape::kDraft:
      return DraftContent(payload.get_object());
    case Shape::kHttp:
      return HttpContent(payload.get_object());
    case Shape::kPost:
      return PostContent(payload.get_object());
    case Shape::kBinary:
      return BinaryContent(payload.get_object());
    case Shape::kCommand: {
      const base::JsonObject& command = payload.get_object();
      const std::string_view text = Text(command.at("command"));
      content.label = "command: " + CountWords(text) + TabLegend(text);
      content.lines = QuoteLines(text, TabRule::kArrow);
      if (const auto cwd = base::StringMember(command, "cwd")) {
        content.keys.push_back({"in", QuoteLine(*cwd)});
      }
      return content;
    }
    case Shape::kArgv: {
      const base::JsonObject& object = payload.get_object();
      const base::JsonArray& argv = object.at("argv").get_array();
      if (!argv.empty()) content.keys.push_back({"program", QuoteLine(Text(argv[0]))});
      content.keys.push_back({"in", QuoteLine(Text(object.at("cwd")))});
      if (const base::Json* files = object.if_contains("files")) {
        for (const base::Json& file : files->get_array()) {
          const std::int64_t size = *base::AsInteger(file.get_object().at("size"));
          content.keys.push_back({"file", QuoteLine(Text(file.get_object().at("path"))) + " (" +
                                              std::to_string(size) + " bytes)"});
        }
      }
      content.label = "command line: " + Plural(argv.size(), "argument");
      content.lines = ArgumentLines(argv);
      return content;
    }
    case Shape::kText:
      content.label = "text: " + CountWords(Text(payload));
      content.lines = QuoteLines(Text(payload), TabRule::kMark);
      return content;
    case Shape::kOpaque:
      break;
  }
  content.lines = JsonLines(payload);
  content.label = "no view for this payload, its JSON: " + Plural(content.lines.size(), "line");
  return content;
}

}  // namespace approval::render
