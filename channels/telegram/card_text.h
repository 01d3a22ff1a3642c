// A card as one Telegram message, and the document beside it when the bytes do not fit
// (channels.md 3.4).
//
// Built from render's Card alone. The message is at most 4096 UTF-16 units after parsing in every
// form, with its deadline or with an outcome in its place. Whatever the message does not show is
// counted on it and is in the document, whose bytes are the canonical block. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "channels/telegram/markup.h"
#include "render/card.h"

namespace approval::telegram {

enum class CardForm {
  kHtml,   // with markup
  kPlain,  // the same characters without parse_mode
  kShort,  // our own words and hashes only; the bytes are in the document
};

enum class DocumentState { kNotSent, kSent, kFailed };

struct CardLook {
  CardForm form = CardForm::kHtml;
  DocumentState document = DocumentState::kNotSent;
  bool urgent = false;
  std::string may_answer;  // quoted names, in a group; empty in a private chat
};

struct CardText {
  Marked before;
  std::string deadline;  // the line that an outcome replaces, plain
  Marked after;
  CardForm form = CardForm::kHtml;

  // The message, ready for `text`; html form needs parse_mode HTML.
  std::string Open() const;
  // The same with this line (quoted, at most kOutcomeUnits) where the deadline was.
  std::string Settled(const std::string& outcome) const;
};

inline constexpr std::size_t kOutcomeUnits = 400;

// Whether the message cannot hold the whole canonical block. Always in the short form.
bool NeedsDocument(const render::Card& card, CardForm form);

CardText ComposeCard(const render::Card& card, const CardLook& look);

struct CardDocument {
  std::string file_name;  // `payload-<12 hex>.txt`
  std::string bytes;      // the canonical block
  std::string caption;
};

CardDocument DocumentOf(const render::Card& card);

// What is left to say of a settled request whose card is not known any more.
CardText BareCard(std::string_view quoted_action_key);

}  // namespace approval::telegram
