// What the terminal shows of a request: documents of lines that know their margin, and their rows
// at a width (channels.md 5.2, DESIGN 8).
//
// Texts in a line are quoted already. Every row begins with a margin of ours: what a payload or an
// agent wrote never begins a row, however narrow the terminal is, and a row that goes on with the
// line above it is marked `┊`, so that a line end of the text and one of the screen differ. Pure
// functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "render/card.h"

namespace approval::channels::cli {

enum class Look { kPlain, kHeadline, kWarning, kQuiet };

struct Line {
  std::string margin;  // ours: `  to       `, `  │ `
  std::string text;    // quoted
  Look look = Look::kPlain;
};

struct Document {
  std::string title;  // one line, quoted
  std::vector<Line> lines;
};

struct Style {
  bool color = false;
  std::size_t width = 80;  // of a row; 0: rows are not cut
};

struct CardDocumentOptions {
  std::size_t content_lines = 24;  // at most so many of the payload's
  bool deadline = true;            // off where the time left is shown beside the card
  std::string whole_key = "p";     // what a person types to see the rest
};

// Headline, warnings, the values that matter most, the content, what the agent says, the deadline.
// A longer content is shown from its start with the exact count of what follows.
Document CardDocument(const render::Card& card, const CardDocumentOptions& options = {});
// Whether the card's document holds less than the card's content.
bool IsCut(const render::Card& card, const CardDocumentOptions& options);

Document DetailsDocument(const render::Card& card);  // every row with its kind and origin
Document BytesDocument(const render::Card& card);    // the canonical block and its digest
Document JsonDocument(const render::Card& card, const std::string& json);  // raw canonical JSON
Document HelpDocument();

// The rows of one line, each at most `style.width` cells, with colour when the style has it.
std::vector<std::string> RowsOf(const Line& line, const Style& style);
std::vector<std::string> RowsOf(const Document& document, const Style& style);

// The document behind a rule and its title.
std::vector<std::string> FramedRows(const Document& document, const Style& style);

}  // namespace approval::channels::cli
