// What must hold of rendering for every input: shared by the fuzz targets and by a test that
// replays seeds through the same functions.
//
// Each check takes the bytes of one input and gives back what is wrong, or an empty text. Pure but
// for the tables of the C library; any bytes in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/gate/request_model.h"
#include "tests/support/raw_scan.h"

namespace approval::fuzz {

// QuoteLine, QuoteLines, Unquote and cuts on any bytes.
std::string CheckQuoting(std::string_view bytes);
// Command lines, addresses and hosts: the rows and warnings that are read out of them.
std::string CheckCommand(std::string_view bytes);
// The canonical block of a payload: its texts come back out of it.
std::string CheckBlock(std::string_view bytes);
// The three surfaces and the queue file.
std::string CheckTerminal(std::string_view bytes);
std::string CheckTelegram(std::string_view bytes);
std::string CheckPage(std::string_view bytes);
std::string CheckQueueFile(std::string_view bytes);

// The first byte chooses the shape, or from 0xF0 on that the rest is a JSON document. Nothing when
// that document is none.
std::optional<base::Json> PayloadOf(std::string_view bytes);
// A request for it whose claims are out of the same bytes.
gate::RequestModel RequestOf(const base::Json& payload, std::string_view bytes);

using testing::RawFault;

}  // namespace approval::fuzz
