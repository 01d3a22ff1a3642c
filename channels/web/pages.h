// The page's HTML: list, one request, and the pages that say why there is none.
//
// Takes cards and texts that render has quoted and escapes them for HTML; writes no foreign text in
// any other way. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "channels/contract.h"
#include "render/card.h"

namespace approval::channels::web {

struct ListEntry {
  std::string ref;
  std::string headline;
  std::string about;  // who asks, how long is left
  bool warned = false;
  bool open = false;  // the one that is shown beside the list
};

struct SkipEntry {
  std::string action_key;
  std::string code;
  std::string message;
};

struct Frame {
  std::string actor;  // whom decisions are recorded as, quoted
  std::vector<ListEntry> entries;
  std::vector<SkipEntry> skipped;
  bool refresh = false;  // reload the list without script
};

struct RequestPage {
  std::string ref;
  render::Card card;
  gate::Settlement settlement;
  std::string settled_line;  // for a settled request, quoted
  std::string form_token;
  std::string request_hash;
  std::vector<std::string> reasons;    // one-press reject reasons
  std::string note;                    // typed before, kept
  std::optional<std::string> problem;  // why the last press recorded nothing
  bool all_lines = false;              // a long region was opened
};

// A region longer than this is folded until it is asked for; until then there is no Approve.
inline constexpr std::size_t kFoldLines = 200;

std::string ListPage(const Frame& frame);
std::string RequestHtml(const Frame& frame, const RequestPage& page);
std::string StopPage(const base::Error& error);
// A page with a heading and one sentence, both ours.
std::string PlainPage(const std::string& heading, const std::string& sentence);

}  // namespace approval::channels::web
