#pragma once

#include <string_view>

#include "stepwell/base/check.h"
#include "stepwell/compile/graph.h"

namespace stepwell {

// A colour by what it is for: on a light page, on a dark one, and as a line on a page that may be either.
struct PictureColor {
  std::string_view light, dark, either;
};

namespace picture_color {

inline constexpr PictureColor kPage = {.light = "#ffffff", .dark = "#0d1117", .either = {}};
inline constexpr PictureColor kSurface = {.light = "#f6f8fa", .dark = "#1c2230", .either = {}};
inline constexpr PictureColor kBlock = {.light = "#fbfcfd", .dark = "#131922", .either = {}};
inline constexpr PictureColor kText = {.light = "#1f2328", .dark = "#e6edf3", .either = "#7d8590"};
inline constexpr PictureColor kNote = {.light = "#59636e", .dark = "#9da7b3", .either = {}};
inline constexpr PictureColor kLine = {.light = "#818b98", .dark = "#768390", .either = "#7d8590"};
inline constexpr PictureColor kHuman = {.light = "#8250df", .dark = "#d2a8ff", .either = "#986ee2"};
inline constexpr PictureColor kWaiting = {.light = "#9a6700", .dark = "#e3b341", .either = "#b7791f"};
inline constexpr PictureColor kElsewhere = {.light = "#0969da", .dark = "#79c0ff", .either = "#388bfd"};
inline constexpr PictureColor kJoin = {.light = "#0a7480", .dark = "#56d4dd", .either = "#1b9aa6"};
inline constexpr PictureColor kSuccess = {.light = "#1a7f37", .dark = "#56d364", .either = "#2da44e"};
inline constexpr PictureColor kFailure = {.light = "#cf222e", .dark = "#ff7b72", .either = "#e5534b"};

// All of them, each different from the others on a light page: that is how a drawing's colours are found again.
inline constexpr PictureColor kAll[] = {kPage,  kSurface, kBlock,     kText, kNote,    kLine,
                                        kHuman, kWaiting, kElsewhere, kJoin, kSuccess, kFailure};

}  // namespace picture_color

// The border of a step.
constexpr PictureColor color_of(PictureShape shape) {
  switch (shape) {
    case PictureShape::work:
    case PictureShape::choice: return picture_color::kLine;
    case PictureShape::human: return picture_color::kHuman;
    case PictureShape::wait: return picture_color::kWaiting;
    case PictureShape::call:
    case PictureShape::continue_with: return picture_color::kElsewhere;
    case PictureShape::join: return picture_color::kJoin;
    case PictureShape::success: return picture_color::kSuccess;
    case PictureShape::failure: return picture_color::kFailure;
    case PictureShape::final_step: return picture_color::kText;
  }
  CHECK(false);
}

}  // namespace stepwell
