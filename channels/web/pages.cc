#include "channels/web/pages.h"

#include "channels/web/assets.h"
#include "render/quote.h"

namespace approval::channels::web {
namespace {

std::string E(std::string_view quoted) { return render::EscapeHtml(quoted); }
std::string Q(std::string_view raw) { return E(render::QuoteLine(raw)); }

std::string Head(const std::string& title, bool refresh) {
  std::string out =
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<title>" +
      E(title) +
      "</title>"
      "<link rel=\"stylesheet\" href=\"" +
      StyleSheet().path + "\" integrity=\"" + StyleSheet().integrity + "\">";
  if (refresh) out += "<noscript><meta http-equiv=\"refresh\" content=\"15\"></noscript>";
  return out + "<script defer src=\"" + Script().path + "\" integrity=\"" + Script().integrity +
         "\"></script></head>";
}

std::string Top(const Frame& frame) {
  return "<header class=\"top\"><h1><a href=\"/\">approval</a></h1><span class=\"quiet\">" +
         std::to_string(frame.entries.size()) +
         " waiting</span><span class=\"who\">you answer as " + E(frame.actor) + "</span></header>";
}

std::string Queue(const Frame& frame) {
  std::string out = "<nav class=\"queue\" id=\"queue\" aria-label=\"Waiting requests\">";
  if (frame.entries.empty()) out += "<p class=\"quiet\">Nothing is waiting for you.</p>";
  out += "<ul>";
  for (const ListEntry& entry : frame.entries) {
    out += "<li><a href=\"/r/" + entry.ref + "\"" + (entry.open ? " aria-current=\"page\"" : "") +
           "><span class=\"head\">" + E(entry.headline) +
           (entry.warned ? " <span class=\"mark\" title=\"has warnings\">⚠</span>" : "") +
           "</span><span class=\"sub\">" + E(entry.about) + "</span></a></li>";
  }
  out += "</ul>";
  if (!frame.skipped.empty()) {
    out += "<p class=\"label\">Cannot be shown, and cannot be approved here:</p><ul>";
    for (const SkipEntry& skip : frame.skipped) {
      out += "<li class=\"quiet\"><b>" + Q(skip.action_key) + "</b> " + E(skip.code) + ": " +
             Q(skip.message) + "</li>";
    }
    out += "</ul>";
  }
  return out + "</nav>";
}

// Lines of `std::string` or views.
template <typename Lines>
std::string Region(const Lines& lines) {
  std::string out = "<div class=\"bytes\">";
  for (const auto& line : lines) {
    out += "<span>";
    render::AppendHtml(out, line);
    out += "</span>";
  }
  out += "</div>";
  return out;
}

std::string Facts(const render::Card& card) {
  std::string out = "<dl>";
  for (const render::Row& row : card.rows) {
    if (render::StandsOnCard(row)) {
      out += "<dt>" + E(row.label) + "</dt><dd>" + E(row.text) + "</dd>";
    }
  }
  for (const render::KeyLine& line : card.key_lines) {
    out += "<dt>" + E(line.label) + "</dt><dd>" + E(line.value) + "</dd>";
  }
  return out + "</dl>";
}

std::string Warnings(const render::Card& card) {
  if (card.warnings.empty()) return {};
  std::string out = "<ul class=\"warnings\" aria-label=\"Warnings\">";
  for (const render::Warning& warning : card.warnings) {
    out += "<li>⚠ " + E(warning.text) + "</li>";
  }
  return out + "</ul>";
}

std::string ClaimedLines(const render::Card& card) {
  if (card.claimed.empty()) return {};
  std::string out = "<section class=\"claimed\" aria-label=\"What the agent says\">";
  for (const render::ClaimedLine& line : card.claimed) {
    out += "<p>" + E(line.author) + " says (unverified): " + E(line.label) + ": " + E(line.text) +
           "</p>";
  }
  return out + "</section>";
}

std::string Rows(const render::Card& card) {
  std::string out = "<details><summary>All details</summary><dl>";
  for (const render::Row& row : card.rows) {
    const bool claimed = row.kind == render::Kind::kClaimed;
    out += "<dt>" + E(row.label) + "</dt><dd>" + E(row.text) + " <span class=\"quiet\">[" +
           (claimed ? "claimed by " : "computed: ") + E(row.origin) + "]</span></dd>";
  }
  return out + "</dl></details>";
}

std::string ExactBytes(const render::Card& card) {
  if (!card.complete) return {};
  std::string out = "<details><summary>The exact bytes (display hash " +
                    card.display_hash.substr(0, 16) + "…)</summary>";
  out += Region(render::LinesOf(card.canonical_text));
  out += "<p class=\"quiet\">display hash " + card.display_hash + "</p></details>";
  return out;
}

// What a press of Approve does, in words.
std::string ApproveWords(const render::Card& card) {
  if (card.recipients) {
    return "Approve: send to " + std::to_string(*card.recipients) +
           (*card.recipients == 1 ? " person" : " people");
  }
  if (card.shape == render::Shape::kCommand || card.shape == render::Shape::kArgv) {
    return "Approve: run it once";
  }
  if (card.shape == render::Shape::kFileChange) return "Approve: change the file";
  return "Approve: once, exactly this";
}

// The form lies around the whole request, so that its buttons can stay in reach at the bottom.
std::string FormStart(const RequestPage& page) {
  const auto hidden = [](std::string_view name, const std::string& value) {
    return "<input type=\"hidden\" name=\"" + std::string(name) + "\" value=\"" + E(value) + "\">";
  };
  return "<form class=\"decide\" method=\"post\" action=\"/decide\">" + hidden("ref", page.ref) +
         hidden("request_hash", page.request_hash) +
         hidden("display_hash", page.card.display_hash) + hidden("token", page.form_token);
}

std::string FormEnd(const RequestPage& page, bool folded) {
  std::string out;
  if (page.problem) out += "<p class=\"problem\" role=\"alert\">" + E(*page.problem) + "</p>";
  out +=
      "<label class=\"label\" for=\"note\">Note for the record; a Reject needs one, or a reason "
      "below</label><textarea id=\"note\" name=\"note\" rows=\"2\" maxlength=\"2000\">" +
      render::EscapeHtml(page.note) + "</textarea><div class=\"row\">";
  if (!page.card.complete) {
    out += "<span class=\"problem\">This page cannot show every byte, so it offers no Approve: " +
           E(page.card.incomplete_reason) + "</span>";
  } else if (folded) {
    out += "<span class=\"quiet\">Open the whole text above to approve.</span>";
  } else {
    out += "<button class=\"approve\" name=\"decision\" value=\"grant\">" +
           E(ApproveWords(page.card)) + "</button>";
  }
  out += "<button name=\"decision\" value=\"reject\">Reject</button>";
  for (const std::string& reason : page.reasons) {
    out += "<button class=\"small\" name=\"reason\" value=\"" + render::EscapeHtml(reason) + "\">" +
           Q(reason) + "</button>";
  }
  return out + "</div></form>";
}

}  // namespace

std::string ListPage(const Frame& frame) {
  return Head("approval: " + std::to_string(frame.entries.size()) + " waiting", frame.refresh) +
         "<body>" + Top(frame) + "<div class=\"columns\">" + Queue(frame) +
         "<main><p class=\"quiet\">Choose a request to read exactly what it would do.</p></main>"
         "</div></body></html>";
}

std::string RequestHtml(const Frame& frame, const RequestPage& page) {
  const render::Card& card = page.card;
  const bool waiting = page.settlement.state == gate::State::kRequested;
  const bool folded = waiting && card.content.size() > kFoldLines && !page.all_lines;
  std::string out = Head("approval: " + card.headline, false) + "<body>" + Top(frame) +
                    "<div class=\"columns open\">" + Queue(frame) + "<main data-ref=\"" + page.ref +
                    "\" data-state=\"" + std::string(gate::Spelling(page.settlement.state)) +
                    "\"><article" + (card.recipients ? " class=\"mail\"" : "") + ">" +
                    (waiting ? FormStart(page) : std::string()) + "<h2>" + E(card.symbol) + " " +
                    E(card.headline) + "</h2>" + Warnings(card) + Facts(card);
  if (!card.content_label.empty()) out += "<p class=\"label\">" + E(card.content_label) + "</p>";
  if (folded) {
    const std::vector<std::string> first(card.content.begin(), card.content.begin() + 20);
    out += Region(first) + "<p><a href=\"/r/" + page.ref + "?all=1\">Show all " +
           std::to_string(card.content.size()) + " lines</a> (" +
           std::to_string(card.content.size() - 20) + " more)</p>";
  } else if (!card.content.empty()) {
    out += Region(card.content);
  }
  out += ClaimedLines(card);
  out += waiting ? "<p>⏳ " + E(card.deadline) + "</p>" : std::string();
  out += Rows(card);
  out += ExactBytes(card);
  out += waiting
             ? FormEnd(page, folded)
             : "<p class=\"settled\" role=\"status\">" + E(page.settled_line) + "</p>" +
                   (page.problem ? "<p class=\"quiet\" role=\"alert\">" + E(*page.problem) + "</p>"
                                 : std::string());
  out += "</article></main></div></body></html>";
  return out;
}

std::string StopPage(const base::Error& error) {
  return Head("approval: stopped", true) +
         "<body class=\"stop\"><main><h1>Stopped</h1><p>The log does not verify, so nothing is "
         "shown and nothing is decided.</p><p><b>" +
         E(base::Spelling(error.code)) + "</b>: " + Q(error.message) +
         "</p><p>Run <code>approval log verify</code>.</p></main></body></html>";
}

std::string PlainPage(const std::string& heading, const std::string& sentence) {
  return Head("approval", false) + "<body class=\"stop\"><main><h1>" + E(heading) + "</h1><p>" +
         E(sentence) + "</p></main></body></html>";
}

}  // namespace approval::channels::web
