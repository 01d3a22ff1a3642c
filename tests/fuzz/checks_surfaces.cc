#include <algorithm>

#include "channels/cli/cells.h"
#include "channels/cli/document.h"
#include "channels/telegram/card_text.h"
#include "channels/web/pages.h"
#include "core/base/canonical.h"
#include "core/base/utf8.h"
#include "render/card.h"
#include "render/queue_file.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/page_reader.h"
#include "tests/render/payloads.h"
#include "tests/support/bot_html.h"

namespace approval::fuzz {
namespace {

using render::Card;

// The card of the input on a surface; nothing when the input is no payload.
std::optional<Card> CardFor(std::string_view bytes, render::Surface surface) {
  const std::optional<base::Json> payload = PayloadOf(bytes);
  if (!payload) return std::nullopt;
  render::CardOptions options;
  options.surface = surface;
  return render::BuildCard(RequestOf(*payload, bytes), render::kTestNow, options);
}

// A payload that has a hash has a card that can be approved, and the block in it.
std::string CardFault(const Card& card, std::string_view bytes) {
  const auto block = render::CanonicalBlock(*PayloadOf(bytes), "communicate.email.external");
  if (!block) return card.complete ? "a card without a block offers Approve" : "";
  if (!card.complete) return "not shown: " + card.incomplete_reason;
  if (card.canonical_text != block->text || card.display_hash != block->display_hash) {
    return "the card's block is another one";
  }
  std::string text;
  for (const std::string& line : render::CardLines(card)) {
    if (line.find('\n') != std::string::npos) return "a line of the card holds a line feed";
    text += line + "\n";
  }
  return RawFault(text);
}

std::string RowsFault(const channels::cli::Document& document, std::size_t width) {
  channels::cli::Style style;
  style.width = width;
  const auto rows = channels::cli::RowsOf(document, style);
  std::string text;
  for (const std::string& row : rows) {
    if (channels::cli::Cells(row) > width) return "a row is wider than the terminal";
    text += row + "\n";
  }
  if (std::string fault = RawFault(text); !fault.empty()) return fault;
  // Colour adds our own sequences around a row and nothing inside.
  style.color = true;
  const auto painted = channels::cli::RowsOf(document, style);
  if (painted.size() != rows.size()) return "colour changes the rows";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string_view row = painted[i];
    if (row.starts_with('\x1b')) {
      row.remove_prefix(row.find('m') + 1);
      if (!row.ends_with("\x1b[0m")) return "colour that does not end";
      row.remove_suffix(4);
    }
    if (row != rows[i]) return "colour changes a row";
  }
  return "";
}

// The rows of the exact bytes, put together again.
std::string BytesBack(const Card& card, std::size_t width) {
  constexpr std::string_view kGoesOn = "┊ ";
  channels::cli::Style style;
  style.width = width;
  std::string out;
  for (std::string_view row : channels::cli::RowsOf(channels::cli::BytesDocument(card), style)) {
    if (row.starts_with(kGoesOn)) {
      row.remove_prefix(kGoesOn.size());
    } else if (!out.empty()) {
      out.push_back('\n');
    }
    out += row;
  }
  return out;
}

std::string TelegramFault(const Card& card, const telegram::CardLook& look) {
  const telegram::CardText text = telegram::ComposeCard(card, look);
  telegram::CardLook plain_look = look;
  plain_look.form = telegram::CardForm::kPlain;
  const telegram::CardText plain = telegram::ComposeCard(card, plain_look);
  for (const std::string& outcome : {text.deadline, std::string("approved by \"«U+202E»\"")}) {
    const auto parsed = testing::ParseBotHtml(text.Settled(outcome));
    if (!parsed) return "markup: " + parsed.error();
    if (base::CountUtf16Units(*parsed) > telegram::kMaxMessageUnits) return "a message too long";
    if (std::string fault = RawFault(*parsed); !fault.empty()) return fault;
    if (outcome == text.deadline && *parsed != plain.Open()) {
      return "markup changes the characters of the message";
    }
  }
  const std::string shown = *testing::ParseBotHtml(text.Open());
  if (!card.complete || telegram::NeedsDocument(card, look.form)) return "";
  return shown.find(card.canonical_text) != std::string::npos ? "" : "a message without every byte";
}

}  // namespace

std::string CheckTerminal(std::string_view bytes) {
  const std::optional<Card> card = CardFor(bytes, render::Surface::kCli);
  if (!card) return "";
  if (std::string fault = CardFault(*card, bytes); !fault.empty()) return fault;
  const std::size_t width = 12 + (bytes.empty() ? 0U : static_cast<unsigned char>(bytes.back()));
  for (const auto& document :
       {channels::cli::CardDocument(*card), channels::cli::DetailsDocument(*card),
        channels::cli::BytesDocument(*card),
        channels::cli::JsonDocument(*card, base::Canonicalize(*PayloadOf(bytes)).value_or(""))}) {
    for (const std::size_t cells : {width, std::size_t{80}}) {
      if (std::string fault = RowsFault(document, cells); !fault.empty()) return fault;
    }
  }
  if (!card->complete) return "";
  return BytesBack(*card, width) == card->canonical_text + "\ndisplay hash " + card->display_hash
             ? ""
             : "the rows do not give the block back";
}

std::string CheckTelegram(std::string_view bytes) {
  const std::optional<Card> card = CardFor(bytes, render::Surface::kTelegram);
  if (!card) return "";
  if (std::string fault = CardFault(*card, bytes); !fault.empty()) return fault;
  if (card->complete && telegram::DocumentOf(*card).bytes != card->canonical_text) {
    return "the document is not the block";
  }
  telegram::CardLook look;
  if (std::string fault = TelegramFault(*card, look); !fault.empty()) return fault;
  look.document = telegram::DocumentState::kFailed;
  look.urgent = true;
  look.may_answer = card->requester;
  if (std::string fault = TelegramFault(*card, look); !fault.empty()) return fault;
  look.form = telegram::CardForm::kShort;
  return RawFault(telegram::ComposeCard(*card, look).Open());
}

std::string CheckPage(std::string_view bytes) {
  const std::optional<Card> card = CardFor(bytes, render::Surface::kWeb);
  if (!card) return "";
  if (std::string fault = CardFault(*card, bytes); !fault.empty()) return fault;
  channels::web::Frame frame;
  frame.actor = card->requester;
  frame.entries.push_back({"0123456789abcdef", card->headline, card->requester, true, true});
  frame.skipped.push_back({std::string(bytes), "payload-mismatch", std::string(bytes)});
  channels::web::RequestPage page;
  page.ref = "0123456789abcdef";
  page.card = *card;
  page.settlement.state = gate::State::kRequested;
  page.form_token = "t";
  page.request_hash = "h";
  page.reasons = {base::ReplaceIllFormed(bytes.substr(0, 40))};
  page.all_lines = true;
  page.problem = card->action_key;
  const std::string html = channels::web::RequestHtml(frame, page);
  const ReadPage read = ReadHtml(html);
  if (!read.fault.empty()) return "markup: " + read.fault;
  // A button's value is sent back as it is; what is drawn is the text.
  if (std::string fault = RawFault(read.text); !fault.empty()) return fault;
  if (card->complete) {
    std::string block;
    for (const std::string& line : read.regions.back()) {
      block += (block.empty() ? "" : "\n") + line;
    }
    if (block != card->canonical_text) return "the page's exact bytes are not the block";
    if (!card->content.empty() && read.regions.front() != card->content) {
      return "the page's lines are not the card's";
    }
  }
  const bool offers = html.find("value=\"grant\"") != std::string::npos;
  return offers == card->complete ? "" : "Approve without every byte, or none with it";
}

std::string CheckQueueFile(std::string_view bytes) {
  const auto file_of = [](const gate::RequestModel& request, const std::string& text) {
    render::QueueFileInput input;
    input.requests.push_back(request);
    input.unshown.push_back({text, "payload-mismatch", text});
    input.audits.push_back({3, text, text, text, text});
    input.now_ms = render::kTestNow;
    input.head_seq = 3;
    input.head_hash = text;
    input.log_path = text;
    return render::QueueFile(input);
  };
  const std::string text = base::ReplaceIllFormed(bytes);
  const base::Json payload = base::JsonObject{{"command", "true"}};
  gate::RequestModel request = RequestOf(payload, bytes);
  request.action_key = {text, "log"};
  request.action_class = {text, "log"};
  const std::string file = file_of(request, text);
  if (std::string fault = RawFault(file); !fault.empty()) return fault;
  gate::RequestModel tame = request;
  tame.action_key.value = tame.action_class.value = "x";
  tame.requester.value = "x";
  tame.summary.value = "x";
  if (tame.rationale.value) tame.rationale = {"x", "x"};
  if (tame.command_breakdown.value) tame.command_breakdown.value = "x";
  const std::string plain = file_of(tame, "x");
  const auto count = [](const std::string& in, char c) {
    return std::count(in.begin(), in.end(), c);
  };
  if (count(file, '\n') != count(plain, '\n')) return "a text adds a line to the queue file";
  if (count(file, '`') != count(plain, '`')) return "a text opens or closes a code span";
  return "";
}

}  // namespace approval::fuzz
