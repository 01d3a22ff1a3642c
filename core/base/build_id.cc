#include "core/base/build_id.h"

#include <link.h>

#include <cstring>
#include <string_view>

#include "core/base/encoding.h"

#ifndef APPROVAL_VERSION
#define APPROVAL_VERSION "0.0.0"
#endif

namespace approval::base {
namespace {

// Looks for the GNU build-id note among the notes of the main program, which comes first.
int FindNote(struct dl_phdr_info* info, std::size_t, void* out) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr);
    const char* end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note{};
      std::memcpy(&note, at, sizeof note);
      const char* name = at + sizeof note;
      const char* value = name + ((note.n_namesz + 3U) & ~3U);
      if (note.n_type == NT_GNU_BUILD_ID && std::string_view(name, 3) == "GNU") {
        *static_cast<std::string*>(out) = HexEncode(std::string_view(value, note.n_descsz));
        return 1;
      }
      at = value + ((note.n_descsz + 3U) & ~3U);
    }
  }
  return 1;
}

}  // namespace

std::string BuildId() {
  std::string id;
  ::dl_iterate_phdr(FindNote, &id);
  return id;
}

std::string VersionLine() {
  const std::string id = BuildId();
  return std::string("approval ") + APPROVAL_VERSION + " (build " + (id.empty() ? "unknown" : id) +
         ")";
}

}  // namespace approval::base
