#include "render/quote.h"
#include "render/views.h"

namespace approval::render {

Lines DraftView(const base::JsonObject& draft) {
  Lines out;
  out.push_back(MemberLine(draft, "inbox_id"));
  out.push_back(MemberLine(draft, "draft_id"));
  for (const std::string_view key : {"to", "cc", "bcc"}) AppendItems(out, draft, key, key);
  out.push_back(MemberLine(draft, "subject"));
  AppendBody(out, draft, "text");
  return out;
}

Content DraftContent(const base::JsonObject& draft) {
  Content content;
  AppendRecipients(content, draft);
  content.keys.push_back({"subject", QuoteLine(Text(draft.at("subject")))});
  content.keys.push_back({"inbox", QuoteLine(Text(draft.at("inbox_id")))});
  content.keys.push_back({"draft", QuoteLine(Text(draft.at("draft_id")))});
  const std::string_view text = Text(draft.at("text"));
  content.label = "text: " + CountWords(text);
  content.lines = QuoteLines(text, TabRule::kMark);
  return content;
}

}  // namespace approval::render
