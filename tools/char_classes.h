// The definition of the character tables in terms of ICU's properties (channels.md 2.9).
//
// Shared by the generator and by the test that proves the committed tables; the product never
// links ICU for it.
#pragma once

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "core/base/char_table.h"

namespace approval::base::icu {

inline CharClass ClassOf(char32_t cp) {
  const auto c = static_cast<UChar32>(cp);
  const auto mask = U_GET_GC_MASK(c);
  constexpr auto kNever = U_GC_CC_MASK | U_GC_CF_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK | U_GC_CO_MASK |
                          U_GC_CS_MASK | U_GC_CN_MASK;
  if ((mask & kNever) != 0) return CharClass::kInvisible;
  if (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0 ||
      u_hasBinaryProperty(c, UCHAR_VARIATION_SELECTOR) != 0) {
    return CharClass::kInvisible;
  }
  if (cp == 0x2800 || cp == 0xFFFC) return CharClass::kInvisible;  // blank on screen
  if ((mask & U_GC_ZS_MASK) != 0) return cp == 0x20 ? CharClass::kPlain : CharClass::kSpace;
  if ((mask & (U_GC_MN_MASK | U_GC_ME_MASK | U_GC_MC_MASK)) != 0) return CharClass::kMark;
  return CharClass::kPlain;
}

inline Script LetterScript(char32_t cp) {
  const auto c = static_cast<UChar32>(cp);
  if ((U_GET_GC_MASK(c) & U_GC_L_MASK) == 0) return Script::kOther;
  const bool fullwidth = cp >= 0xFF21 && cp <= 0xFF5A;
  const bool mathematical = cp >= 0x1D400 && cp <= 0x1D7FF;
  if (fullwidth || mathematical) return Script::kStyled;
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(c, &status)) {
    case USCRIPT_LATIN:
      return Script::kLatin;
    case USCRIPT_CYRILLIC:
      return Script::kCyrillic;
    case USCRIPT_GREEK:
      return Script::kGreek;
    default:
      return Script::kOther;
  }
}

inline bool IsPictographic(char32_t cp) {
  return u_hasBinaryProperty(static_cast<UChar32>(cp), UCHAR_EXTENDED_PICTOGRAPHIC) != 0 &&
         ClassOf(cp) == CharClass::kPlain;
}

}  // namespace approval::base::icu
